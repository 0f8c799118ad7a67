import type { OwnTrade } from '../../core/model/event.ts';
import type { OrderHistoryEntry, OwnFill } from '../orders/log.ts';
import { averagePrice, shownRecords } from '../orders/log.ts';
import type { Core } from '../core.ts';
import { symbolFilter } from './instruments.ts';
import type { AppSetup } from '../app-setup.ts';
import { historyOf, pageOf, ownTradeReading } from './page.ts';
import type { RestRoute } from './rest-route.ts';
import { accountOf, v3Route } from './rest-route.ts';
import { encodeOrder, encodeOwnTrade } from '../../venues/hitbtc/wire/resources/order-model.ts';

/** Order and trade history of v3. Source: API v3, "GET /api/3/spot/history/order". */
export function v3HistoryRoutes({ world: { core }, faults }: AppSetup): RestRoute[] {
  return [
    v3Route('spotOrderHistory', ({ symbol, clientOrderId, page }, call) => {
      const log = core.log(accountOf(call));
      const isShown = shownRecords(core.now(), faults);
      // When an id is given, every other parameter is ignored.
      if (clientOrderId !== undefined) {
        return log.records
          .filter((record) => record.order.clientOrderId === clientOrderId && isShown(record))
          .toReversed()
          .map((record) => orderRow(core, record));
      }
      const wanted = symbolFilter(core, symbol);
      return pageOf(historyOf(log.records), page, {
        numberOf: (record) => record.number,
        timeOf: (record) => record.order.createdAt,
        accepts: (record) => wanted(record.order.instrument) && isShown(record),
      }).map((record) => orderRow(core, record));
    }),
    v3Route('spotTradeHistory', ({ symbol, orderId, page }, call) => {
      const wanted = symbolFilter(core, symbol);
      const reading = ownTradeReading(
        (row) =>
          wanted(row.instrument) &&
          (orderId === undefined || row.venueOrderId === orderId) &&
          faults.historyShows(row.fill.time),
      );
      return pageOf(core.log(accountOf(call)).trades, page, reading).map((row) =>
        encodeOwnTrade('v3', ownTrade(row), core.instruments.at(row.instrument)),
      );
    }),
  ];
}

/** A row of the history has no list of trades. Source: API v3, "Spot order history entry". */
function orderRow(core: Core, { order, fills, list }: OrderHistoryEntry): object {
  const instrument = core.instruments.at(order.instrument);
  return encodeOrder('v3', order, instrument, { averagePrice: averagePrice(instrument, fills), list });
}

/** A row as the wire prints it. */
export function ownTrade(row: OwnFill): OwnTrade {
  const { instrument, clientOrderId, venueOrderId, side, fill } = row;
  return {
    ...fill,
    instrument,
    clientOrderId: clientOrderId as OwnTrade['clientOrderId'],
    venueOrderId,
    side,
  };
}
