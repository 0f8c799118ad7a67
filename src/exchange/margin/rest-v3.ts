import type { Instrument } from '../../core/model/instrument.ts';
import type { ShownMarginRule } from './rules.ts';
import type { ReportOutcome, AccountId } from '../matching/index.ts';
import type { VenueOrder } from '../../core/model/order.ts';
import {
  marginConfig,
  marginSetting,
  encodeOrder,
  feeRates,
  spotBalance,
  spotBalanceOfCurrency,
  withMargin,
} from '../../venues/hitbtc/wire/resources/index.ts';
import {
  averagePrice,
  Refusal,
  refuse,
  currencyNotFound,
  badParameter,
  written,
  feeRate,
  nonZeroBalances,
  tradingBalance,
} from '../base/index.ts';
import type { Core, Faults } from '../base/index.ts';
import type { OrderService } from '../orders/index.ts';
import type { MarginService } from './service.ts';
import type { RouteCall, RestRoute, RestResult } from '../http/index.ts';
import { routeAccount, v3Route } from '../http/index.ts';
import type { MarginProductService, MarginTarget } from './product-service.ts';
import { marginHistoryRoutes } from './rest-v3-history.ts';

interface V3MarginRouteDeps {
  readonly core: Core;
  readonly orders: OrderService;
  readonly marginService: MarginService;
  readonly faults: Faults;
  readonly currencyCodes: ReadonlySet<string>;
}

/** Margin and futures trading of v3. Source: API v3, "Margin"; v3-gaps, section 8. */
export function v3MarginRoutes(deps: V3MarginRouteDeps): readonly RestRoute[] {
  const { margin, futures } = deps.marginService;
  return [
    ...routesOf(deps, margin, 'margin'),
    ...routesOf(deps, futures, 'futures'),
    ...v3FuturesBalanceRoutes(deps),
    ...v3MarginSettingsRoutes(deps),
    ...marginHistoryRoutes(deps, margin, 'margin'),
    ...marginHistoryRoutes(deps, futures, 'futures'),
  ];
}

type Prefix = 'margin' | 'futures';

function routesOf(deps: V3MarginRouteDeps, service: MarginProductService, prefix: Prefix): RestRoute[] {
  return [
    ...accountRoutes(deps, service, prefix),
    ...positionRoutes(service, prefix),
    ...orderRoutes(deps, service, prefix),
    ...placingRoutes(deps, service, prefix),
    amrRoute(service, prefix),
  ];
}

function accountRoutes(
  { core, marginService }: V3MarginRouteDeps,
  service: MarginProductService,
  prefix: Prefix,
): RestRoute[] {
  const { instruments } = core;
  const one = (mode: 'isolated' | 'cross', name: string, call: RouteCall): object => {
    const target = service.target(mode, name);
    if (target instanceof Refusal) return target;
    const view = service.account(routeAccount(call), target);
    return view === undefined ? refuse(20_032) : service.objects.v3.account(view);
  };
  return [
    v3Route(`${prefix}Accounts`, (_params, call) =>
      service.accounts(routeAccount(call)).map((view) => service.objects.v3.account(view)),
    ),
    v3Route(`${prefix}IsolatedAccount`, ({ symbol }, call) => one('isolated', symbol, call)),
    v3Route(`${prefix}CrossAccount`, ({ currency }, call) => one('cross', currency, call)),
    v3Route(`${prefix}SetAccount`, (params, call) => {
      const changed = service.setAccount(routeAccount(call), params);
      return written(changed, ({ view }) => service.objects.v3.account(view));
    }),
    v3Route(`${prefix}Config`, () => ({
      config: instruments.all.flatMap((instrument) => {
        const rule = marginService.rules.get(instrument.id);
        return rule === undefined || !service.product.trades(instrument) ? [] : [configOf(instrument, rule)];
      }),
    })),
  ];
}

