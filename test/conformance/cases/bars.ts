import { formatAmount, formatAmountFixed, zero } from '../../../src/core/base/amount.ts';
import type { BarRunResult } from '../../../src/app/backtest/bar-run.ts';
import type { Event } from '../../../src/core/model/event.ts';
import type { ConformanceCase } from '../case.ts';
import { close, same } from '../scenarios/compare.ts';
import { published, runScenario } from '../scenarios/run-scenario.ts';

interface Published {
  readonly cases: readonly { readonly id: string; readonly expected: unknown }[];
}

const goog = 'bars/backtesting-py_GOOG.csv.gz';
const index = 'bars/backtrader_2006-day-001.txt.gz';
const perpetual = 'bars/nautilus_btc-perp-20211231-20220201_1m.csv.gz';

export const cases: readonly ConformanceCase[] = [
  { name: 'NautilusTrader: EMA cross, orders and final balances', needs: [perpetual], run: emaCross },
  { name: 'NautilusTrader: margin balances of issue 2632', needs: [perpetual], run: issue2632 },
  { name: 'backtrader: SMA against the close, a stock', needs: [index], run: stock },
  { name: 'backtrader: SMA against the close, a future, SQN', needs: [index], run: future },
  { name: 'backtesting.py: SMA cross, every statistic', needs: [goog], run: smaCross },
  { name: 'backtesting.py: spread and commission', needs: [goog], run: spreadCommission },
  {
    name: 'backtesting.py: fixed and relative commission, gap',
    needs: ['conformance/bar_backtests.json'],
    run: commissions,
  },
];

async function emaCross(): Promise<void> {
  const expected = expectedOf('nautilus-ema-cross-10-20') as Record<string, string | number>;
  const run = await runScenario('nautilus-ema-cross');
  isWhole(run);
  same('orders', run.orders.filled, expected['orders']);
  same('final USDT', formatAmountFixed(run.accounts[0]?.total ?? zero, 8), expected['final_USDT']);
  const btc = Number(run.positions.get('BTCUSDT'));
  same('final BTC', btc.toFixed(8), expected['final_BTC']);
}

async function issue2632(): Promise<void> {
  const expected = expectedOf('nautilus-issue-2632-balance') as Record<string, Record<string, string>>;
  // The data ends with the bar of the purchase: what is free is reported at its price.
  const bought = await runScenario('nautilus-issue-2632', {
    change: (scenario) => {
      scenario['clock'] = { end: '2021-12-31T23:02:00Z' };
    },
  });
  isWhole(bought);
  const [account] = bought.accounts;
  if (account === undefined) throw new Error('expected an account');
  same('total after the purchase', formatAmountFixed(account.total, 8), expected['after_buy']?.['total']);
  same('locked after the purchase', formatAmountFixed(account.locked, 8), expected['after_buy']?.['locked']);
  same('free after the purchase', formatAmountFixed(account.free, 8), expected['after_buy']?.['free']);
  const sold = await runScenario('nautilus-issue-2632');
  isWhole(sold);
  same('total after the sale', fixed(sold, 8), expected['after_sell']?.['total']);
  const locked = sold.accounts[0]?.locked;
  same(
    'locked after the sale',
    locked === undefined ? '' : formatAmount(locked),
    expected['after_sell']?.['locked'],
  );
}

interface BacktraderExpected {
  readonly buy_signals_close: readonly string[];
  readonly sell_signals_close: readonly string[];
  readonly buy_fills: readonly string[];
  readonly sell_fills: readonly string[];
  readonly stock: { readonly value: string; readonly cash: string };
  readonly future: {
    readonly value: string;
    readonly cash: string;
    readonly closed_trades: number;
    readonly SQN: string;
  };
}

async function stock(): Promise<void> {
  const expected = expectedOf('backtrader-sma15-close-cross') as BacktraderExpected;
  const run = await backtrader('backtrader-stock', expected);
  checkMoney(run, expected.stock);
}

