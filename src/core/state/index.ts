/** State of a run, folded from events, and its read-only views. */
export { CandleBuilder } from './candle-builder.ts';
export { JoinedCandles } from './joined-candles.ts';
export { BookedFills } from './booked-fills.ts';
export type { ShownDifference } from './differences.ts';
export { differenceLine, differenceText, shownDifferences } from './differences.ts';
export type { GridFactors } from './finer-grid.ts';
export { onFinerGrid } from './finer-grid.ts';
export type { InFlightOrder } from './in-flight.ts';
export { lateMarket } from './market-lag.ts';
export { ModeStore } from './mode.ts';
export type { StateOptions } from './options.ts';
export { barSpec, stateDefaults } from './options.ts';
export { foundOrder } from './order-entry.ts';
export { slotOf } from './order-index.ts';
export {
  haltText,
  heldStates,
  operatorClears,
  safeStateText,
  safeStates,
  unfitInput,
} from './safe-states.ts';
export type { StateDeps } from './state.ts';
export { State } from './state.ts';
export { TradeStore } from './trades.ts';
export type { StateView } from './view.ts';
