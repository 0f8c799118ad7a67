import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { journalHeader } from '../../../src/app/run/journal-header.ts';
import { millis } from '../../../src/core/base/clock.ts';
import { silentLogger } from '../../../src/core/base/logger.ts';
import { pause } from '../../../src/core/base/pause.ts';
import { Random } from '../../../src/core/base/random.ts';
import { SystemClock } from '../../../src/core/base/system-clock.ts';
import { DiskJournal } from '../../../src/core/journal/index.ts';
import type { Instruments } from '../../../src/core/model/instrument.ts';
import type { StampedEvent } from '../../../src/core/model/stamped-event.ts';
import { stateDefaults } from '../../../src/core/state/options.ts';
import { stateAfter } from '../../../src/core/trader/index.ts';
import { configSchema } from '../../../src/app/config/schema.ts';
import { hitbtc } from '../../../src/venues/hitbtc/venue.ts';
import type { Account } from '../../system/support/account.ts';
import type { Figure } from '../row.ts';
import { DaemonProcess, LoadedExchange } from '../support/daemon-process.ts';
import { ownLots, priceTicks, symbolOf } from '../support/loaded-exchange.ts';
import { writePast } from '../support/long-past.ts';
import { loadText } from '../support/machine.ts';

const seed = 5;
const clock = new SystemClock();

/** Live orders: as many as the venue allows on twelve symbols, and the rest of what it allows in all. */
export function liveOrders(count: number, perSymbol: number) {
  return Array.from({ length: count }, (_, at) => ({
    id: `gw-past00-past-1${at.toString(36).padStart(4, '0')}`,
    at: Math.floor(at / perSymbol),
    price: Math.round(priceTicks * 0.96) - ((at % perSymbol) % 100),
  }));
}

/** The symbols as the client of a daemon reads them. */
export async function listedBy(account: Account): Promise<Instruments> {
  const { venue, client } = configSchema.parse({ venue: { base_url: account.rest, ws_url: account.ws } });
  const parts = { clock, random: new Random(seed), log: silentLogger, credentials: undefined };
  const connection = await hitbtc.connect({ settings: venue, options: client, ...parts });
  return connection.listInstruments();
}

/** Seconds to read a journal as a start does: chain verified, state folded. */
async function replaySeconds(directory: string, header: string, instruments: Instruments): Promise<number> {
  const begun = performance.now();
  const history: StampedEvent[] = [];
  const journal = new DiskJournal({ directory, header, onEvent: (stamped) => history.push(stamped) });
  const state = stateAfter(history, { instruments, options: stateDefaults });
  const took = (performance.now() - begun) / 1_000;
  if (state.openCount() === 0) throw new Error('nothing was read');
  await journal.close();
  return took;
}

interface RestartPlan {
  readonly orders: number;
  readonly records: number;
  readonly tell: (line: string) => void;
}

/** What a daemon holds once it may trade. */
interface Started {
  readonly seconds: number;
  readonly known: number;
  readonly unknown: number;
  readonly heapMib: number;
  readonly rssMib: number;
}

/** What a halt from outside came to, by the clock that all processes share. */
interface Halted {
  readonly firstMs: number;
  readonly lastMs: number;
  readonly placed: number;
  readonly left: number;
}