async function future(): Promise<void> {
  const expected = expectedOf('backtrader-sma15-close-cross') as BacktraderExpected;
  const run = await backtrader('backtrader-future', expected);
  checkMoney(run, expected.future);
  const { count, sqnOfPopulation } = run.statistics.trades;
  same('closed trades', count, expected.future.closed_trades);
  same('SQN', (sqnOfPopulation.value ?? Number.NaN).toFixed(12), expected.future.SQN);
}

async function backtrader(name: string, expected: BacktraderExpected): Promise<BarRunResult> {
  const notes: string[] = [];
  const watch = (event: Event): void => {
    if (event.kind === 'strategyNoted') notes.push(event.text);
  };
  const run = await runScenario(name, { watch });
  isWhole(run);
  const signals = (side: string): readonly string[] =>
    notes.flatMap((note) => (note.startsWith(`${side} `) ? note.slice(side.length + 1) : []));
  const fills = (side: string): readonly string[] =>
    run.books.fills.flatMap((fill) => (fill.side === side ? fill.instrument.priceText(fill.price) : []));
  same('buy signals', signals('buy'), expected.buy_signals_close);
  same('sell signals', signals('sell'), expected.sell_signals_close);
  same('buy executions', fills('buy'), expected.buy_fills);
  same('sell executions', fills('sell'), expected.sell_fills);
  return run;
}

function checkMoney(run: BarRunResult, expected: { readonly value: string; readonly cash: string }): void {
  const [account] = run.accounts;
  if (account === undefined) throw new Error('expected an account');
  same('value', formatAmountFixed(account.equity, 2), expected.value);
  same('cash', formatAmountFixed(account.free, 2), expected.cash);
}

async function smaCross(): Promise<void> {
  const expected = expectedOf('backtestingpy-smacross-10-30') as Record<string, number | string>;
  const run = await runScenario('backtestingpy-sma-cross');
  isWhole(run);
  const found = statisticsAsPublished(run);
  for (const [name, value] of Object.entries(expected)) {
    const own = found.get(name);
    if (typeof value === 'number' && typeof own === 'number') close(name, own, value);
    else same(name, own, value);
  }
}

/** The names and units of backtesting.py: per cent, days (rounded up), dates. */
function statisticsAsPublished(run: BarRunResult): ReadonlyMap<string, number | string | undefined> {
  const { statistics } = run;
  const { trades } = statistics;
  const day = 86_400_000_000;
  const times = run.books.equity.times;
  // A bar is stamped with its end; the tables name it by its day.
  const date = (time: number | undefined): string =>
    new Date(((time ?? 0) - day) / 1_000).toISOString().slice(0, 10);
  const days = (span: number | undefined): string => `${Math.ceil((span ?? Number.NaN) / day)} days`;
  const percent = (share: number | undefined): number => (share ?? Number.NaN) * 100;
  return new Map<string, number | string | undefined>([
    ['# Trades', trades.count],
    ['Avg. Drawdown Duration', days(statistics.drawdownSpanAverage.value)],
    ['Avg. Drawdown [%]', -percent(statistics.drawdownAverage.value)],
    ['Avg. Trade Duration', days(trades.spanAverage.value)],
    ['Avg. Trade [%]', percent(trades.averageShare.value)],
    ['Best Trade [%]', percent(trades.bestShare.value)],
    ['Buy & Hold Return [%]', percent(statistics.holdReturn.value)],
    ['Calmar Ratio', statistics.calmar.value],
    ['Duration', days((times.at(-1) ?? 0) - (times[0] ?? 0))],
    ['End', date(times.at(-1))],
    ['Equity Final [$]', statistics.end.value],
    ['Equity Peak [$]', statistics.peak.value],
    ['Expectancy [%]', percent(trades.expectancyShare.value)],
    ['Exposure Time [%]', percent(statistics.exposure.value)],
    ['Max. Drawdown Duration', days(statistics.drawdownSpanMax.value)],
    ['Max. Drawdown [%]', -percent(statistics.drawdownMax.value)],
    ['Max. Trade Duration', days(trades.spanMax.value)],
    ['Profit Factor', trades.profitFactorOfShares.value],
    ['Return (Ann.) [%]', percent(statistics.annualReturn.value)],
    ['Return [%]', percent(statistics.totalReturn.value)],
    ['Volatility (Ann.) [%]', percent(statistics.volatility.value)],
    ['CAGR [%]', percent(statistics.cagr.value)],
    ['SQN', trades.sqn.value],
    ['Kelly Criterion', trades.kelly.value],
    ['Sharpe Ratio', statistics.sharpe.value],
    ['Sortino Ratio', statistics.sortino.value],
    ['Start', date(times[0])],
    ['Win Rate [%]', percent(trades.winRate.value)],
    ['Worst Trade [%]', percent(trades.worstShare.value)],
    ['Alpha [%]', percent(statistics.alpha.value)],
    ['Beta', statistics.beta.value],
  ]);
}

