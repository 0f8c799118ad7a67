import type { ReportType } from '../model/event.ts';
import type { Fill, VenueOrder } from '../model/order.ts';

/** A report of the trading socket, or an order of a REST reply, as the model has it. */
export interface DecodedReport {
  readonly reportType: ReportType;
  readonly order: VenueOrder;
  /** There exactly when `reportType` is `trade`. */
  readonly fill: Fill | undefined;
}
