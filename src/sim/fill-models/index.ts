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
export type { BookSnapshot, BookUpdate, TradesPrinted } from '../../core/model/event.ts';
export type { MarketTrade } from '../../core/model/market.ts';