function positionRoutes(service: MarginProductService, prefix: Prefix): RestRoute[] {
  return [
    v3Route(`${prefix}ClosePositions`, (_params, call) =>
      service.closeAll(routeAccount(call)).map((position) => service.objects.v3.position(position)),
    ),
    v3Route(`${prefix}ClosePosition`, ({ marginMode, symbol, price, strictValidate }, call) => {
      if (marginMode !== 'isolated' && marginMode !== 'cross') return refuse(2_024);
      const instrument = service.instrument(symbol);
      if (instrument instanceof Refusal) return instrument;
      const where = { mode: marginMode, instrument } as const;
      const closed = service.close(routeAccount(call), where, { text: price, strict: strictValidate });
      return written(closed, (position) => service.objects.v3.position(position));
    }),
  ];
}

function orderRoutes(deps: V3MarginRouteDeps, service: MarginProductService, prefix: Prefix): RestRoute[] {
  const { core, orders } = deps;
  const object = (call: RouteCall, order: VenueOrder) =>
    orderObject(deps, service, routeAccount(call), order);
  const owner = (call: RouteCall) => service.product.of(routeAccount(call));
  return [
    v3Route(`${prefix}ActiveOrders`, ({ symbol }, call) => {
      const instrument = symbol === undefined ? undefined : service.instrument(symbol);
      if (instrument instanceof Refusal) return instrument;
      return core.exchange.activeOrders(owner(call), instrument?.id).map((order) => object(call, order));
    }),
    v3Route(`${prefix}ActiveOrder`, ({ clientOrderId }, call) => {
      const order = core.exchange.order(owner(call), clientOrderId);
      return order === undefined ? refuse(20_002) : object(call, order);
    }),
    v3Route(`${prefix}CancelOrder`, ({ clientOrderId }, call) => {
      const canceled = orders.cancel(owner(call), clientOrderId);
      return canceled instanceof Refusal ? canceled : object(call, canceled.order);
    }),
    v3Route(`${prefix}CancelOrders`, ({ symbol }, call) => {
      const instrument = symbol === undefined ? undefined : service.instrument(symbol);
      if (instrument instanceof Refusal) return instrument;
      return orders.cancelAll(owner(call), instrument).map(({ order }) => object(call, order));
    }),
  ];
}

function placingRoutes(deps: V3MarginRouteDeps, service: MarginProductService, prefix: Prefix): RestRoute[] {
  const answer = (call: RouteCall, placed: ReportOutcome | Refusal): object =>
    placed instanceof Refusal ? placed : orderObject(deps, service, routeAccount(call), placed.order);
  return [
    v3Route(`${prefix}NewOrder`, (params, call) => answer(call, service.place(routeAccount(call), params))),
    v3Route(`${prefix}NewOrderList`, (params, call) => {
      const placed = service.placeList(routeAccount(call), params);
      if (placed instanceof Refusal) return placed;
      return placed.map(({ order }) => orderObject(deps, service, routeAccount(call), order, 'listed'));
    }),
    v3Route(`${prefix}ReplaceOrder`, (params, call) =>
      answer(call, deps.orders.replace(service.product.of(routeAccount(call)), params)),
    ),
  ];
}

/** An order with what margin adds to it; its executions name their position. */
function orderObject(
  { core }: V3MarginRouteDeps,
  service: MarginProductService,
  account: AccountId,
  order: VenueOrder,
  form: 'single' | 'listed' = 'single',
): object {
  const record = core.log(service.product.of(account)).record(order.venueOrderId);
  const instrument = core.instruments.at(order.instrument);
  const fills = record?.fills ?? [];
  const average = averagePrice(instrument, fills);
  const withFills = form === 'single' && fills.length > 0;
  const encoded = encodeOrder('v3', order, instrument, {
    averagePrice: average,
    list: record?.list,
    ...(withFills && { fills }),
  });
  return { ...encoded, ...service.objects.v3.orderMembers(record?.margin) };
}

