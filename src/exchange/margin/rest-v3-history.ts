import type { AccountId } from '../matching/index.ts';
import { feeText } from '../../venues/hitbtc/wire/index.ts';
import type { OrderHistoryEntry, Core, Faults, PageQuery } from '../base/index.ts';
import { averagePrice, shownRecords, orderPageOf, pageOf, ownTradeReading } from '../base/index.ts';
import { symbolFilter, routeAccount, v3Route } from '../http/index.ts';
import { ownTradeRow } from '../orders/index.ts';
import type { RestRoute } from '../http/index.ts';
import type { MarginService, PositionRow } from './service.ts';
import type { MarginProductService } from './product-service.ts';
import { encodeOrder, encodeOwnTrade } from '../../venues/hitbtc/wire/resources/index.ts';

interface MarginHistoryDeps {
  readonly core: Core;
  readonly marginService: MarginService;
  readonly faults: Faults;
}

/** Orders, trades, positions and clearing of a product account. Source: v3-gaps, section 8. */
export function marginHistoryRoutes(
  deps: MarginHistoryDeps,
  service: MarginProductService,
  prefix: 'margin' | 'futures',
): RestRoute[] {
  const { core, faults } = deps;
  const { instruments } = core;
  const orderRow = ({ order, fills, list, margin }: OrderHistoryEntry): object => {
    const instrument = instruments.at(order.instrument);
    const row = encodeOrder('v3', order, instrument, { averagePrice: averagePrice(instrument, fills), list });
    return { ...row, ...service.objects.v3.orderMembers(margin) };
  };
  return [
    ...positionRoutes(deps, service, prefix),
    v3Route(`${prefix}OrderHistory`, ({ symbol, clientOrderId, page }, call) => {
      const log = core.log(service.product.of(routeAccount(call)));
      const isShown = shownRecords(core.now(), faults);
      if (clientOrderId !== undefined) {
        return log.records
          .filter((record) => record.order.clientOrderId === clientOrderId && isShown(record))
          .toReversed()
          .map(orderRow);
      }
      const accepts = symbolFilter(core, symbol);
      return orderPageOf(log, page, (record) => accepts(record.order.instrument) && isShown(record)).map(
        orderRow,
      );
    }),
    v3Route(`${prefix}TradeHistory`, ({ symbol, orderId, positionId, page }, call) => {
      const accepts = symbolFilter(core, symbol);
      const reading = ownTradeReading(
        ({ instrument, venueOrderId, fill }) =>
          accepts(instrument) &&
          faults.historyShows(fill.time) &&
          (orderId === undefined || venueOrderId === orderId) &&
          (positionId === undefined || String(fill.positionId) === positionId),
      );
      return pageOf(core.log(service.product.of(routeAccount(call))).trades, page, reading).map((row) => ({
        ...encodeOwnTrade('v3', ownTradeRow(row, faults), instruments.at(row.instrument)),
        pnl: feeText(row.margin?.pnl ?? (0n as never)),
        liquidation: row.margin?.liquidation ?? false,
      }));
    }),
  ];
}

function positionRoutes(
  { core, marginService }: MarginHistoryDeps,
  service: MarginProductService,
  prefix: 'margin' | 'futures',
): RestRoute[] {
  /** A position has a row for each of its executions: rows go by their own numbers, and bounds are ids of positions. */
  const rowsOf = (account: AccountId, page: PageQuery, isShown: (row: PositionRow) => boolean): object[] => {
    const { from = 0, till = Infinity } = page.by === 'id' ? page : {};
    return pageOf(
      marginService.history(service.product.of(account)),
      page.by === 'id' ? { ...page, from: undefined, till: undefined } : page,
      {
        numberOf: (row) => row.number,
        timeOf: (row) => row.position.updatedAt,
        accepts: (row) => row.position.id >= from && row.position.id <= till && isShown(row),
      },
    ).map(positionRow);
  };
  const positionRow = ({ position, reason }: PositionRow): object => ({
    ...service.objects.v3.position(position),
    report_reason: reason,
  });
  return [
    v3Route(`${prefix}PositionHistory`, ({ symbol, page }, call) => {
      const accepts = symbolFilter(core, symbol);
      return rowsOf(routeAccount(call), page, (row) => accepts(row.position.instrument));
    }),
    // What is cleared by the exchange itself: positions it has liquidated, and those of contracts it has settled.
    v3Route(`${prefix}ClearingHistory`, ({ symbol, page }, call) => {
      const accepts = symbolFilter(core, symbol);
      return rowsOf(routeAccount(call), page, (row) => row.cleared && accepts(row.position.instrument));
    }),
  ];
}
