import type { OwnTrade } from '../../core/model/event.ts';
import type { AccountId } from '../matching/index.ts';
import { marginAccountOf } from '../matching/index.ts';
import type { InstrumentId } from '../../core/model/instrument.ts';
import type { OrderHistoryEntry, OwnFill, Faults, Core, History, Refusal } from '../base/index.ts';
import {
  averagePrice,
  shownRecords,
  historyOf,
  orderPageOf,
  pageOf,
  ownTradeReading,
  refuse,
} from '../base/index.ts';
import { symbolFilter, withV2Instrument, routeAccount, v2Route, v3Route } from '../http/index.ts';
import type { RestRoute } from '../http/index.ts';
import { encodeOrder, encodeOwnTrade } from '../../venues/hitbtc/wire/resources/index.ts';

interface SpotHistoryDeps {
  readonly core: Core;
  readonly faults: Faults;
}

/** Order and trade history of v3. Source: API v3, "GET /api/3/spot/history/order". */
export function v3HistoryRoutes({ core, faults }: SpotHistoryDeps): RestRoute[] {
  return [
    v3Route('spotOrderHistory', ({ symbol, clientOrderId, page }, call) => {
      const log = core.log(routeAccount(call));
      const isShown = shownRecords(core.now(), faults);
      // When an id is given, every other parameter is ignored.
      if (clientOrderId !== undefined) {
        return log.records
          .filter((record) => record.order.clientOrderId === clientOrderId && isShown(record))
          .toReversed()
          .map((record) => v3OrderRow(core, record));
      }
      const wanted = symbolFilter(core, symbol);
      return orderPageOf(log, page, (record) => wanted(record.order.instrument) && isShown(record)).map(
        (record) => v3OrderRow(core, record),
      );
    }),
    v3Route('spotTradeHistory', ({ symbol, orderId, page }, call) => {
      const wanted = symbolFilter(core, symbol);
      const reading = ownTradeReading(
        (row) =>
          wanted(row.instrument) &&
          (orderId === undefined || row.venueOrderId === orderId) &&
          faults.historyShows(row.fill.time),
      );
      return pageOf(core.log(routeAccount(call)).trades, page, reading).map((row) =>
        encodeOwnTrade('v3', ownTradeRow(row, faults), core.instruments.at(row.instrument)),
      );
    }),
  ];
}

/** A row of the history has no list of trades. Source: API v3, "Spot order history entry". */
function v3OrderRow(core: Core, { order, fills, list }: OrderHistoryEntry): object {
  const instrument = core.instruments.at(order.instrument);
  return encodeOrder('v3', order, instrument, { averagePrice: averagePrice(instrument, fills), list });
}

/** Order and trade history of v2. Source: API v2, "Trading and history"; v2-gaps, section 1. */
export function v2HistoryRoutes(deps: SpotHistoryDeps): readonly RestRoute[] {
  const { core, faults } = deps;
  return [
    v2Route('orderHistory', ({ clientOrderId, symbol, page }, call) => {
      const log = core.log(routeAccount(call));
      const isShown = shownRecords(core.now(), faults);
      if (clientOrderId !== undefined) {
        return log.records
          .filter((record) => record.order.clientOrderId === clientOrderId && isShown(record))
          .toReversed()
          .map((record) => v2OrderRow(core, record));
      }
      return withFilter(core, symbol, (wanted) =>
        orderPageOf(log, page, (record) => wanted(record.order.instrument) && isShown(record)).map((record) =>
          v2OrderRow(core, record),
        ),
      );
    }),
    v2Route('tradeHistory', ({ symbol, margin, page }, call) =>
      withFilter(core, symbol, (wanted) => {
        const shows = (row: OwnFill) => wanted(row.instrument) && faults.historyShows(row.fill.time);
        const reading = ownTradeReading(shows);
        const rows = pageOf(tradesOf(core, routeAccount(call), margin), page, reading);
        return rows.map((row) => v2TradeRow(deps, row));
      }),
    ),
    v2Route('orderTrades', ({ orderId }, call) => {
      const id = String(orderId);
      for (const account of [routeAccount(call), marginAccountOf(routeAccount(call))]) {
        const log = core.log(account);
        if (log.record(id) !== undefined)
          return [...rowsOf(log.trades, id)].map((row) => v2TradeRow(deps, row));
      }
      return refuse(20_002);
    }),
  ];
}

/** Own trades of spot, of margin, or of both in the order of their numbers. Source: API v2, "history/trades", margin. */
function tradesOf(core: Core, account: AccountId, margin: 'include' | 'only' | 'ignore'): History<OwnFill> {
  const spot = core.log(account).trades;
  const onMargin = core.log(marginAccountOf(account)).trades;
  if (margin === 'ignore' || (margin === 'include' && onMargin.size === 0)) return spot;
  if (margin === 'only' || spot.size === 0) return onMargin;
  const both: OwnFill[] = [];
  for (let i = 0, j = 0; i < spot.size || j < onMargin.size;) {
    const left = spot.at(i);
    const right = onMargin.at(j);
    const next = right === undefined || (left !== undefined && left.number <= right.number) ? left : right;
    if (next === left) i += 1;
    else j += 1;
    both.push(next as OwnFill);
  }
  return historyOf(both);
}

/** Own trades of one order, oldest first. */
function* rowsOf(
  trades: { readonly size: number; at(index: number): OwnFill | undefined },
  venueOrderId: string,
): Iterable<OwnFill> {
  for (let i = 0; i < trades.size; i++) {
    const row = trades.at(i);
    if (row?.venueOrderId === venueOrderId) yield row;
  }
}

function v2OrderRow(core: Core, { order, fills }: OrderHistoryEntry): object {
  const instrument = core.instruments.at(order.instrument);
  return encodeOrder('v2', order, instrument, {
    averagePrice: fills.length === 0 ? undefined : averagePrice(instrument, fills),
  });
}

function v2TradeRow({ core, faults }: SpotHistoryDeps, row: OwnFill): object {
  const object = encodeOwnTrade('v2', ownTradeRow(row, faults), core.instruments.at(row.instrument));
  return row.margin === undefined ? object : { ...object, liquidation: row.margin.liquidation };
}

function withFilter(
  core: Core,
  symbol: string | undefined,
  run: (wanted: (id: InstrumentId) => boolean) => object,
): object | Refusal {
  if (symbol === undefined) return run(() => true);
  return withV2Instrument(core, symbol, (instrument) => run((id) => id === instrument.id));
}

/** A row as the wire prints it. */
export function ownTradeRow(row: OwnFill, faults: Pick<Faults, 'historyFee'>): OwnTrade {
  const { instrument, clientOrderId, venueOrderId, side, fill } = row;
  return {
    ...fill,
    fee: faults.historyFee(fill.fee),
    instrument,
    clientOrderId: clientOrderId as OwnTrade['clientOrderId'],
    venueOrderId,
    side,
  };
}
