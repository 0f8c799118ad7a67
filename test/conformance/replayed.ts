import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { seconds } from '../../src/core/base/clock.ts';
import type { Micros } from '../../src/core/base/clock.ts';
import { amountToNumber, formatAmount } from '../../src/core/base/amount.ts';
import { silentLogger } from '../../src/core/base/logger.ts';
import type { Event } from '../../src/core/model/event.ts';
import type { Instrument, Lots, Ticks } from '../../src/core/model/instrument.ts';
import type { Config } from '../../src/app/config/schema.ts';
import { configSchema } from '../../src/app/config/schema.ts';
import { runScenario } from '../../src/app/backtest/scenario-run.ts';
import { subjectOfRecordings } from '../../src/app/backtest/subject.ts';
import { apiCodeOf } from '../../src/app/recorded-market/listing.ts';
import { openRecordedMarket } from '../../src/app/recorded-market/open.ts';
import type { ScenarioWay } from '../../src/research/scenario/index.ts';
import { usualQueueFills } from '../../src/research/scenario/tick-fills.ts';
import { openData } from '../../src/data/open/market-data.ts';
import type { Steps } from './strategies/stepping.ts';
import type { SocketFill } from './socket-maker.ts';
import { numberOf, SocketMaker } from './socket-maker.ts';

/** The first difference between the executions of a comparison in a sentence; `undefined` when they are equal. */
export function differenceOf({ byReplay, byBacktest }: Comparison): string | undefined {
  const count = Math.max(byReplay.length, byBacktest.length);
  for (let at = 0; at < count; at++) {
    const [one, other] = [byReplay[at], byBacktest[at]];
    if (one !== undefined && other !== undefined && isSame(one, other)) continue;
    return `execution ${at + 1} of ${count}: ${JSON.stringify(one)} by sockets, ${JSON.stringify(other)} in the backtest`;
  }
  return undefined;
}

/** Digits that a message has are those of the backtest: it prints fees no finer than price and quantity together. */
function isSame(one: SocketFill, other: SocketFill): boolean {
  return (
    one.order === other.order &&
    one.side === other.side &&
    one.price === other.price &&
    one.quantity === other.quantity &&
    one.taker === other.taker &&
    one.time === other.time &&
    other.fee.startsWith(one.fee.replace(/\.?0+$/, ''))
  );
}

/** A recording on which a strategy and a program are compared. */
export interface Compared {
  readonly files: readonly string[];
  /** Of the recording, this much from its first event on, in seconds; all when left out. */
  readonly seconds?: number | undefined;
  /**
   * Microseconds of market time from a decision to the exchange, which the program asks for. `measured`: the market goes on by
   * itself, `speed` times as fast as recorded, and the backtest has for each order what it took.
   */
  readonly latency: number | 'measured';
  readonly speed?: number | undefined;
  /** The same of the program alone, where it is another than in the backtest. */
  readonly latencyByReplay?: number | undefined;
  readonly fills?: 'fifo' | 'queue';
}

export interface Comparison {
  readonly symbol: string;
  readonly orders: number;
  readonly byReplay: readonly SocketFill[];
  readonly byBacktest: readonly SocketFill[];
  /** Of each order, in microseconds of market time, where it was measured. */
  readonly latencies: readonly number[];
}

interface Busiest {
  readonly instrument: Instrument;
  readonly changes: number;
  /** Exchange time of the last event. */
  readonly last: number;
  /** One of its prices. */
  readonly price: Ticks;
}

/** By then a daemon has compared its account with the venue. */
const startMs = 100;

/** Runs the decisions of `Stepping` by sockets on a recorded market, and as a strategy in a backtest with the same latency. */
export async function compared(setup: Compared): Promise<Comparison> {
  const { begin, end } = await spanOf(setup);
  const span = { end };
  const { instrument, changes, last, price } = await busiest(setup.files, span.end);
  const isMeasured = setup.latency === 'measured';
  const steps = {
    from: Math.ceil(begin / 1_000) + startMs,
    every: Math.max(1, Math.floor(changes / 400)),
    lotsMax: lotsMaxOf(instrument, price),
    // What a program does must not depend on when its reports come, which no backtest repeats.
    leans: !isMeasured,
  };
  const { orders, fills, arrivals, from } = await replayed(setup, { span, instrument, steps });
  const run = { span, instrument, steps: { ...steps, from } };
  // A backtest stops its strategies at the exchange time of the last event, a program goes on while events are shown.
  const within = ({ time }: SocketFill): boolean => time < Math.floor(last / 1_000);
  const { byBacktest, latencies } = await backtestOf(setup, run, arrivals);
  return {
    symbol: instrument.symbol,
    orders,
    byReplay: fills.filter(within),
    byBacktest: byBacktest.filter(within),
    latencies,
  };
}