/** A daemon that was killed with so many live orders and a journal of so many records is started again, and then halted. */
export async function restartFigures({ orders, records, tell }: RestartPlan): Promise<readonly Figure[]> {
  const folder = mkdtempSync(join(tmpdir(), 'godwit-prove-'));
  const directory = join(folder, 'run');
  const live = liveOrders(orders, 2_000);
  const symbols = Math.max(13, (live.at(-1)?.at ?? 0) + 1);
  let exchange: LoadedExchange | undefined;
  let daemon: DaemonProcess | undefined;
  try {
    const own = live.map(({ id, at, price }): [string, number, number] => [id, at, price]);
    exchange = await LoadedExchange.start({ seed, symbols, levels: 20, own, flowPerSecond: 5 });
    const { account } = exchange;
    const instruments = await listedBy(account);
    const header = journalHeader(instruments, { money: 'venue', venue: 'this machine', account: '' });
    const kept = live.map(({ id, at, price }) => ({ id, symbol: symbolOf(at), price, lots: ownLots }));
    const strategy = 'rester';
    const parts = { directory, header, instruments, clock, records, strategy, live: kept };
    const written = await writePast(parts);
    tell(`${written} records and ${orders} live orders stand ready`);
    const replay = await replaySeconds(directory, header, instruments);
    await exchange.counts();
    const begun = performance.now();
    daemon = new DaemonProcess({ account, directory, config: configOf(symbols) });
    await daemon.ready();
    const started = await startedOf(daemon, (performance.now() - begun) / 1_000);
    const halted = await halt(daemon, exchange);
    return figuresOf(started, halted, { replay, written, orders });
  } finally {
    daemon?.cli.kill();
    exchange?.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

function configOf(symbols: number): Readonly<Record<string, unknown>> {
  const spot = Object.fromEntries(Array.from({ length: symbols }, (_, at) => [symbolOf(at), 0]));
  return {
    strategies: [
      {
        name: 'rester',
        path: fileURLToPath(new URL('../strategies/rester.ts', import.meta.url)),
        params: { spot },
        limits: { openOrdersMax: 25_000, messagesPerSecondMax: 300 },
      },
    ],
    orders: { onStart: 'keep', openOrdersAccountMax: 25_000, openOrdersSymbolMax: 2_000 },
    log: { level: 'warn' },
  };
}

async function startedOf(daemon: DaemonProcess, took: number): Promise<Started> {
  const mib = 1_048_576;
  return {
    seconds: took,
    known: await daemon.metric('godwit_orders', 'state="new"'),
    unknown: await daemon.metric('godwit_orders', 'state="unknown"'),
    heapMib: (await daemon.metric('nodejs_heap_size_used_bytes')) / mib,
    rssMib: (await daemon.metric('process_resident_memory_bytes')) / mib,
  };
}

/** An operator halts the daemon; the exchange tells when the first and the last order ended there. */
async function halt(daemon: DaemonProcess, exchange: LoadedExchange): Promise<Halted> {
  await exchange.counts();
  const asked = process.hrtime.bigint();
  const since = (at: string): number => Number(BigInt(at) - asked) / 1e6;
  await daemon.ask('/api/acts', { act: 'halt', why: 'a measurement' });
  let first = Number.NaN;
  let last = Number.POSITIVE_INFINITY;
  let placed = 0;
  for (;;) {
    const counts = await exchange.counts();
    placed += counts.placed;
    if (Number.isNaN(first) && counts.ended > 0) first = since(counts.firstEndedAt);
    if (counts.ended > 0) last = since(counts.lastEndedAt);
    const isOver = process.hrtime.bigint() - asked > 60_000_000_000n;
    if (counts.active === 0 || isOver) return { firstMs: first, lastMs: last, placed, left: counts.active };
    await pause(clock, millis(20));
  }
}

function figuresOf(
  { seconds, known, unknown, heapMib, rssMib }: Started,
  halted: Halted,
  { replay, written, orders }: { readonly replay: number; readonly written: number; readonly orders: number },
): readonly Figure[] {
  const load = loadText();
  const rounded = (value: number, digits = 2): number => Number(value.toFixed(digits));
  return [
    { name: 'ready again', value: rounded(seconds), unit: 's', limit: { atMost: 10 }, seed, note: load },
    {
      name: 'replay',
      value: rounded(replay),
      unit: 's',
      limit: { atMost: 5 },
      seed,
      note: `${written} records`,
    },
    {
      name: 'live orders not known',
      value: orders - known,
      unit: `of ${orders}`,
      limit: { atMost: 0 },
      seed,
    },
    { name: 'unknown orders', value: unknown, unit: 'orders', limit: { atMost: 0 }, seed },
    { name: 'heap when ready', value: rounded(heapMib, 0), unit: 'MiB', seed, note: 'without a collection' },
    { name: 'memory when ready', value: rounded(rssMib, 0), unit: 'MiB', seed },
    { name: 'halt to first order gone', value: rounded(halted.firstMs, 1), unit: 'ms', seed, note: load },
    { name: 'halt to last order gone', value: rounded(halted.lastMs, 0), unit: 'ms', seed, note: load },
    { name: 'live after the halt', value: halted.left, unit: 'orders', limit: { atMost: 0 }, seed },
    { name: 'placed after the halt', value: halted.placed, unit: 'orders', limit: { atMost: 0 }, seed },
  ];
}
