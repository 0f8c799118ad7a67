import { microsPerSecond } from '../../../../core/base/clock.ts';
import { BadInput } from '../../../../core/base/errors.ts';
import type { OwnTrade, ReportType } from '../../../../core/model/event.ts';
import type { Instrument, Instruments, Lots, Ticks } from '../../../../core/model/instrument.ts';
import type { ListMark } from '../../../../core/model/order-list.ts';
import { needsPrice, needsStopPrice } from '../../../../core/model/order.ts';
import type { ClientOrderId, Fill, VenueOrder } from '../../../../core/model/order.ts';
import { readPrice, readSize } from '../plain.ts';
import type { RowOf, WireVersion } from '../resource.ts';
import { decodeMarginMark } from './margin-model.ts';
import {
  execution,
  order as orders,
  ownTrade,
  report as reports,
  tradedOrder,
  tradedReport,
} from './order.ts';

// Orders, reports and own trades between the wire and the model: read onto the grid of an instrument, and printed from it.

/** A report of the trading socket, or an order of a REST reply, as the model has it. */
export interface DecodedReport {
  readonly reportType: ReportType;
  readonly order: VenueOrder;
  /** There exactly when `reportType` is `trade`. */
  readonly fill: Fill | undefined;
  /** There when the order belongs to a list. */
  readonly list?: ListMark | undefined;
}

/** Members that a server adds to an order in a REST reply. */
export interface OrderExtras {
  /** The average price of the executions, as plain decimal text. */
  readonly averagePrice?: string | undefined;
  readonly fills?: readonly Fill[] | undefined;
  readonly list?: ListMark | undefined;
}

/** An order of a REST reply, also a history row. Throws `BadInput` naming the member. */
export function decodeOrder(version: WireVersion, json: unknown, instruments: Instruments): VenueOrder {
  return withMargin(json, orderOf(version, tradedOrder[version].decode(json), instruments));
}

/**
 * A report of the trading socket. Replies of order lists carry no report type and read as `status`. v2 does not say who
 * was taker: a rebate or a post-only order was maker, everything else counts as taker.
 * Throws `BadInput` naming the member and what was expected. Source: v3-gaps, section 2.3; API v2, "Socket order report".
 */
export function decodeReport(version: WireVersion, json: unknown, instruments: Instruments): DecodedReport {
  const row: OrderRow & { readonly reportType: ReportType } = tradedReport[version].decode(json);
  const order = withMargin(json, orderOf(version, row, instruments));
  const { reportType, contingency, inactive } = row;
  const list = contingency === undefined ? {} : { list: { contingency, inactive: inactive === true } };
  if (reportType !== 'trade') return { reportType, order, fill: undefined, ...list };
  const trade: RowOf<typeof execution.fields, 'v3'> = execution[version].decode(json);
  const instrument = instruments.at(order.instrument);
  const names = execution.fields;
  const fill = {
    tradeId: trade.tradeId,
    price: ticksOf(instrument, trade.tradePrice, names.tradePrice[version]),
    quantity: lotsOf(instrument, trade.tradeQuantity, names.tradeQuantity[version]),
    fee: trade.tradeFee,
    taker: trade.tradeTaker ?? (version === 'v3' || (trade.tradeFee >= 0n && !order.postOnly)),
    time: order.updatedAt,
    ...(trade.tradePositionId !== undefined && { positionId: Number(trade.tradePositionId) }),
  };
  return { reportType, order, fill, ...list };
}

/** A row of the own trade history. Throws `BadInput` naming the member. */
export function decodeOwnTrade(version: WireVersion, json: unknown, instruments: Instruments): OwnTrade {
  const row = ownTrade[version].decode(json);
  const instrument = instruments.get(row.symbol);
  return {
    tradeId: row.tradeId,
    price: ticksOf(instrument, row.price, 'price'),
    quantity: lotsOf(instrument, row.quantity, 'quantity'),
    fee: row.fee,
    taker: row.taker ?? (version === 'v3' || row.fee >= 0n),
    time: row.time,
    instrument: instrument.id,
    clientOrderId: row.clientOrderId as ClientOrderId,
    venueOrderId: row.venueOrderId,
    side: row.side,
    // Of a spot trade it is absent or 0.
    ...(Number(row.positionId ?? 0) > 0 && { positionId: Number(row.positionId) }),
  };
}

/** An order as a REST reply or a history shows it. */
export function encodeOrder(
  version: WireVersion,
  order: VenueOrder,
  instrument: Instrument,
  extras: OrderExtras = {},
): object {
  const { averagePrice, fills, list } = extras;
  return orders[version].write(
    {
      ...modelOf(version, order, instrument, list),
      averagePrice,
      // Version 2 shows neither who took nor the position. Source: v2-gaps, section 1 (`tradesReport`).
      fills: fills?.map((fill) => ({
        ...fill,
        positionId: version === 'v3' ? idText(fill.positionId) : undefined,
        taker: version === 'v3' ? fill.taker : undefined,
      })),
    },
    instrument,
  );
}

