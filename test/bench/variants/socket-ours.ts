import { setTimeout as sleep } from 'node:timers/promises';
import { silentLogger } from '../../../src/core/base/logger.ts';
import { Random } from '../../../src/core/base/random.ts';
import { SystemClock } from '../../../src/core/base/system-clock.ts';
import { LiveVenue } from '../../../src/venues/hitbtc/client/live-venue.ts';
import { clientOptions } from '../../../src/venues/options.ts';
import { Instruments } from '../../../src/core/model/instrument.ts';
import { State } from '../../../src/core/state/state.ts';
import { benchSpec } from '../support/book-frames.ts';
import { startChild } from '../support/child.ts';
import { cpuMicros, nowMicros, print } from '../support/print.ts';

// Frames over a loopback socket into a book, from a sender in another process that never pauses: the live venue as the
// daemon uses it, and the state. Usage: node socket-ours.ts LEVELS sorted|ring

const [levels = '4', ladder = 'sorted'] = process.argv.slice(2);
const child = await startChild('flood-server.ts', [levels]);
const address = `127.0.0.1:${String(child.said)}`;
const instruments = new Instruments([benchSpec]);
const { id } = instruments.get(benchSpec.symbol);
const state = new State({ instruments, options: { ladder: ladder === 'ring' ? 'ring' : 'sorted' } });
const venue = new LiveVenue({
  clock: new SystemClock(),
  random: new Random(1),
  log: silentLogger,
  instruments,
  baseUrl: `http://${address}`,
  wsUrl: `ws://${address}`,
  options: clientOptions.parse({}),
  // As the daemon hands it over: the venue asks the state, and holds no books of its own.
  isCrossed: (instrument) => state.book(instrument).crossed,
  subscriptions: [{ instrument: id, book: true, trades: false, ticker: false, candles: [] }],
});
let sum = 0;
const book = state.book(id);
venue.marketData.on((data) => {
  state.foldMarketData(data);
  sum += (book.bestBid ?? 0) + (book.bestAsk ?? 0);
});
venue.events.subscribe((event) => state.apply(event));
while (book.status !== 'live') await sleep(20);
await sleep(1_000);
const from = { sequence: book.sequence, cpu: cpuMicros(), time: nowMicros() };
await sleep(2_000);
const to = { sequence: book.sequence, cpu: cpuMicros(), time: nowMicros() };
const { gaps, malformed } = venue.counters.market;
if (gaps + malformed > 0 || !(sum > 0)) throw new Error('the frames did not pass as they should');
const frames = to.sequence - from.sequence;
print({
  value: (frames / (to.cpu - from.cpu)) * 1e6,
  ofWallTime: (frames / (to.time - from.time)) * 1e6,
});
child.close();
process.exit(0);
