import type { Micros } from '../../../core/base/clock.ts';
import type { ReportType } from '../../../core/model/event.ts';
import type { InstrumentId, Lots, Ticks } from '../../../core/model/instrument.ts';
import type { MarginReport } from '../../../core/model/margin.ts';
import type { ListMark } from '../../../core/model/order-list.ts';
import type {
  ClientOrderId,
  Fill,
  OrderType,
  Side,
  TimeInForce,
  VenueOrder,
  VenueOrderState,
} from '../../../core/model/order.ts';
import type { AccountId, ReportOutcome, Outcome } from '../accounts/index.ts';
import type { OrderRecord, NumberedOrder } from './record.ts';
import { venueOrderOf } from './record.ts';

/** What only few orders have: the reports of the others are smaller for it. */
interface Particulars {
  readonly list: ListMark | undefined;
  readonly margin: MarginReport | undefined;
  readonly originalClientOrderId: ClientOrderId | undefined;
  readonly orderListId: string | undefined;
  readonly stopPrice: Ticks | undefined;
  readonly expireTime: Micros | undefined;
}

/**
 * Something that happened to an order, which then was as the members say. The order in the form in which a venue reports
 * it, with a text for its number, is made on demand.
 */
export class OrderOutcome implements ReportOutcome, NumberedOrder {
  readonly kind = 'report';
  readonly account: AccountId;
  readonly reportType: ReportType;
  readonly fill: Fill | undefined;
  readonly number: number;
  readonly clientOrderId: ClientOrderId;
  readonly instrument: InstrumentId;
  readonly side: Side;
  readonly type: OrderType;
  readonly timeInForce: TimeInForce;
  readonly quantity: Lots;
  readonly price: Ticks | undefined;
  readonly postOnly: boolean;
  readonly state: VenueOrderState;
  readonly cumulative: Lots;
  readonly createdAt: Micros;
  readonly updatedAt: Micros;
  readonly #particulars: Particulars | undefined;
  #order: VenueOrder | undefined = undefined;

  constructor(
    record: OrderRecord,
    reportType: ReportType,
    fill: Fill | undefined,
    margin: MarginReport | undefined,
  ) {
    this.account = record.context.account;
    this.reportType = reportType;
    this.fill = fill;
    this.number = record.number;
    this.clientOrderId = record.clientOrderId;
    this.instrument = record.instrument;
    this.side = record.side;
    this.type = record.type;
    this.timeInForce = record.timeInForce;
    this.quantity = record.quantity;
    this.price = record.price;
    this.postOnly = record.postOnly;
    this.state = record.state;
    this.cumulative = record.cumulative;
    this.createdAt = record.createdAt;
    this.updatedAt = record.updatedAt;
    this.#particulars = record.isPlain && margin === undefined ? undefined : particularsOf(record, margin);
  }

  get list(): ListMark | undefined {
    return this.#particulars?.list;
  }

  get margin(): MarginReport | undefined {
    return this.#particulars?.margin;
  }

  get originalClientOrderId(): ClientOrderId | undefined {
    return this.#particulars?.originalClientOrderId;
  }

  get orderListId(): string | undefined {
    return this.#particulars?.orderListId;
  }

  get stopPrice(): Ticks | undefined {
    return this.#particulars?.stopPrice;
  }

  get expireTime(): Micros | undefined {
    return this.#particulars?.expireTime;
  }

  get order(): VenueOrder {
    this.#order ??= venueOrderOf(this);
    return this.#order;
  }
}

function particularsOf(record: OrderRecord, margin: MarginReport | undefined): Particulars {
  const { list, originalClientOrderId, orderListId, stopPrice, expireTime, inactive } = record;
  return { list: list?.mark(inactive), margin, originalClientOrderId, orderListId, stopPrice, expireTime };
}

/** What the exchange itself says: its reports show what is in them without an order being made for it. */
export type ExchangeOutcome = OrderOutcome | Exclude<Outcome, ReportOutcome>;

const nothing: ExchangeOutcome = { kind: 'status', instrument: 0 as InstrumentId };

/**
 * Outcomes of the command under way, in a list of its own.
 *
 * An empty array that grows allocates seventeen places at once; this begins with the usual few. Fast twin of a list that
 * grows: row `matching`, 1.07 times as fast.
 */
export class OutcomeBuffer {
  #list: ExchangeOutcome[] = [];
  #count = 0;
  readonly #usual: number;

  /** With `onlyReports` most commands come to one. */
  constructor(onlyReports: boolean) {
    this.#usual = onlyReports ? 1 : 4;
  }

  beginCommand(): void {
    this.#list = this.#usual === 1 ? [nothing] : [nothing, nothing, nothing, nothing];
    this.#count = 0;
  }

  push(outcome: ExchangeOutcome): void {
    const count = this.#count;
    this.#count = count + 1;
    if (count < this.#usual) this.#list[count] = outcome;
    else this.#list.push(outcome);
  }

  /** All of them; the caller's to keep. */
  endCommand(): readonly ExchangeOutcome[] {
    const list = this.#list;
    for (let count = this.#count; count < this.#usual; count++) list.pop();
    return list;
  }
}
