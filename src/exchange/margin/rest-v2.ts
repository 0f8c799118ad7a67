import type { Instrument } from '../../core/model/instrument.ts';
import type { ReportOutcome } from '../matching/index.ts';
import type { Core } from '../base/index.ts';
import type { OrderService } from '../orders/index.ts';
import type { MarginService } from './service.ts';
import type { V2Orders } from './v2-orders.ts';
import { Refusal, refuse, written } from '../base/index.ts';
import type { RouteCall, RestResult, RestRoute } from '../http/index.ts';
import { routeAccount, v2Route, withOptionalV2Instrument, withV2Instrument } from '../http/index.ts';
import { encodeOrder } from '../../venues/hitbtc/wire/resources/index.ts';

interface V2MarginRouteDeps {
  readonly core: Core;
  readonly orders: OrderService;
  readonly marginService: MarginService;
  readonly v2Orders: V2Orders;
}

const atMarket = { text: undefined, strict: false };

/** Margin trading of v2. Source: v2-gaps, section 2. */
export function v2MarginRoutes(deps: V2MarginRouteDeps): readonly RestRoute[] {
  return [...accountRoutes(deps), ...closingRoutes(deps), ...positionRoutes(deps), ...orderRoutes(deps)];
}

function isolated(instrument: Instrument) {
  return { mode: 'isolated' as const, instrument, currency: instrument.spec.quoteCurrency };
}

function viewsOf({ marginService }: V2MarginRouteDeps, call: RouteCall) {
  return marginService.margin.accounts(routeAccount(call)).filter(({ mode }) => mode === 'isolated');
}

function accountRoutes(deps: V2MarginRouteDeps): RestRoute[] {
  const { core, marginService } = deps;
  const service = marginService.margin;
  return [
    v2Route('marginAccounts', (_params, call) =>
      viewsOf(deps, call).map((view) => service.objects.v2.account(view)),
    ),
    v2Route('marginAccount', ({ symbol }, call) =>
      withV2Instrument(core, symbol, (instrument) => {
        const view = service.account(routeAccount(call), isolated(instrument));
        return view === undefined ? refuse(20_032) : service.objects.v2.account(view);
      }),
    ),
    v2Route('marginSetAccount', (params, call) =>
      withV2Instrument(core, params.instrument, ({ symbol }) => {
        const changed = service.setAccount(routeAccount(call), { ...params, instrument: symbol });
        return written(changed, ({ view }) => service.objects.v2.account(view));
      }),
    ),
  ];
}

/** Closing an account closes its position at market first. */
function closingRoutes(deps: V2MarginRouteDeps): RestRoute[] {
  const { core, marginService, orders } = deps;
  const service = marginService.margin;
  const close = (call: RouteCall, instrument: Instrument): object => {
    const account = routeAccount(call);
    orders.cancelAll(service.product.of(account), instrument);
    service.close(account, isolated(instrument), atMarket);
    const zero = { marginMode: 'isolated', instrument: instrument.symbol, marginBalance: '0' };
    const closed = service.setAccount(account, { ...zero, leverage: undefined, strictValidate: false });
    return written(closed, ({ view }) => service.objects.v2.account(view));
  };
  return [
    v2Route('marginCloseAccount', ({ symbol }, call) =>
      withV2Instrument(core, symbol, (instrument) => close(call, instrument)),
    ),
    v2Route('marginCloseAccounts', (_params, call) =>
      viewsOf(deps, call).flatMap(({ instrument }) => {
        const closed = instrument === undefined ? undefined : close(call, core.instruments.at(instrument));
        return closed === undefined || closed instanceof Refusal ? [] : [closed];
      }),
    ),
  ];
}

function positionRoutes(deps: V2MarginRouteDeps): RestRoute[] {
  const { core, marginService } = deps;
  const service = marginService.margin;
  return [
    v2Route('marginPositions', (_params, call) =>
      viewsOf(deps, call).flatMap(({ positions }) =>
        positions.map((position) => service.objects.v2.position(position)),
      ),
    ),
    v2Route('marginPosition', ({ symbol }, call) =>
      withV2Instrument(core, symbol, (instrument) => {
        const [position] = service.account(routeAccount(call), isolated(instrument))?.positions ?? [];
        return position === undefined ? refuse(20_032) : service.objects.v2.position(position);
      }),
    ),
    v2Route('marginClosePositions', (_params, call) =>
      service.closeAll(routeAccount(call)).map((position) => service.objects.v2.position(position)),
    ),
    v2Route('marginClosePosition', ({ symbol, price, strictValidate }, call) =>
      withV2Instrument(core, symbol, (instrument) => {
        const how = { text: price, strict: strictValidate };
        const closed = service.close(routeAccount(call), isolated(instrument), how);
        return written(closed, (position) => [service.objects.v2.position(position)]);
      }),
    ),
  ];
}

function orderRoutes(deps: V2MarginRouteDeps): RestRoute[] {
  const { core, marginService, orders, v2Orders } = deps;
  const service = marginService.margin;
  const owner = (call: RouteCall) => service.product.of(routeAccount(call));
  const object = ({ order }: Pick<ReportOutcome, 'order'>) =>
    encodeOrder('v2', order, core.instruments.at(order.instrument));
  const placed = (call: RouteCall, outcome: ReportOutcome | Refusal): RestResult => {
    if (outcome instanceof Refusal) return outcome;
    const { order } = outcome;
    const fills = core.log(owner(call)).record(order.venueOrderId)?.fills ?? [];
    return encodeOrder(
      'v2',
      order,
      core.instruments.at(order.instrument),
      fills.length === 0 ? {} : { fills },
    );
  };
  return [
    v2Route('marginOrders', ({ symbol }, call) =>
      withOptionalV2Instrument(core, symbol, (instrument) =>
        core.exchange.activeOrders(owner(call), instrument?.id).map((order) => object({ order })),
      ),
    ),
    v2Route('marginOrder', ({ clientOrderId }, call) => {
      const order = core.exchange.order(owner(call), clientOrderId);
      return order === undefined ? refuse(20_002) : object({ order });
    }),
    v2Route('marginNewOrder', (params, call) =>
      withV2Instrument(core, params.symbol, ({ symbol }) =>
        placed(call, v2Orders.placeOnMargin(routeAccount(call), { ...params, symbol })),
      ),
    ),
    v2Route('marginPutOrder', (params, call) =>
      withV2Instrument(core, params.symbol, ({ symbol }) =>
        placed(call, v2Orders.placeOnMargin(routeAccount(call), { ...params, symbol })),
      ),
    ),
    v2Route('marginCancelOrder', ({ clientOrderId }, call) => {
      const canceled = orders.cancel(owner(call), clientOrderId);
      return canceled instanceof Refusal ? canceled : object(canceled);
    }),
    v2Route('marginCancelOrders', ({ symbol }, call) =>
      withOptionalV2Instrument(core, symbol, (instrument) =>
        orders.cancelAll(owner(call), instrument).map(object),
      ),
    ),
  ];
}
