import { expect, test } from 'vitest';
import { LevelBuffer } from '../../../../src/core/model/level-buffer.ts';
import { decodeV2Public } from '../../../../src/venues/hitbtc/wire/v2/public-frames.ts';
import { NotingSink } from './noting-sink.ts';
import { framesOf, instrumentsOf, recorded } from './recordings.ts';

const hitbtc = 'hitbtc-v2-20210715.symbols.txt.gz';
const bequant = 'bequant-v2-20210703.symbols.txt.gz';

test.skipIf(!recorded).each([
  ['hitbtc-v2-20210715.conn1.txt.gz', hitbtc, { reply: 40, book: 537, trades: 10, candles: 10, ticker: 203 }],
  ['hitbtc-v2-20210715.conn4.txt.gz', hitbtc, { reply: 40, book: 537, trades: 10, candles: 10, ticker: 203 }],
  ['hitbtc-v2-20210405.txt.gz', hitbtc, { reply: 30, ticker: 927, trades: 23, book: 3248 }],
  ['bequant-v2-20210703.conn1.txt.gz', bequant, { book: 975 }],
  ['bequant-v2-20210703.conn3.txt.gz', bequant, { book: 990 }],
])('every frame of %s decodes', (name, symbols, counts) => {
  const buffer = new LevelBuffer();
  const sink = new NotingSink(buffer);
  const instruments = instrumentsOf(symbols, 2);
  const received = new Map<unknown, number>();
  for (const bytes of framesOf(name)) {
    expect(decodeV2Public(bytes, instruments, buffer, sink)).toEqual({ ok: true });
    for (const [kind] of sink.take()) received.set(kind, (received.get(kind) ?? 0) + 1);
  }
  for (const [kind, count] of Object.entries(counts)) expect(received.get(kind), kind).toBe(count);
});