function constant(micros: number): ScenarioWay {
  return { kind: 'constant', micros };
}

/** The backtest with the latency that was said, or with that which each order had. */
async function backtestOf({ latency, ...setup }: Compared, run: Run, arrivals: ReadonlyMap<number, number>) {
  if (latency !== 'measured')
    return { byBacktest: (await backtested(setup, run, constant(latency))).fills, latencies: [] };
  const { decided } = await backtested(setup, run, constant(0));
  const latencies: number[] = [];
  // What a daemon asks for at its start takes no time, so that its strategies see the same books.
  const first = [`${run.steps.from * 1_000 - startMs * 1_000},0`];
  const lines = decided.flatMap((time, index) => {
    const arrival = arrivals.get(index + 1);
    if (arrival === undefined) return [];
    if (time === decided[index - 1] && arrival !== arrivals.get(index))
      throw new Error(
        'two orders of one moment arrived apart, which no latency of a backtest repeats: run it again',
      );
    latencies.push(arrival - time);
    return [`${time},${arrival - time}`];
  });
  const folder = mkdtempSync(join(tmpdir(), 'godwit-latency-'));
  try {
    const file = join(folder, 'entry.csv');
    writeFileSync(file, [...first, ...lines].join('\n'));
    return { byBacktest: (await backtested(setup, run, { kind: 'interpolated', file })).fills, latencies };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** When the first event was received, and up to when events are taken. */
async function spanOf({ files, seconds: length }: Compared) {
  for await (const batch of (await openData(files)).events())
    for (const { exchangeTime, receiveTime } of batch)
      return {
        begin: Math.max(exchangeTime, receiveTime),
        end: length === undefined ? undefined : ((receiveTime + seconds(length)) as Micros),
      };
  throw new Error(`${files.join()}: no event`);
}

/** The market whose book changes most often. */
async function busiest(files: readonly string[], end: Micros | undefined): Promise<Busiest> {
  const recording = await openData(files);
  const counts = recording.instruments.all.map(() => 0);
  const prices: number[] = [];
  let last = 0;
  outer: for await (const batch of recording.events())
    for (const event of batch) {
      if (end !== undefined && event.receiveTime >= end) break outer;
      last = event.exchangeTime;
      if (event.kind !== 'bookUpdate' && event.kind !== 'bookSnapshot') continue;
      counts[event.instrument] = (counts[event.instrument] ?? 0) + 1;
      if (event.end > event.start) prices[event.instrument] ??= event.levels[event.start + 1] as number;
    }
  const changes = Math.max(...counts);
  const instrument = recording.instruments.all[counts.indexOf(changes)];
  if (instrument === undefined) throw new Error(`${files.join()}: no book`);
  return { instrument, changes, last, price: prices[instrument.id] as Ticks };
}

/** Money for every order of a run, of which none is cancelled where latencies are measured. */
function balancesOf({ spec }: Instrument): Record<string, string> {
  return { [spec.baseCurrency]: '1000000000', [spec.quoteCurrency]: '1000000000' };
}

/** An order takes some thousands of either currency at most. */
function lotsMaxOf(instrument: Instrument, price: Ticks): number {
  const [base, quote] = [instrument.quantityAmount(1 as Lots), instrument.notional(price, 1 as Lots)].map(
    amountToNumber,
  ) as [number, number];
  return Math.max(1, Math.min(1_000_000, Math.floor(5_000 / Math.max(base, quote))));
}

interface Run {
  readonly span: { readonly end: Micros | undefined };
  readonly instrument: Instrument;
  readonly steps: Steps;
}

async function replayed({ files, fills = 'fifo', ...setup }: Compared, { span, instrument, steps }: Run) {
  const failures: unknown[] = [];
  const { latency, latencyByReplay = latency, speed = 1 } = setup;
  const isMeasured = latencyByReplay === 'measured';
  const ended = Promise.withResolvers<void>();
  const market = await openRecordedMarket(
    {
      recording: files,
      span,
      speed: isMeasured ? speed : 'asked',
      clock: 'recorded',
      fills,
      loops: false,
    },
    {
      config: configSchema.parse({
        backtest: { balances: balancesOf(instrument) },
        exchange: { limits: { enabled: false } },
      }),
      host: '127.0.0.1',
      port: 0,
      log: silentLogger,
      onEnd: () => ended.resolve(),
      onFailure: (error) => failures.push(error),
    },
  );
  const { spec } = instrument;
  const maker = new SocketMaker({
    rest: market.restUrl,
    ws: market.wsUrl,
    key: market.keyOf('demo'),
    market: { ...spec, symbol: apiCodeOf(instrument.symbol) },
    steps,
    latency: isMeasured ? 0 : latencyByReplay,
  });
  const arrivals = new Map<number, number>();
  market.server.core.listen({
    onReport: ({ reportType, order }) => {
      if (reportType === 'new') arrivals.set(numberOf(order.clientOrderId), order.createdAt);
    },
    onBalance: () => {},
    onSettled: () => {},
  });
  try {
    // What was shown before a program had subscribed, it cannot act on.
    const from = Math.max(steps.from, await maker.open());
    await (isMeasured ? maker.runFreely(ended.promise) : maker.run());
    if (failures.length > 0) throw failures[0];
    if (maker.refused.length > 0) throw new Error(`refused: ${maker.refused[0]}`);
    return { orders: maker.orders, fills: maker.fills, arrivals, from };
  } finally {
    maker.close();
    await market.stop();
  }
}

/** Controls that would deny what a plain program may send. */
const open = {
  selfTrades: true,
  duplicateMs: 0,
  lastTradeNeeded: false,
  collarPercent: 100,
  messagesPerSecondMax: 300,
  executions: { max: 1_000, windowMs: 1_000 },
  unknownOrdersMax: 1_000,
};

function configOf({ instrument, steps }: Run): Config {
  const path = fileURLToPath(new URL('strategies/stepping-maker.ts', import.meta.url));
  return configSchema.parse({
    backtest: { balances: balancesOf(instrument) },
    orders: open,
    sim: { reportLatency: { kind: 'constant', micros: 0 } },
    strategies: [
      {
        name: 'stepping-maker',
        path,
        params: { symbol: instrument.symbol, ...steps },
        host: 'thread',
        limits: { openOrdersMax: 1_000, messagesPerSecondMax: 300, positionMax: {}, loss: {} },
      },
    ],
  });
}

interface Backtested {
  readonly fills: readonly SocketFill[];
  /** When each order was decided on, in microseconds. */
  readonly decided: readonly number[];
}

async function backtested(
  setup: Omit<Compared, 'latency'>,
  run: Run,
  entry: ScenarioWay,
): Promise<Backtested> {
  const config = configOf(run);
  const { loaded: plain, open: openSubject } = subjectOfRecordings(config, setup.files, { clock: run.span });
  const { scenario } = plain;
  const latency = { ...scenario.latency, entry };
  const loaded = {
    ...plain,
    scenario: { ...scenario, latency, ...(setup.fills === 'queue' && { fills: usualQueueFills }) },
  };
  const decided: number[] = [];
  const order = new Map<string, number>();
  const fills: SocketFill[] = [];
  const denied: string[] = [];
  const watch = (event: Event): void => {
    if (event.kind === 'orderDenied') denied.push(event.denial.why);
    if (event.kind === 'orderPending') {
      decided.push(event.receiveTime);
      order.set(event.command.request.clientOrderId, decided.length);
    }
    if (event.kind !== 'orderReport' || event.fill === undefined) return;
    const { price, quantity, taker, fee, time } = event.fill;
    fills.push({
      order: order.get(event.order.clientOrderId) ?? 0,
      side: event.order.side,
      price: run.instrument.priceText(price),
      quantity: run.instrument.quantityText(quantity),
      taker,
      fee: formatAmount(fee),
      time: Math.floor(time / 1_000),
    });
  };
  const result = await runScenario({ loaded, data: await openSubject(), watch });
  if (denied.length > 0) throw new Error(`the backtest denied ${denied.length}: ${denied[0]}`);
  if (result.problems.length > 0) throw new Error(result.problems.join('; '));
  return { fills, decided };
}
