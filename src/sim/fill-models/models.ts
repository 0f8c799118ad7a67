/** Fill models as the framework uses them. `index.ts` is the authors' side. */
export type { FillModel, OpenFillModel, PlannedFill, PricedMarket, TopOfBook } from './model.ts';
export { midPrice } from './model.ts';
export { RecordedOrders, deaf } from './recorded-orders.ts';