/** Balances and fees of contracts. Source: v3-gaps, section 8. */
function v3FuturesBalanceRoutes({ core, marginService, currencyCodes }: V3MarginRouteDeps): RestRoute[] {
  const { futures } = marginService;
  return [
    v3Route('futuresBalances', (_params, call) =>
      nonZeroBalances(core, futures.product.of(routeAccount(call))).map((one) =>
        spotBalance.v3.write(withMargin(one)),
      ),
    ),
    v3Route('futuresBalance', ({ currency }, call) =>
      currencyCodes.has(currency)
        ? spotBalanceOfCurrency.v3.write(
            withMargin(tradingBalance(core, futures.product.of(routeAccount(call)), currency)),
          )
        : currencyNotFound(),
    ),
    v3Route('futuresFees', () =>
      core.instruments.all
        .filter((instrument) => futures.product.trades(instrument))
        .map((instrument) => feeRates.v3.write(feeRate(instrument))),
    ),
    v3Route('futuresFee', ({ symbol }) => {
      const instrument = futures.instrument(symbol);
      return instrument instanceof Refusal ? instrument : feeRates.v3.write(feeRate(instrument));
    }),
  ];
}

/** Routes of what margin accounts do by themselves. Source: v3-gaps, section 8; members: docs/assumptions.md. */
function v3MarginSettingsRoutes({ core, marginService }: V3MarginRouteDeps): RestRoute[] {
  const { margin } = marginService;
  return [
    v3Route('marginSettings', (_params, call) =>
      margin.accounts(routeAccount(call)).map(({ mode, instrument, currency, amr, auto }) =>
        marginSetting.v3.write({
          marginMode: mode,
          symbol: instrument === undefined ? null : core.instruments.at(instrument).symbol,
          currency: instrument === undefined ? currency : null,
          amr,
          amm: auto,
        }),
      ),
    ),
    v3Route('marginAmm', ({ amm, ...meant }, call) =>
      switched(margin, meant, (target) => {
        const refusal = margin.setAuto(routeAccount(call), target, amm);
        return refusal ?? { amr: margin.account(routeAccount(call), target)?.amr ?? false, amm };
      }),
    ),
  ];
}

/** Automatic margin replenishment of one product. Source: API v3, "PUT /api/3/futures/margin-settings/amr". */
function amrRoute(service: MarginProductService, prefix: 'margin' | 'futures'): RestRoute {
  return v3Route(`${prefix}Amr`, ({ amr, ...meant }, call) =>
    switched(service, meant, (target) => service.setAmr(routeAccount(call), target, amr) ?? { amr }),
  );
}

interface Meant {
  readonly marginMode: string;
  readonly symbol?: string | undefined;
  readonly currency?: string | undefined;
}

/** The state after a switch, with the account that was meant. Source: API v3, "PUT /api/3/futures/margin-settings/amr". */
function switched(
  service: MarginProductService,
  { marginMode, symbol, currency }: Meant,
  set: (target: MarginTarget) => Refusal | { readonly amr: boolean; readonly amm?: boolean },
): RestResult {
  const isCross = marginMode === 'cross';
  const [needed, other] = isCross ? (['currency', 'symbol'] as const) : (['symbol', 'currency'] as const);
  const given = { symbol, currency };
  const target = service.target(marginMode, given[needed] ?? '');
  const isMode = !(target instanceof Refusal) || target.error.code !== 2_024;
  if (isMode && given[needed] === undefined) return badParameter(needed, 'Parameter is required');
  if (isMode && given[other] !== undefined)
    return badParameter(other, `Must be omitted when margin_mode is ${marginMode}`);
  if (target instanceof Refusal) return target;
  const state = set(target);
  if (state instanceof Refusal) return state;
  return marginSetting.v3.write({ marginMode, symbol: symbol ?? null, currency: currency ?? null, ...state });
}

/** A row of margin/config. Source: v3-gaps, section 8 ("Shapes"). */
function configOf({ symbol }: Instrument, rule: ShownMarginRule): object {
  const { shown, callMultiplier, liquidationMultiplier, leverage } = rule;
  const { forceCloseFee, limitBase, limitPower, unlimitedThreshold } = shown;
  return marginConfig.v3.write({
    symbol,
    callMultiplier,
    liquidationMultiplier,
    leverage,
    marginMode: 'Isolated',
    forceCloseFee,
    enabled: true,
    active: true,
    limitBase,
    limitPower,
    unlimitedThreshold,
  });
}
