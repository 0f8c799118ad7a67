import { SystemClock } from '../../../src/core/base/system-clock.ts';
import { MarketDataHandler } from '../../../src/venues/hitbtc/market-data/handler.ts';
import type { Event } from '../../../src/core/model/event.ts';
import { Instruments } from '../../../src/core/model/instrument.ts';
import { State } from '../../../src/core/state/state.ts';
import { ThreadHost } from '../../../src/core/strategy/thread-host.ts';
import touchReader, { seen } from '../strategies/touch-reader.ts';
import { benchSpec } from '../support/book-frames.ts';
import { measurePasses } from '../support/frame-passes.ts';
import { print } from '../support/print.ts';

// Bytes of a v3 frame, sequence check, book, best bid and ask in a strategy's callback.
// Usage: node frames-ours.ts LEVELS sorted|ring

const [levels = '4', ladder = 'sorted'] = process.argv.slice(2);
const clock = new SystemClock();
const instruments = new Instruments([benchSpec]);
const state = new State({ instruments, options: { ladder: ladder === 'ring' ? 'ring' : 'sorted' } });
const host = new ThreadHost({
  definition: touchReader,
  params: { symbol: benchSpec.symbol },
  state,
  clock,
  publish: () => {},
  seed: 1,
  idPrefix: 'gw',
  run: '1',
  tag: 'r',
  kept: undefined,
  keep: undefined,
});
const handler = new MarketDataHandler({
  instruments,
  publish: (event: Event) => {
    state.apply(event);
    host.notify(event);
  },
});
host.start();
const receiveTime = clock.now();
const value = measurePasses(Number(levels), (bytes) =>
  handler.accept({ channel: 'v3/public', direction: 'in', bytes, receiveTime }),
);
const { gaps, malformed, old } = handler.counters;
if (gaps + malformed + old > 0 || seen.calls === 0) throw new Error('the frames did not pass as they should');
const book = state.book(instruments.get(benchSpec.symbol).id);
print({ value, touch: `${(book.bestBid ?? 0) / 1e6} ${(book.bestAsk ?? 0) / 1e6}` });
