import type { BarRunResult } from '../../../src/app/backtest/bar-run.ts';
import type { Event } from '../../../src/core/model/event.ts';
import type { ConformanceCase } from '../case.ts';
import { same } from '../scenarios/compare.ts';
import { published, runScenario } from '../scenarios/run-scenario.ts';

type Row = readonly [
  number,
  number,
  number,
  number,
  number,
  number,
  number,
  number,
  number,
  number,
  ...unknown[],
];

interface PublishedTrade {
  readonly exit_reason: string;
  readonly open_tick: number;
  readonly close_tick: number;
  readonly is_short?: boolean;
}

interface PublishedCase {
  readonly id: string;
  readonly title: string;
  readonly data: readonly Row[];
  readonly stop_loss: number;
  readonly roi: Readonly<Record<string, number>>;
  readonly profit_perc: number;
  readonly trades: readonly PublishedTrade[];
  readonly leverage?: number;
  readonly use_exit_signal?: boolean;
  readonly trailing_stop?: boolean;
  readonly trailing_stop_positive?: number;
  readonly trailing_stop_positive_offset?: number;
  readonly trailing_only_offset_is_reached?: boolean;
  readonly use_custom_stoploss?: boolean;
  readonly custom_entry_price?: number;
  readonly adjust_entry_price?: number | null;
  readonly custom_exit_price?: number;
  readonly timeout?: number;
}

/** What the strategy notes of a closed position. */
interface Noted {
  readonly reason: string;
  readonly openRow: number;
  readonly closeRow: number;
  readonly short: boolean;
  readonly profit: number;
}

const file = 'freqtrade_candle_exit_cases.json';
const needs = [`conformance/${file}`];
const rowsBegin = Date.UTC(2018, 9, 3);
const rowMillis = 3_600_000;

export const cases: readonly ConformanceCase[] = Array.from({ length: 54 }, (_, at) => ({
  name: `freqtrade candle exits: tc${at}`,
  needs,
  run: () => check(`tc${at}`),
}));

async function check(id: string): Promise<void> {
  const { cases: all } = published(file) as { readonly cases: readonly PublishedCase[] };
  const wanted = all.find((one) => one.id === id);
  if (wanted === undefined) throw new Error(`there is no published case ${id}`);
  const notes: Noted[] = [];
  const watch = (event: Event): void => {
    if (event.kind === 'strategyNoted') notes.push(JSON.parse(event.text) as Noted);
  };
  const run = await runScenario('freqtrade-candle-exits', {
    bars: wanted.data.map((row) => barOf(row)),
    watch,
    change: (scenario) => {
      (scenario['strategy'] as Record<string, unknown>)['params'] = paramsOf(wanted);
    },
  });
  isWhole(run);
  const trades = notes.map(({ reason, openRow, closeRow, short }) => [reason, openRow, closeRow, short]);
  same(
    'trades',
    trades,
    wanted.trades.map((one) => [one.exit_reason, one.open_tick, one.close_tick, one.is_short === true]),
  );
  const profit = notes.reduce((sum, one) => sum + one.profit, 0);
  same('profit', profit.toFixed(3).replace('-0.000', '0.000'), wanted.profit_perc.toFixed(3));
  // What the strategy believes it earned is what the account shows.
  const earned = run.books.trips.reduce((sum, trip) => sum + trip.share, 0) * (wanted.leverage ?? 1);
  if (Math.abs(earned - profit) > 1e-6) throw new Error(`profit: noted ${profit}, booked ${earned}`);
}

function barOf([row, open, high, low, last, volume]: Row): string {
  return [rowsBegin + row * rowMillis, open, high, low, last, volume].join(',');
}

function paramsOf(one: PublishedCase): Record<string, unknown> {
  return {
    symbol: 'UNITTEST',
    signals: one.data.map((row) => row.slice(6, 10).map((signal) => signal === 1)),
    stopLoss: one.stop_loss,
    roi: Object.entries(one.roi).map(([minutes, share]) => [Number(minutes), share]),
    ...(one.leverage === undefined ? {} : { leverage: one.leverage }),
    trailing: one.trailing_stop === true,
    ...(one.trailing_stop_positive === undefined ? {} : { trailingPositive: one.trailing_stop_positive }),
    trailingOffset: one.trailing_stop_positive_offset ?? 0,
    trailingOnlyFromOffset: one.trailing_only_offset_is_reached === true,
    customStop: one.use_custom_stoploss === true,
    useExitSignal: one.use_exit_signal === true,
    ...(one.custom_entry_price === undefined ? {} : { entryPrice: one.custom_entry_price }),
    ...(one.adjust_entry_price === undefined ? {} : { adjustEntryPrice: one.adjust_entry_price }),
    ...(one.custom_exit_price === undefined ? {} : { exitPrice: one.custom_exit_price }),
    ...(one.timeout === undefined ? {} : { timeout: one.timeout }),
  };
}

function isWhole(run: BarRunResult): void {
  same('strategies stopped', run.problems, []);
  same('denials', run.denials, []);
  same('orders rejected', run.orders.rejected, 0);
}
