import { describe, expect, test } from 'vitest';
import { LongList, textRows } from '../../src/operate/long-list.ts';

describe('a list of very many rows', () => {
  test.each([0, 1, textRows, textRows + 1, 3 * textRows + 7])(
    'of %i is its JSON, and makes a slice of rows a turn',
    async (count) => {
      let made = 0;
      function* rows(): Generator<object> {
        for (; made < count; made++) yield { at: made, text: `"${made}",` };
      }
      let text = '';
      for (const texts = new LongList(rows()).texts(); ;) {
        const before = made;
        const { value, done } = await texts.next();
        expect(made - before).toBeLessThanOrEqual(textRows);
        if (done === true) break;
        text += value;
      }
      expect(JSON.parse(text)).toEqual(Array.from({ length: count }, (_, at) => ({ at, text: `"${at}",` })));
    },
  );
});
