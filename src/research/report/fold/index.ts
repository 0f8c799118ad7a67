/** Folds of a run: what a report is made from. */
export type { EquityCurve, EquityLine, FallFigures, TimedFall } from './equity.ts';
export { withoutNoise } from './equity.ts';
export type {
  ChargeSum,
  MarginIncident,
  RowCharge,
  RowFill,
  RowHolding,
  RunRows,
  SessionHolding,
} from './holdings.ts';
export type { Markout, MarkoutKind } from './markouts.ts';
export { markoutSeconds } from './markouts.ts';
export type { Mark } from './marks.ts';
export { Marks, Opening, noStart } from './marks.ts';
export type { OrderStatistics, Reservoir } from './order-statistics.ts';
export { histogramOf } from './order-statistics.ts';
export type { OrderCounts } from './order-tally.ts';
export { OrderTally } from './order-tally.ts';
export type { RunDetails } from './run-details.ts';
export type { SmallSize } from './run-signs.ts';
export { RunSigns, TickSigns, unlikelyFee } from './run-signs.ts';
export { bootstrapSum, changesOf } from './samples.ts';
export type { ChargeSource, MessageCounts, OwnOrder, SummaryDeps } from './summary.ts';
export { Summary } from './summary.ts';
export type { RunAt } from './timeline.ts';
export { downsampled, extremeRows, pixelRanges, runAtOf, withMarks } from './timeline.ts';
export type { BookedTrip, FillMark, TradeBook } from './trade-book.ts';