/** A report as the trading socket shows it. Source: v3-gaps, section 2.3; API v2, "Socket order report". */
export function encodeReport(version: WireVersion, report: DecodedReport, instrument: Instrument): object {
  const { order, reportType, fill, list } = report;
  return reports[version].write(
    {
      ...modelOf(version, order, instrument, list),
      reportType:
        reportType === 'expired' && version === 'v2' && endsAsTaker(order) ? 'canceled' : reportType,
      tradeId: fill?.tradeId,
      tradeQuantity: fill?.quantity,
      tradePrice: fill?.price,
      tradeFee: fill?.fee,
      tradeTaker: fill?.taker,
    },
    instrument,
  );
}

/** Reports as wire objects. */
export function encodeReports(
  version: WireVersion,
  reports: readonly DecodedReport[],
  instruments: Instruments,
): readonly object[] {
  return reports.map((report) => encodeReport(version, report, instruments.at(report.order.instrument)));
}

/** A row of the own trade history. */
export function encodeOwnTrade(version: WireVersion, trade: OwnTrade, instrument: Instrument): object {
  const positionId = idText(trade.positionId);
  return ownTrade[version].write({ ...trade, positionId, symbol: instrument.symbol }, instrument);
}

function idText(id: number | undefined): string | undefined {
  return id === undefined ? undefined : String(id);
}

type OrderRow = RowOf<typeof tradedOrder.fields, 'v3'>;

function orderOf(version: WireVersion, row: OrderRow, instruments: Instruments): VenueOrder {
  const instrument = instruments.get(row.symbol);
  const names = tradedOrder.fields;
  const { type, clientOrderId } = row;
  const cumulative = lotsOf(instrument, row.cumulative, names.cumulative[version]);
  const quantity = lotsOf(instrument, row.quantity, 'quantity');
  if (cumulative > quantity) {
    throw new BadInput(
      `${version} order ${clientOrderId}: member ${names.cumulative[version]}: expected at most ${row.quantity}, found ${row.cumulative}`,
    );
  }
  const ticks = (text: string | undefined, member: string) =>
    ticksOf(instrument, needed(text, member), member);
  return {
    clientOrderId: clientOrderId as ClientOrderId,
    instrument: instrument.id,
    side: row.side,
    type,
    timeInForce: row.timeInForce,
    quantity,
    // History shows the execution price of market orders, which have no price of their own (v3-gaps, section 7).
    price: needsPrice(type) ? ticks(row.price, 'price') : undefined,
    stopPrice: needsStopPrice(type) ? ticks(row.stopPrice, names.stopPrice[version]) : undefined,
    expireTime: row.expireTime,
    postOnly: row.postOnly,
    venueOrderId: row.venueOrderId,
    state: row.state,
    cumulative,
    originalClientOrderId: row.originalClientOrderId as ClientOrderId | undefined,
    orderListId: row.orderListId,
    createdAt: row.createdAt,
    updatedAt: row.updatedAt,
  };
}

/** The order, with what margin adds to it. */
function withMargin(json: unknown, order: VenueOrder): VenueOrder {
  const margin = decodeMarginMark(json);
  return margin === undefined ? order : { ...order, margin };
}

function needed(text: string | undefined, member: string): string {
  if (text === undefined)
    throw new BadInput(`member ${member}: expected a price for this order type, found none`);
  return text;
}

function modelOf(
  version: WireVersion,
  order: VenueOrder,
  { symbol }: Instrument,
  list: ListMark | undefined,
): VenueOrder & { readonly symbol: string } & Partial<ListModel> {
  return {
    ...order,
    symbol,
    state: version === 'v2' && endsAsTaker(order) ? 'canceled' : order.state,
    ...(list !== undefined && {
      contingency: list.contingency,
      inactive: list.inactive ? true : undefined,
    }),
  };
}

type ListModel = { readonly [Name in keyof ListMark]: ListMark[Name] | undefined };

const day = 86_400 * microsPerSecond;
const dayEnd = day - 60 * microsPerSecond;

/**
 * Whether a post-only order expired because it would have taken: v2 calls that canceled. Whatever else expires has come to
 * the end of its time. Source: API v2, "Socket order report", postOnly.
 */
function endsAsTaker({
  state,
  postOnly,
  timeInForce,
  createdAt,
  updatedAt,
  expireTime,
}: VenueOrder): boolean {
  if (state !== 'expired' || !postOnly) return false;
  if (timeInForce === 'GTD') return expireTime === undefined || updatedAt < expireTime;
  if (timeInForce === 'Day') return updatedAt === createdAt || updatedAt % day < dayEnd;
  return timeInForce === 'GTC';
}

// Prices and quantities of account messages: on the grid, or refused with the member's name.

/** A quantity; throws `BadInput` naming `member` when it is off the increment. */
export function lotsOf(instrument: Instrument, text: string, member: string): Lots {
  const lots = readSize(instrument, text);
  if (lots >= 0) return lots;
  throw new BadInput(
    `member ${member} of ${instrument.symbol}: expected a multiple of ${instrument.spec.quantityIncrement}, found ${JSON.stringify(text.slice(0, 60))}`,
  );
}

/** A price; throws `BadInput` naming `member` when it is off the tick or not above zero. */
export function ticksOf(instrument: Instrument, text: string, member: string): Ticks {
  const ticks = readPrice(instrument, text);
  if (ticks > 0) return ticks;
  throw new BadInput(
    `member ${member} of ${instrument.symbol}: expected a positive multiple of ${instrument.spec.tickSize}, found ${JSON.stringify(text.slice(0, 60))}`,
  );
}