interface SpreadExpected {
  readonly spread: number;
  readonly commission_pct: number;
  readonly commission_fixed?: number;
  readonly units: number;
  readonly equity_rows_2_3: readonly number[];
}

async function spreadCommission(): Promise<void> {
  for (const row of expectedOf('backtestingpy-spread-commission') as readonly SpreadExpected[]) {
    const { spread, commission_pct: rate, commission_fixed: fixedFee = 0 } = row;
    const what = `spread ${spread}, commission ${fixedFee} and ${rate}`;
    const run = await runScenario('backtestingpy-spread-commission', {
      change: (scenario) => {
        const fills = scenario['fills'] as Record<string, unknown>;
        fills['slippage'] = { rate: String(spread), on: 'entries' };
        fills['fees'] = { rate: String(rate), fixed: String(fixedFee) };
        const { params } = scenario['strategy'] as { params: Record<string, unknown> };
        params['sizing'] = { share: 0.9999999999999999, spread, rate, fixed: fixedFee };
      },
    });
    isWhole(run);
    const [buy] = run.books.fills;
    same(`${what}: units`, buy?.quantity, row.units);
    const equity = [2, 3].map((bar) => Number((run.books.equity.values[bar] ?? Number.NaN).toFixed(2)));
    same(`${what}: equity`, equity, row.equity_rows_2_3);
  }
}

async function commissions(): Promise<void> {
  const expected = expectedOf('backtestingpy-fixed-and-relative-commission') as Record<string, string>;
  const prices = [1, 4, 1, 2, 4, 1, 2];
  const run = await runScenario('backtestingpy-commissions', {
    bars: prices.map((price, day) => `2024-01-0${day + 1},${price},${price},${price},${price},1`),
  });
  isWhole(run);
  const [trip] = run.books.trips;
  const paid = /= (\d+)$/.exec(expected['commission_paid'] ?? '')?.[1];
  const final = /= (\d+)$/.exec(expected['final_equity'] ?? '')?.[1];
  same('commission paid', String(trip?.fees), paid);
  same('final equity', fixed(run, 0), final);
  same('exit price', trip?.exit, 4);
}

function expectedOf(id: string): unknown {
  const { cases: all } = published('bar_backtests.json') as Published;
  const found = all.find((one) => one.id === id);
  if (found === undefined) throw new Error(`there is no published case ${id}`);
  return found.expected;
}

/** Nothing was refused and no strategy fell: otherwise the numbers would mean nothing. */
function isWhole(run: BarRunResult): void {
  same('strategies stopped', run.problems, []);
  same('denials', run.denials, []);
  same('orders rejected or expired', run.orders.rejected + run.orders.expired, 0);
}

function fixed(run: BarRunResult, decimals: number): string {
  const [account] = run.accounts;
  return account === undefined ? '' : formatAmountFixed(account.equity, decimals);
}
