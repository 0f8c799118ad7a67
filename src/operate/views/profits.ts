import { formatAmount } from '../../core/base/amount.ts';
import { profitIn, runProfits } from '../../core/orders/base/profit.ts';
import type { StateView } from '../../core/state/index.ts';
import { sumsOf } from '../history/index.ts';
import type { ViewRowOf } from './view.ts';
import { amountCell, count, decimal, orNull, view, word } from './view.ts';

const fields = {
  strategy: orNull(
    word(),
    'null: the run, all strategies and earlier sessions counted; external: orders of others on the account',
  ),
  currency: word('a quote currency'),
  fills: count(
    'executions, those of earlier sessions counted; of the run: of all strategies and of external',
  ),
  profit: orNull(
    decimal(),
    'realised and unrealised, less fees, funding and interest; null: something held has no price',
  ),
  drawdown: orNull(decimal(), 'how far the profit is below its highest; of the run alone'),
  drawdownMax: orNull(decimal(), 'the largest fall of the profit; of the run alone'),
  today: orNull(decimal(), 'profit of this UTC day; of the run alone'),
  equity: orNull(
    decimal(),
    'wallets and margin accounts, as far as the books value them in this currency; of the run alone',
  ),
};

export type ProfitRow = ViewRowOf<typeof fields>;

const gain = { '+': 'good', '-': 'bad' } as const;

export const profitsView = view({
  name: 'profits',
  command: 'profits',
  isOfMoney: true,
  text: 'profit of the run, with drawdown, and of each strategy, by quote currency',
  empty: 'no profits: nothing was traded',
  fields,
  columns: ['strategy', 'currency', 'fills', 'profit', 'today', 'drawdown', 'drawdownMax', 'equity'],
  card: {
    order: 15,
    title: 'Profit by strategy',
    kind: 'table',
    key: ['strategy', 'currency'],
    columns: [
      { field: 'strategy', title: 'strategy' },
      'currency',
      'fills',
      { field: 'profit', title: 'profit', tones: gain },
      { field: 'today', title: 'today', tones: gain },
      'drawdown',
      { field: 'drawdownMax', title: 'largest drawdown' },
      'equity',
    ],
  },
  rows: ({ trader, days: daysNow, equities: equitiesNow }) => {
    const days = daysNow();
    const equities = equitiesNow();
    return runProfits(trader.view).flatMap(({ currency, profit, drawdown, drawdownMax }) => {
      const today = days.today(currency);
      const fills = fillsIn(trader.view, currency);
      const all = [...fills.values()].reduce((sum, more) => sum + more, 0);
      const run: ProfitRow = {
        strategy: null,
        currency,
        fills: all,
        profit: amountCell(profit),
        drawdown: amountCell(drawdown),
        drawdownMax: formatAmount(drawdownMax),
        today: today === undefined ? null : formatAmount(sumsOf(today).profit),
        equity: amountCell(equities.get(currency)),
      };
      return [
        run,
        ...[...fills].map(([strategy, own]) => strategyRow(trader.view, { strategy, currency, fills: own })),
      ];
    });
  },
});

/** Executions in a quote currency by strategy, `external` among them, in the order of the first fill. */
function fillsIn(state: StateView, currency: string): ReadonlyMap<string, number> {
  const fills = new Map<string, number>();
  for (const { strategy, instrument, fillCount } of state.positions())
    if (state.instruments.at(instrument).spec.quoteCurrency === currency)
      fills.set(strategy, (fills.get(strategy) ?? 0) + fillCount);
  return fills;
}

function strategyRow(
  state: StateView,
  {
    strategy,
    currency,
    fills,
  }: { readonly strategy: string; readonly currency: string; readonly fills: number },
): ProfitRow {
  const profit = amountCell(profitIn(state, { strategy, currency }));
  return { strategy, currency, fills, profit, drawdown: null, drawdownMax: null, today: null, equity: null };
}
