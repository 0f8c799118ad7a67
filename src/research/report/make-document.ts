import { fail } from '../../core/base/assert.ts';
import { microsPerSecond, timeText } from '../../core/base/clock.ts';
import {
  accountSection,
  chartsOf,
  executionSection,
  markoutTable,
  identitySection,
  marginSection,
  ratiosSection,
  returnSection,
  riskSection,
  monthTable,
  drawdownTable,
  robustnessSection,
  settingSections,
  tradeTable,
  tradesSection,
} from './sections/index.ts';
import type { AccountState, MoneyPart, WalkForwardFigure, ReportedSetting } from './sections/index.ts';
import type { BandResult, TrialCount } from './figures/index.ts';
import { measuresOf, runStatistics, runDoubts, notesOn } from './figures/index.ts';
import type { ReportDocument, Doubt } from './document/index.ts';
import { documentSchema, warningOf } from './document/index.ts';
import { noStart } from './fold/index.ts';
import type { Summary } from './fold/index.ts';

export interface DocumentSetting {
  readonly title: string;
  /** Doubts about the data and the session, before those of the run. */
  readonly doubts?: readonly Doubt[] | undefined;
  /** Hashes, seed, models: shown as given, in this order. */
  readonly identity: Readonly<Record<string, string | number>>;
  /** Parameters of the strategies, and settings that are not the defaults. */
  readonly parameters?: readonly ReportedSetting[] | undefined;
  readonly settings?: readonly ReportedSetting[] | undefined;
  /** How the account stood at the end, of a session. */
  readonly account?: AccountState | undefined;
  /** As it was typed, without secrets. */
  readonly command?: string | undefined;
  /** Why shares of equity say nothing: what the account began with was only assumed. */
  readonly noShares?: string | undefined;
  readonly trials?: TrialCount | undefined;
  /** The band, or why there is none and how to get one. */
  readonly band: BandResult | string;
  /** What an earlier walk-forward on the same data found, or why there is none. */
  readonly walkForward?: WalkForwardFigure | undefined;
  /** Why the run is no trial, where it is none. */
  readonly noTrial?: string | undefined;
  /** Notes shown before those of the run. */
  readonly notes?: readonly string[] | undefined;
}

/** The full report of a run whose summary collected details. */
export function makeDocument(summary: Summary, setting: DocumentSetting): ReportDocument {
  const { details, span } = summary;
  if (details === undefined) fail('a full report was asked of a run without details');
  const { trials, band } = setting;
  const measures = measuresOf(summary);
  const parts = measures.map((one): MoneyPart => {
    const statistics = runStatistics(one, trials);
    const noShares = Number.isNaN(one.start) ? noStart : setting.noShares;
    return { measures: one, statistics, noShares, group: measures.length > 1 ? one.currency : undefined };
  });
  const returns = returnSection(parts);
  const trades = tradesSection(parts, details.trades);
  const doubts = [...(setting.doubts ?? []), ...runDoubts(summary)];
  const execution = executionSection(summary, details, parts);
  return {
    schema: documentSchema,
    title: setting.title,
    warning: warningOf(doubts),
    doubts,
    ...(setting.command === undefined ? {} : { command: setting.command }),
    span:
      span === undefined
        ? undefined
        : {
            start: timeText(span.start),
            end: timeText(span.end),
            seconds: (span.end - span.start) / microsPerSecond,
          },
    sections: [
      identitySection(setting.identity),
      ...(setting.account === undefined ? [] : [accountSection(setting.account)]),
      ...settingSections(setting.parameters ?? [], setting.settings ?? []),
      {
        ...returns,
        tables: parts.flatMap((part) =>
          part.noShares === undefined ? monthTable(part.measures, part.group) : [],
        ),
      },
      { ...riskSection(parts, details), tables: parts.flatMap(drawdownTable) },
      ...marginSection(summary),
      ratiosSection(parts, trials ?? setting.noTrial ?? 'this run was not written to a trial log'),
      { ...trades, tables: [...trades.tables, ...tradeTable(summary)] },
      { ...execution, tables: [...markoutTable(details), ...execution.tables] },
      robustnessSection(parts, {
        band,
        walkForward:
          setting.walkForward ?? 'none was run on this data with this strategy: godwit walk-forward',
      }),
    ],
    charts: chartsOf(parts, details),
    notes: [
      ...(setting.notes ?? []),
      ...(setting.account === undefined ? [] : [ofSession]),
      ...notesOn(summary),
      ...left(summary),
      ...details.notes.lines,
    ],
  };
}

const ofSession =
  'figures of return, risk and trades are of this session: those of the run stand in Account at the end';

/** Daily Sharpe ratio of the first currency for the trial log; `null` without enough days. */
export function dailySharpe(summary: Summary): number | null {
  const [first] = measuresOf(summary);
  if (first === undefined || Number.isNaN(first.start)) return null;
  return runStatistics(first, undefined).dailySharpe.value ?? null;
}

/** What was bounded. */
function left({ details }: Summary): readonly string[] {
  if (details === undefined) return [];
  const notes: string[] = [];
  const { trades, markouts, corrections, uncorrectedTrips } = details;
  if (corrections > 0)
    notes.push(
      `markouts, slippage, time to fill and rows of an export count ${corrections} fills as they were reported, which were withdrawn or corrected since`,
    );
  if (uncorrectedTrips > 0)
    notes.push(`closed trades count ${uncorrectedTrips} of them as they were reported, too`);
  if (trades.left > 0)
    notes.push(`fills after the first 200,000 closed trades are in no trade statistic: ${trades.left}`);
  if (markouts.missed > 0)
    notes.push(`markouts left out, because there was no live book at their time: ${markouts.missed}`);
  return notes;
}
