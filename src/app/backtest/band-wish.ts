import type { BandResult } from '../../research/report/band.ts';
import type { Summary } from '../../research/report/summary.ts';
import type { Output } from '../process/output.ts';
import { onLateStray } from '../run/strays.ts';
import type { ReportWishes } from './report.ts';

/** Unasked, the band is run on data with no more market messages than these: seconds, not hours. */
const messagesMax = 50_000;

export interface BandWish {
  readonly wishes: ReportWishes;
  readonly summary: Summary;
  /** What cut the run short, if anything did. */
  readonly problems: readonly string[];
  /** Runs the band in a currency; says in a clause why it is not known. */
  readonly run: (currency: string) => Promise<BandResult | string>;
}

/** The band, or in one clause why it was not run. Whether it runs unasked depends on the data alone, never on the clock. */
export async function bandOrWhyNot({
  wishes,
  summary,
  problems,
  run,
}: BandWish): Promise<BandResult | string> {
  const [currency] = summary.curves().keys();
  if (wishes.band === false) return 'not run: --no-band';
  if (problems.length > 0) return 'not run: the run was cut short';
  if (currency === undefined) return 'not run: nothing was traded';
  const { market } = summary.messages;
  if (wishes.band === undefined && market > messagesMax)
    return `not run: of more than ${messagesMax} market messages only with --band, which runs it 6 to 12 times more`;
  return await run(currency);
}

/** What a title warns of: the first thing that cut the run short, and poor data. */
export function warningOf(problems: readonly string[], dataTitle: string): string {
  return [...problems.slice(0, 1).map((problem) => `incomplete: ${problem}`), dataTitle]
    .filter((text) => text !== '')
    .join('; ');
}

/**
 * Adds to `problems`, and tells, what strategies throw from now on in promises and timers of a run that has ended: the first
 * such thing, while the report is made.
 */
export function tellLate(problems: string[], output: Output): void {
  let isTold = false;
  onLateStray((sentence) => {
    if (isTold) return;
    isTold = true;
    const problem = `behind the end of its run ${sentence}`;
    problems.push(problem);
    output.progress(`incomplete: ${problem}`);
  });
}
