import { setTimeout as sleep } from 'node:timers/promises';
import { toolOptions } from '../support/tool-options.ts';
import { benchSpec } from './support/book-frames.ts';
import { startChild } from './support/child.ts';
import { liveReactor, updatesPerSecond } from './support/live-reactor.ts';
import { operate } from './support/operated.ts';
import { median, quantile } from './support/print.ts';
import { instruments } from './support/reactor-parts.ts';
import { WireProbe } from './support/wire-probe.ts';

const usage = `npx node --no-warnings --conditions=godwit-source test/bench/readers.ts [options]

What readers of the dashboard add to the time from packet to order, 2,000 book updates a second: from the 'data' event to the end of
the write. The operator's interface is open in every turn. In turns, in one process: without readers, and with them.

  --rounds N     turns of each kind (9)
  --seconds N    length of a turn; one second before it is not counted (5)
  --readers N    (3)
`;

const options = toolOptions(usage, {
  options: {
    rounds: { type: 'string', default: '9' },
    seconds: { type: 'string', default: '5' },
    readers: { type: 'string', default: '3' },
  },
});
const count = Number(options.readers);
const rounds = Number(options.rounds);
const turnMs = Number(options.seconds) * 1_000;
const settleMs = 1_000;

const seconds = (rounds * 2 + 1) * ((turnMs + settleMs) / 1_000) + 10;
const reactor = await liveReactor({ updates: Math.ceil(seconds) * updatesPerSecond });
const { trader, clock, budgets } = reactor;
const probe = new WireProbe();
const server = await operate(trader, clock, {
  strategy: 'reactor',
  shown: [instruments.get(benchSpec.symbol).id],
  budgets: () => budgets.usage(),
});
const readers = await startChild('page-readers.ts');
await reactor.start();
await sleep(3_000);

interface Turn {
  readonly isRead: boolean;
  /** Microseconds. */
  readonly p50: number;
  readonly p99: number;
}

async function turn(isRead: boolean): Promise<Turn> {
  if (isRead) await readers.ask({ url: server.url, count, symbol: benchSpec.symbol });
  await sleep(settleMs);
  const from = probe.whole.length;
  await sleep(turnMs);
  const took = probe.whole.slice(from);
  if (isRead) {
    const read = (await readers.ask({ leave: true })) as { events: number; books: number };
    if (read.events < count || read.books < count) throw new Error('the readers read nothing');
  }
  if (took.length < turnMs) throw new Error(`only ${took.length} orders left in a turn`);
  return { isRead, p50: quantile(took, 0.5), p99: quantile(took, 0.99) };
}

const turns: Turn[] = [];
for (let round = 0; round < rounds; round++) {
  const isFirst = round % 2 === 0;
  for (const isRead of [isFirst, !isFirst]) {
    const one = await turn(isRead);
    turns.push(one);
    const who = isRead ? `${count} readers` : 'no reader';
    process.stderr.write(
      `round ${round + 1}, ${who}: p50 ${one.p50.toFixed(1)}, p99 ${one.p99.toFixed(1)} us\n`,
    );
  }
}
const of = (isRead: boolean, figure: 'p50' | 'p99'): readonly number[] =>
  turns.filter((one) => one.isRead === isRead).map((one) => one[figure]);
/** Round by round: the machine is not the same in all of them. */
const added = (figure: 'p50' | 'p99'): number =>
  median(of(true, figure).map((value, at) => (value / (of(false, figure)[at] ?? Number.NaN) - 1) * 100));
process.stdout.write(
  `${JSON.stringify({
    aloneP50: median(of(false, 'p50')),
    aloneP99: median(of(false, 'p99')),
    readP50: median(of(true, 'p50')),
    readP99: median(of(true, 'p99')),
    addedP50Percent: added('p50'),
    addedP99Percent: added('p99'),
  })}\n`,
);
reactor.child.close();
readers.close();
await server.close();
process.exit(0);
