import type { OwnTrade } from '../model/event.ts';
import type { InstrumentId } from '../model/instrument.ts';
import { encodeV2Balance } from '../wire/balances.ts';
import { encodeV2HistoryOrder, encodeV2OwnTrade } from '../wire/v2/encode-orders.ts';
import { encodeV2Fee, encodeV2FeeRow } from '../wire/v2/fees.ts';
import { averagePrice } from './average-price.ts';
import type { Core } from './core.ts';
import type { DoorSetup } from './door-setup.ts';
import type { OrderRecord, OwnFill } from './order-log.ts';
import { isPurged } from './order-log.ts';
import { historyOf, pageOf } from './page.ts';
import type { Refusal } from './refusal.ts';
import { refuse } from './refusal.ts';
import type { RestRoute } from './rest-route.ts';
import { accountOf, v2Route } from './rest-route.ts';
import { feeRate, nonZeroBalances } from './standing.ts';
import { ownTradeReading } from './trade-reading.ts';
import { v2Instruments, withV2Instrument } from './v2-instruments.ts';

/** Balances, fees, and the history of orders and trades, v2. Source: API v2, "Trading and history"; v2-gaps, section 1. */
export function v2HistoryRoutes({ world: { core } }: DoorSetup): readonly RestRoute[] {
  return [
    v2Route('tradingBalances', (_params, call) =>
      nonZeroBalances(core, accountOf(call)).map(encodeV2Balance),
    ),
    v2Route('tradingFees', () =>
      v2Instruments(core).map((instrument) => encodeV2FeeRow(feeRate(instrument))),
    ),
    v2Route('tradingFee', ({ symbol }) =>
      withV2Instrument(core, symbol, (instrument) => encodeV2Fee(feeRate(instrument))),
    ),
    v2Route('orderHistory', ({ clientOrderId, symbol, page }, call) => {
      const { records } = core.log(accountOf(call));
      const now = core.now();
      if (clientOrderId !== undefined) {
        return records
          .filter((record) => record.order.clientOrderId === clientOrderId && !isPurged(record, now))
          .toReversed()
          .map((record) => orderRow(core, record));
      }
      return withFilter(core, symbol, (wanted) =>
        pageOf(historyOf(records), page, {
          numberOf: (record) => record.number,
          timeOf: (record) => record.order.createdAt,
          accepts: (record) => wanted(record.order.instrument) && !isPurged(record, now),
        }).map((record) => orderRow(core, record)),
      );
    }),
    v2Route('tradeHistory', ({ symbol, margin, page }, call) =>
      withFilter(core, symbol, (wanted) => {
        // Every trade kept here is a spot trade.
        if (margin === 'only') return [];
        const reading = ownTradeReading((row) => wanted(row.instrument));
        return pageOf(core.log(accountOf(call)).trades, page, reading).map((row) => tradeRow(core, row));
      }),
    ),
    v2Route('orderTrades', ({ orderId }, call) => {
      const log = core.log(accountOf(call));
      const id = String(orderId);
      if (log.record(id) === undefined) return refuse(20_002);
      return [...rowsOf(log.trades, id)].map((row) => tradeRow(core, row));
    }),
  ];
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

function orderRow(core: Core, { order, fills }: OrderRecord): object {
  const instrument = core.instruments.at(order.instrument);
  return encodeV2HistoryOrder(
    order,
    instrument,
    fills.length === 0 ? undefined : averagePrice(instrument, fills),
  );
}

function tradeRow(core: Core, row: OwnFill): object {
  const { instrument, clientOrderId, venueOrderId, side, fill } = row;
  const trade: OwnTrade = {
    ...fill,
    instrument,
    clientOrderId: clientOrderId as OwnTrade['clientOrderId'],
    venueOrderId,
    side,
  };
  return encodeV2OwnTrade(trade, core.instruments.at(instrument));
}

function withFilter(
  core: Core,
  symbol: string | undefined,
  run: (wanted: (id: InstrumentId) => boolean) => object,
): object | Refusal {
  if (symbol === undefined) return run(() => true);
  return withV2Instrument(core, symbol, (instrument) => run((id) => id === instrument.id));
}
