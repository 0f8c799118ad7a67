import type { ReportType } from '../../../core/model/event.ts';
import type { ListMark } from '../../../core/model/order-list.ts';
import type { Fill, VenueOrder } from '../../../core/model/order.ts';

/** A report of the trading socket, or an order of a REST reply, as the model has it. */
export interface DecodedReport {
  readonly reportType: ReportType;
  readonly order: VenueOrder;
  /** There exactly when `reportType` is `trade`. */
  readonly fill: Fill | undefined;
  /** There when the order belongs to a list. */
  readonly list?: ListMark | undefined;
}
