/** Exports for authors of fill models: `godwit/fills`. See docs/fill-models.md. */
export type {
  TopOfBook,
  FillModel,
  FillModelSetup,
  FillResting,
  ModelOrder,
  OpenFillModel,
  PlannedFill,
} from './model.ts';
export { RecordedBook } from './recorded-book.ts';
export { planOf } from './walk-book.ts';
export type { Amount } from '../../core/base/amount.ts';
export type { Micros } from '../../core/base/clock.ts';
export type { Decimal } from '../../core/base/decimal.ts';
export type {
  BookSnapshot,
  BookUpdate,
  EventTimes,
  FlatLevels,
  TradesPrinted,
} from '../../core/model/event.ts';
export type {
  Brand,
  Contract,
  ContractTerms,
  Instrument,
  InstrumentId,
  InstrumentSpec,
  InstrumentStatus,
  Lots,
  Rounding,
  Ticks,
} from '../../core/model/instrument.ts';
export type { ClientOrderId, OrderType, Side, TimeInForce } from '../../core/model/order.ts';
export type { MarketTrade } from '../../core/model/market.ts';
