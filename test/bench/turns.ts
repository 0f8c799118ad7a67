import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { runFileIn } from '../../src/app/operate/run-file.ts';
import { journalHeader } from '../../src/app/run/journal-header.ts';
import { SystemClock } from '../../src/core/base/system-clock.ts';
import { readJournal } from '../../src/core/journal/index.ts';
import { listedBy, liveOrders } from '../prove/measure/restart.ts';
import { DaemonProcess, LoadedExchange } from '../prove/support/daemon-process.ts';
import { ownLots, symbolOf } from '../prove/support/loaded-exchange.ts';
import { writePast } from '../prove/support/long-past.ts';
import { toolOptions } from '../support/tool-options.ts';
import { startChild } from './support/child.ts';
import { median } from './support/print.ts';
import type { Turn } from './support/turn-probe.ts';

const usage = `npx node --no-warnings --conditions=godwit-source test/bench/turns.ts [options]

The longest turn of the event loop, in milliseconds, of the real daemon with very many resting orders and books, while it looks at the account
every ten seconds, carries its state after every thousand records, serves readers of the page and is asked for metrics, orders and the
journal. Pauses of the collector are left out and given apart, as is time in which the machine had given the core away. It is counted from
five seconds after the daemon is ready. Turns of the loop need a core: on a busy machine their caches are cold. "used" is the processor time of
turns, which a busy machine changes least.

  --orders N     (20000)
  --books N      (500)
  --readers N    (30)
  --seconds N    (45)
`;

const options = toolOptions(usage, {
  options: {
    orders: { type: 'string', default: '20000' },
    books: { type: 'string', default: '500' },
    readers: { type: 'string', default: '30' },
    seconds: { type: 'string', default: '45' },
  },
});
const orders = Number(options.orders);
const books = Number(options.books);
const readerCount = Number(options.readers);
const seconds = Number(options.seconds);
const lookEveryMs = 10_000;
const warmMs = 5_000;

const clock = new SystemClock();
const folder = mkdtempSync(join(tmpdir(), 'godwit-bench-'));
const directory = join(folder, 'run');
const file = join(folder, 'turns');
const live = liveOrders(orders, Math.ceil(orders / 20));
const exchange = await LoadedExchange.start({
  seed: 9,
  symbols: books,
  levels: 20,
  own: live.map(({ id, at, price }): [string, number, number] => [id, at, price]),
  flowPerSecond: 1,
});
const account = exchange.account;
const instruments = await listedBy(account);
await writePast({
  directory,
  header: journalHeader(instruments, { money: 'venue', venue: 'this machine', account: '' }),
  instruments,
  clock,
  records: 30_000,
  strategy: 'crowd',
  live: live.map(({ id, at, price }) => ({ id, symbol: symbolOf(at), price, lots: ownLots })),
});
const probe = pathToFileURL(fileURLToPath(new URL('./support/turn-probe.ts', import.meta.url)));
probe.searchParams.set('turns', file);
const daemon = new DaemonProcess({
  account,
  directory,
  environment: { NODE_OPTIONS: `--import=${probe.href}` },
  config: {
    strategies: [
      {
        name: 'crowd',
        path: fileURLToPath(new URL('./strategies/crowd.ts', import.meta.url)),
        params: { symbols: Array.from({ length: books }, (_, at) => symbolOf(at)), everyMs: 50 },
        limits: { openOrdersMax: 25_000 },
      },
    ],
    orders: {
      onStart: 'keep',
      openOrdersAccountMax: 25_000,
      openOrdersSymbolMax: 2_000,
      reconcile: { everyMs: lookEveryMs },
    },
    // The least that it may be.
    state: { carryEvery: 1_000 },
    log: { level: 'error' },
  },
});
const readers = await startChild('page-readers.ts');
try {
  await daemon.ready();
  const place = runFileIn(directory);
  if (place === undefined) throw new Error('the daemon has ended');
  if (readerCount > 0)
    await readers.ask({ url: place.url, token: place.token, count: readerCount, symbol: symbolOf(0) });
  await sleep(warmMs);
  const from = clock.now();
  for (let second = 0; second < seconds; second++) {
    await Promise.all(['/metrics', '/api/orders', '/api/journal'].map((path) => daemon.ask(path)));
    await sleep(1_000);
  }
  const to = clock.now();
  // The launcher would have it stop in good order, and cancel every order.
  process.kill(place.pid, 'SIGKILL');
  await daemon.cli.end();
  const turns = (existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n') : [])
    .map((line) => JSON.parse(line) as Turn)
    .filter(({ at }) => at * 1_000 >= from && at * 1_000 < to);
  const own = turns.map(({ took, collector }) => took - collector);
  const used = turns.map(({ processor, collector }) => Math.max(0, processor - collector));
  const during = [...readJournal(directory)].filter(
    ({ event: { receiveTime: at } }) => at >= from && at < to,
  );
  const looks = during.filter(
    ({ event }) =>
      event.kind === 'readAnswered' && event.what.of === 'activeOrders' && event.more === undefined,
  );
  const carried = during.filter(({ event }) => event.kind === 'stateCarried');
  if (looks.length === 0 || carried.length === 0) throw new Error('it neither looked nor carried its state');
  process.stdout.write(
    `${JSON.stringify({
      longestMs: Math.max(0, ...own),
      medianOf2Ms: median(own),
      above5Ms: own.filter((ms) => ms > 5).length,
      above10Ms: own.filter((ms) => ms > 10).length,
      longestUsedMs: Math.max(0, ...used),
      usedAbove5Ms: used.filter((ms) => ms > 5).length,
      usedAbove10Ms: used.filter((ms) => ms > 10).length,
      longestWithPausesMs: Math.max(0, ...turns.map(({ took }) => took)),
      longestPausesMs: Math.max(0, ...turns.map(({ collector }) => collector)),
      looks: looks.length,
      carried: carried.length,
    })}\n`,
  );
} finally {
  daemon.cli.kill('SIGKILL');
  readers.close();
  exchange.close();
  rmSync(folder, { recursive: true, force: true });
}
