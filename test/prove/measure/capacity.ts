import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { journalHeader } from '../../../src/app/run/journal-header.ts';
import { millis } from '../../../src/core/base/clock.ts';
import { pause } from '../../../src/core/base/pause.ts';
import { SystemClock } from '../../../src/core/base/system-clock.ts';
import { readJournal } from '../../../src/core/journal/index.ts';
import type { Figure } from '../row.ts';
import { DaemonProcess, LoadedExchange } from '../support/daemon-process.ts';
import { ownLots, symbolOf } from '../support/loaded-exchange.ts';
import { writePast } from '../support/long-past.ts';
import { loadText } from '../support/machine.ts';
import { listedBy, liveOrders } from './restart.ts';

const seed = 9;
const clock = new SystemClock();
const mib = 1_048_576;
const records = 100_000;
/** Time in which a collection of all garbage comes by itself. */
const watchedSeconds = 60;

interface CapacityPlan {
  readonly orders: number;
  readonly books: number;
  readonly levels: number;
  readonly tell: (line: string) => void;
}

interface Memory {
  readonly heapMib: number;
  readonly rssMib: number;
}

/** One turn of the strategy that reads. */
interface Turn {
  readonly bookUs: number;
  readonly ordersUs: number;
  readonly live: number;
  readonly levels: number;
  readonly open: number;
}

/** The real daemon with as many live orders as the venue allows and hundreds of deep books: what it takes of memory, and how long reads take. */
export async function capacityFigures({
  orders,
  books,
  levels,
  tell,
}: CapacityPlan): Promise<readonly Figure[]> {
  const folder = mkdtempSync(join(tmpdir(), 'godwit-prove-'));
  const directory = join(folder, 'run');
  const live = liveOrders(orders, 2_000);
  let exchange: LoadedExchange | undefined;
  let daemon: DaemonProcess | undefined;
  try {
    const own = live.map(({ id, at, price }): [string, number, number] => [id, at, price]);
    exchange = await LoadedExchange.start({ seed, symbols: books, levels, own, flowPerSecond: 1 });
    const { account } = exchange;
    const instruments = await listedBy(account);
    const header = journalHeader(instruments, { money: 'venue', venue: 'this machine', account: '' });
    const kept = live.map(({ id, at, price }) => ({ id, symbol: symbolOf(at), price, lots: ownLots }));
    await writePast({ directory, header, instruments, clock, records, strategy: 'reader', live: kept });
    tell(`${books} books and ${orders} live orders stand ready`);
    daemon = new DaemonProcess({ account, directory, config: configOf(books) });
    await daemon.ready();
    tell('the daemon is ready');
    const memory = await watched(daemon);
    const open = await daemon.metric('godwit_orders', 'state="new"');
    daemon.cli.kill('SIGKILL');
    await daemon.cli.end();
    return figuresOf(memory, turnsIn(directory), { open, orders, books, levels });
  } finally {
    daemon?.cli.kill();
    exchange?.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

function configOf(books: number): Readonly<Record<string, unknown>> {
  return {
    strategies: [
      {
        name: 'reader',
        path: fileURLToPath(new URL('../strategies/reader.ts', import.meta.url)),
        params: { symbols: Array.from({ length: books }, (_, at) => symbolOf(at)), everyMs: 500 },
        limits: { openOrdersMax: 25_000 },
      },
    ],
    orders: { onStart: 'keep', openOrdersAccountMax: 25_000, openOrdersSymbolMax: 2_000 },
    log: { level: 'warn' },
  };
}

/** The heap after the last collection of all, which is the least that is seen of it, and the most memory that the process takes. */
async function watched(daemon: DaemonProcess): Promise<Memory> {
  let heap = Number.POSITIVE_INFINITY;
  let rss = 0;
  for (let second = 0; second < watchedSeconds; second++) {
    await pause(clock, millis(1_000));
    heap = Math.min(heap, await daemon.metric('nodejs_heap_size_used_bytes'));
    rss = Math.max(rss, await daemon.metric('process_resident_memory_bytes'));
  }
  return { heapMib: heap / mib, rssMib: rss / mib };
}

function turnsIn(directory: string): readonly Turn[] {
  const turns: Turn[] = [];
  for (const { event } of readJournal(directory)) {
    if (event.kind !== 'strategyNoted') continue;
    const [books = 0, orders = 0, live = 0, levels = 0, open = 0] = event.text.split(' ').map(Number);
    if (live > 0) turns.push({ bookUs: books / 100_000, ordersUs: orders / 1_000, live, levels, open });
  }
  // What comes first is compiled.
  return turns.slice(Math.min(20, turns.length));
}

function figuresOf(
  { heapMib, rssMib }: Memory,
  turns: readonly Turn[],
  asked: {
    readonly open: number;
    readonly orders: number;
    readonly books: number;
    readonly levels: number;
  },
): readonly Figure[] {
  const note = loadText();
  const p99 = (of: (turn: Turn) => number): number => {
    const sorted = turns.map(of).toSorted((one, other) => one - other);
    return Number((sorted[Math.floor(0.99 * sorted.length)] ?? Number.NaN).toFixed(2));
  };
  const depth = turns.reduce((sum, one) => sum + one.levels, 0) / (turns.length * 200);
  const most = { limit: { atMost: 1_000 }, unit: 'us', seed, note };
  return [
    {
      name: 'heap',
      value: Number(heapMib.toFixed(1)),
      unit: 'MiB',
      seed,
      note: `of the main thread, the least of ${watchedSeconds} s, without a collection that was asked for; the catalogue asks for 150`,
    },
    {
      name: 'memory of the process',
      value: Number(rssMib.toFixed(1)),
      unit: 'MiB',
      seed,
      note: `the most of ${watchedSeconds} s, with the thread of the strategy, which holds each book, too; the catalogue asks for 350`,
    },
    {
      name: 'live orders not known',
      value: asked.orders - asked.open,
      unit: 'orders',
      limit: { atMost: 0 },
      seed,
    },
    {
      name: 'levels a side',
      value: Math.round(depth),
      unit: 'levels',
      limit: { atLeast: asked.levels * 0.9 },
      seed,
    },
    { name: 'read of a book p99', value: p99(({ bookUs }) => bookUs), ...most },
    { name: 'read of the orders of a symbol p99', value: p99(({ ordersUs }) => ordersUs), ...most },
    { name: 'turns measured', value: turns.length, unit: 'turns', limit: { atLeast: 50 }, seed },
  ];
}
