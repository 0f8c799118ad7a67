import { describe, expect, test } from 'vitest';
import type { Micros } from '../../src/core/base/clock.ts';
import { millis } from '../../src/core/base/clock.ts';
import { sliceRows } from '../../src/core/base/slices.ts';
import { VirtualClock } from '../../src/core/base/virtual-clock.ts';
import { LongList } from '../../src/operate/long-list.ts';

const clock = new VirtualClock(1_000_000 as Micros);

describe('a list of very many rows', () => {
  test.each([0, 1, sliceRows, sliceRows + 1, 3 * sliceRows + 7])(
    'of %i is its JSON, and makes a slice of rows a turn',
    async (count) => {
      let made = 0;
      function* rows(): Generator<object> {
        for (; made < count; made++) yield { at: made, text: `"${made}",` };
      }
      let text = '';
      for (const texts = new LongList(rows()).texts(clock); ;) {
        const before = made;
        const next = texts.next();
        clock.advance(millis(1));
        const { value, done } = await next;
        expect(made - before).toBeLessThanOrEqual(sliceRows);
        if (done === true) break;
        text += value;
      }
      expect(JSON.parse(text)).toEqual(Array.from({ length: count }, (_, at) => ({ at, text: `"${at}",` })));
    },
  );
});
