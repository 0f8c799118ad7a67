import type { Instrument } from '../../core/model/instrument.ts';
import type { ReportOutcome } from '../matching/outcome.ts';
import type { AppSetup } from '../server/app-setup.ts';
import { Refusal, refuse, written } from '../base/refusal.ts';
import type { RouteCall, RestResult, RestRoute } from '../http/rest-route.ts';
import { accountOf, v2Route } from '../http/rest-route.ts';
import { withOptionalV2Instrument, withV2Instrument } from '../http/instruments.ts';
import { encodeOrder } from '../../venues/hitbtc/wire/resources/order-model.ts';

const atMarket = { text: undefined, strict: false };

/** Margin trading of v2. Source: v2-gaps, section 2. */
export function v2MarginRoutes(app: AppSetup): readonly RestRoute[] {
  return [...accountRoutes(app), ...closingRoutes(app), ...positionRoutes(app), ...orderRoutes(app)];
}

function isolated(instrument: Instrument) {
  return { mode: 'isolated' as const, instrument, currency: instrument.spec.quoteCurrency };
}

function viewsOf({ world: { marginService } }: AppSetup, call: RouteCall) {
  return marginService.margin.accounts(accountOf(call)).filter(({ mode }) => mode === 'isolated');
}

function accountRoutes(app: AppSetup): RestRoute[] {
  const { core, marginService } = app.world;
  const service = marginService.margin;
  return [
    v2Route('marginAccounts', (_params, call) =>
      viewsOf(app, call).map((view) => service.objects.v2.account(view)),
    ),
    v2Route('marginAccount', ({ symbol }, call) =>
      withV2Instrument(core, symbol, (instrument) => {
        const view = service.account(accountOf(call), isolated(instrument));
        return view === undefined ? refuse(20_032) : service.objects.v2.account(view);
      }),
    ),
    v2Route('marginSetAccount', (params, call) =>
      withV2Instrument(core, params.instrument, ({ symbol }) => {
        const changed = service.setAccount(accountOf(call), { ...params, instrument: symbol });
        return written(changed, ({ view }) => service.objects.v2.account(view));
      }),
    ),
  ];
}

/** Closing an account closes its position at market first. */
function closingRoutes(app: AppSetup): RestRoute[] {
  const { core, marginService, orders } = app.world;
  const service = marginService.margin;
  const close = (call: RouteCall, instrument: Instrument): object => {
    const account = accountOf(call);
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
      viewsOf(app, call).flatMap(({ instrument }) => {
        const closed = instrument === undefined ? undefined : close(call, core.instruments.at(instrument));
        return closed === undefined || closed instanceof Refusal ? [] : [closed];
      }),
    ),
  ];
}

function positionRoutes(app: AppSetup): RestRoute[] {
  const { core, marginService } = app.world;
  const service = marginService.margin;
  return [
    v2Route('marginPositions', (_params, call) =>
      viewsOf(app, call).flatMap(({ positions }) =>
        positions.map((position) => service.objects.v2.position(position)),
      ),
    ),
    v2Route('marginPosition', ({ symbol }, call) =>
      withV2Instrument(core, symbol, (instrument) => {
        const [position] = service.account(accountOf(call), isolated(instrument))?.positions ?? [];
        return position === undefined ? refuse(20_032) : service.objects.v2.position(position);
      }),
    ),
    v2Route('marginClosePositions', (_params, call) =>
      service.closeAll(accountOf(call)).map((position) => service.objects.v2.position(position)),
    ),
    v2Route('marginClosePosition', ({ symbol, price, strictValidate }, call) =>
      withV2Instrument(core, symbol, (instrument) => {
        const how = { text: price, strict: strictValidate };
        const closed = service.close(accountOf(call), isolated(instrument), how);
        return written(closed, (position) => [service.objects.v2.position(position)]);
      }),
    ),
  ];
}

function orderRoutes(app: AppSetup): RestRoute[] {
  const { core, marginService, orders, v2Orders } = app.world;
  const service = marginService.margin;
  const owner = (call: RouteCall) => service.product.of(accountOf(call));
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
        placed(call, v2Orders.placeOnMargin(accountOf(call), { ...params, symbol })),
      ),
    ),
    v2Route('marginPutOrder', (params, call) =>
      withV2Instrument(core, params.symbol, ({ symbol }) =>
        placed(call, v2Orders.placeOnMargin(accountOf(call), { ...params, symbol })),
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
