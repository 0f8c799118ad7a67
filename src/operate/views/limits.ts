import type { Amount } from '../../core/base/amount.ts';
import { formatAmount, parseAmount, subtract, zero } from '../../core/base/amount.ts';
import type { Lots } from '../../core/model/instrument.ts';
import type { LossLimits } from '../../core/orders/base/options.ts';
import { lossesAt, profitIn } from '../../core/orders/base/profit.ts';
import type { StateView } from '../../core/state/index.ts';
import type { ViewRowOf, ViewedRun } from './view.ts';
import { decimal, view, word } from './view.ts';

const fields = {
  name: word('the setting it comes from'),
  of: word('account, a symbol, or a strategy'),
  used: decimal(),
  limit: decimal(),
  unit: word(),
};

export type LimitUse = ViewRowOf<typeof fields>;

export const limitsView = view({
  name: 'limits',
  command: 'limits',
  text: 'how much of each limit is used',
  empty: 'no limits',
  fields,
  columns: ['of', 'name', 'used', 'limit', 'unit'],
  card: {
    order: 70,
    title: 'Limits',
    kind: 'gauges',
    key: ['name', 'of'],
    columns: [{ field: 'name', title: 'limit', with: [', ', 'of'] }, 'used', 'limit', 'unit'],
  },
  rows: (run) => [...limitRows(run)],
  long: limitRows,
  live: limitRows,
});

/** Use of each limit. A limit that is not set has no row. A row is made when it is its turn. */
export function* limitRows({
  trader,
  strategies,
  orders: ordersNow,
  shown,
}: ViewedRun): Generator<LimitUse, void> {
  const orders = ordersNow();
  const { view: state } = trader;
  const counted = (name: string, of: string, used: number, limit: number): LimitUse => ({
    name,
    of,
    used: String(used),
    limit: String(limit),
    unit: 'orders',
  });
  yield counted('orders.openOrdersAccountMax', 'account', state.openCount(), orders.openOrdersAccountMax);
  yield counted('orders.unknownOrdersMax', 'account', state.unknownCount(), orders.unknownOrdersMax);
  for (const id of shown()) {
    const instrument = trader.instruments.at(id);
    const most = (orders.limits[instrument.symbol] ?? orders.limits['*'])?.positionMax;
    const net = Math.abs(state.netPosition(id)) as Lots;
    const { symbol, unit } = instrument;
    yield counted('orders.openOrdersSymbolMax', symbol, state.openCountOf(id), orders.openOrdersSymbolMax);
    if (most !== undefined)
      yield {
        name: 'orders.limits.positionMax',
        of: symbol,
        used: instrument.quantityText(net),
        limit: most,
        unit,
      };
  }
  for (const { name, limits } of strategies)
    yield counted('limits.openOrdersMax', name, state.openCountBy(name), limits.openOrdersMax);
  for (const { name, limits } of strategies)
    for (const [currency, limit] of Object.entries(limits.funds ?? {})) {
      const free = trader.limits.fundsOf(name, currency)?.free ?? zero;
      const used = subtract(parseAmount(limit), free);
      const row = { name: `limits.funds.${currency}`, of: name, limit, unit: currency };
      yield { ...row, used: formatAmount(used > zero ? used : zero) };
    }
  yield* lossRows(state, undefined, orders.loss);
  for (const { name, limits } of strategies) yield* lossRows(state, name, limits.loss);
}

/** Use of the limits on loss of the account, or of a strategy. What has not lost has used nothing. */
function lossRows(state: StateView, strategy: string | undefined, limits: LossLimits): readonly LimitUse[] {
  const section = strategy === undefined ? 'orders.loss' : 'limits.loss';
  return Object.entries(limits).flatMap(([currency, { day, drawdown, losingTrades }]) => {
    const scope = { strategy, currency };
    const profit = profitIn(state, scope);
    const lost = profit === undefined ? undefined : lossesAt(state.losses.mark(scope), profit);
    const row = (kind: string, used: string, limit: string, unit: string): LimitUse => ({
      name: `${section}.${currency}.${kind}`,
      of: strategy ?? 'account',
      used,
      limit,
      unit,
    });
    const loss = (amount: Amount | undefined): string =>
      amount === undefined || amount < zero ? '0' : formatAmount(amount);
    return [
      ...(day === undefined ? [] : [row('day', loss(lost?.day), day, currency)]),
      ...(drawdown === undefined ? [] : [row('drawdown', loss(lost?.drawdown), drawdown, currency)]),
      ...(losingTrades === undefined
        ? []
        : [row('losingTrades', String(state.losses.losingTrades(scope)), String(losingTrades), 'trades')]),
    ];
  });
}
