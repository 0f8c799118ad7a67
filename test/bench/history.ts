import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { KeptHistoryFiles } from '../../src/app/operate/kept-history.ts';
import type { Micros } from '../../src/core/base/clock.ts';
import { silentLogger } from '../../src/core/base/logger.ts';
import { VirtualClock } from '../../src/core/base/virtual-clock.ts';
import type { InstrumentId } from '../../src/core/model/instrument.ts';
import { Instruments } from '../../src/core/model/instrument.ts';
import { State } from '../../src/core/state/state.ts';
import { Curve } from '../../src/operate/curve.ts';
import { ChartHistory, Days } from '../../src/operate/history/index.ts';
import { KeptAlerts, KeptFills } from '../../src/operate/kept-lists.ts';
import { spotSpec } from '../support/markets.ts';

/**
 * What a start pays for the history behind the page, at its longest: processor time of the thread that trades, in a process of its own that
 * has run none of this before. Run: node test/bench/history.ts [SYMBOLS]
 */
const symbols = Number(process.argv[2] ?? 5);
const directory = process.argv[3];
const clock = new VirtualClock(1_700_000_000_000_000 as Micros);
const instruments = new Instruments(Array.from({ length: symbols }, (_, at) => spotSpec(`S${at}BBB`)));
const periods = [60_000, 300_000, 900_000, 3_600_000, 14_400_000, 86_400_000];

if (directory === undefined) {
  const made = mkdtempSync(join(tmpdir(), 'godwit-bench-'));
  try {
    await write(made);
    const given = [import.meta.filename, String(symbols), made];
    spawnSync(process.execPath, given, { stdio: 'inherit' });
  } finally {
    rmSync(made, { recursive: true, force: true });
  }
} else {
  read(directory);
}

/** As many parts as a file has before it is written anew. */
async function write(into: string): Promise<void> {
  const files = new KeptHistoryFiles(into, clock, silentLogger);
  const lines = (name: string, count: number, line: (at: number) => unknown): void => {
    const kept = files.open(name, { linesMax: count, all: () => [] });
    for (let at = 0; at < count; at++) kept.add(line(at));
  };
  const sums = { profit: '12345.678901', fees: '0.123456', fills: 5 };
  const text = (at: number): string => String(1_000 + at / 8);
  lines('fills', 1_250, (at) => ({
    tradeId: String(at),
    clientOrderId: `gw${at}`,
    strategy: 'maker',
    symbol: 'S0BBB',
    side: 'buy',
    quantity: '1',
    price: text(at),
    fee: '0.1',
    feeCurrency: 'BBB',
    taker: false,
    time: new Date(at).toISOString(),
  }));
  lines('alerts', 250, (at) => ({ time: at + 1, text: `the market session is down ${at}` }));
  lines('days', 1_000, (at) => ({
    day: new Date(at * 86_400_000).toISOString().slice(0, 10),
    currency: 'BBB',
    from: sums,
    to: sums,
    peak: text(at),
    drawdownMax: text(at),
    equity: text(at),
  }));
  const figures = ['profit', 'drawdown', 'equity'].map((figure) => ({ figure, currency: 'BBB' }));
  const owners = ['a', 'b', 'c', 'd'].map((name) => ({ kind: 'live', name, currency: 'BBB' }));
  const columns = [...figures, ...owners];
  lines('curve', 2_880 + columns.length, (at) => {
    if (at < columns.length) return columns[at];
    return [at * 5_000, ...columns.map((_, column) => 100 * Math.sin(at + column))];
  });
  for (const { symbol } of instruments.all) {
    const kept = files.openRows(`candles-${symbol}`, {
      width: 7,
      rowsMax: 4_500,
      all: () => new Float64Array(),
    });
    for (const period of periods)
      for (let at = 1; at <= 750; at++) kept.add([period, at * period, 100.1, 101.2, 99.3, 100.4, at / 7]);
  }
  await files.close();
}

function read(from: string): void {
  const view = new State({ instruments });
  const kept = new KeptHistoryFiles(from, clock, silentLogger);
  const costs: number[] = [];
  const cost = (name: string, work: () => void): void => {
    const before = process.threadCpuUsage();
    work();
    const { user, system } = process.threadCpuUsage(before);
    costs.push((user + system) / 1_000);
    print(name, costs.at(-1) ?? Number.NaN);
  };
  const untold = {
    strategyProfits: () => [],
    profits: () => new Map<string, number>(),
    drawdowns: () => new Map<string, number>(),
    equities: () => new Map(),
  };
  cost('fills', () => void new KeptFills(kept));
  cost('alerts', () => void new KeptAlerts(kept));
  cost('days', () => void new Days({ view, clock, kept, equities: () => new Map() }));
  cost('curve', () => void new Curve(untold, clock, kept));
  const charts = new ChartHistory(instruments, clock, kept);
  cost(`candles of ${symbols} symbols`, () => {
    for (let at = 0; at < symbols; at++) charts.columns({ instrument: at as InstrumentId, period: 'M1' });
  });
  print(
    'all',
    costs.reduce((sum, one) => sum + one, 0),
  );
}

function print(name: string, value: number): void {
  process.stdout.write(`${JSON.stringify({ name, value: Number(value.toPrecision(3)), unit: 'ms' })}\n`);
}
