import { percent } from './cell.ts';
import type { Summary } from './summary.ts';

const codesMax = 3;

/**
 * A warning where half of the orders or more were refused, by our controls or by the venue, or where some were and nothing was
 * filled: what is left says little of the strategy. Empty otherwise.
 */
export function refusalWarning(summary: Summary): string {
  const { tally } = summary;
  const { placed, denied, rejected } = tally.counts();
  const asked = placed + denied;
  const refused = denied + rejected;
  if (refused === 0 || (refused * 2 < asked && summary.ledgers().length > 0)) return '';
  const codes = [...tally.denials]
    .toSorted(([, one], [, other]) => other - one)
    .slice(0, codesMax)
    .map(([code, count]) => `${code} ${count}`);
  const venue = rejected === 0 ? [] : [`by the venue ${rejected}`];
  return `${refused} of ${asked} orders were refused (${percent(refused, asked)}): ${[...codes, ...venue].join(', ')}`;
}
