import fc from 'fast-check';
import { expect, test } from 'vitest';
import { plainDecimal } from '../../../../src/data/formats/tables/bars-decimal.ts';
import { readTableTime } from '../../../../src/data/formats/tables/bars-time.ts';
import { linesOf, textsOf } from '../../../../src/data/recording/index.ts';

const digits = (max: number): fc.Arbitrary<string> =>
  fc.string({ unit: fc.constantFrom('0', '1', '2', '3', '4', '5', '6', '7', '8', '9'), maxLength: max });

test('a number of few digits is the decimal that it is with a sign before it', () => {
  fc.assert(
    fc.property(digits(14), fc.option(digits(12)), (whole, fraction) => {
      const text = fraction === null ? whole : `${whole}.${fraction}`;
      expect(plainDecimal(text)).toBe(plainDecimal(`+${text}`));
    }),
  );
  expect(['5.', '007', '0.500', '1.50', '00', '.5'].map(plainDecimal)).toEqual([
    '5',
    '7',
    '0.5',
    '1.5',
    '0',
    '0.5',
  ]);
  expect(['', '.', '1.2.3', '1,5', 'x'].map(plainDecimal)).toEqual(Array.from({ length: 5 }));
});

const part = (max: number): fc.Arbitrary<string> =>
  fc.integer({ min: 0, max }).map((value) => String(value).padStart(2, '0'));

test('a calendar time is the one that it is with its zone behind it', () => {
  fc.assert(
    fc.property(
      fc.tuple(fc.constantFrom('2021', '2024', '1999'), part(14), part(33)),
      fc.tuple(fc.constantFrom(' ', 'T', '  ', '_'), part(25), part(61), part(61)),
      fc.option(digits(8)),
      ([year, month, day], [between, hour, minute, second], fraction) => {
        const rest = fraction === null ? '' : `.${fraction}`;
        const text = `${year}-${month}-${day}${between}${hour}:${minute}:${second}${rest}`;
        expect(readTableTime(text, 'calendar')).toBe(readTableTime(`${text}Z`, 'calendar'));
      },
    ),
  );
  expect(readTableTime('2021-12-31 23:01:00.250000', 'calendar')).toBe(1_640_991_660_250_000);
  expect(readTableTime('2021-02-29 00:00:00', 'calendar')).toBeNaN();
});

test('the texts of lines are those of each line by itself, however the pieces cut them', async () => {
  const lines = fc.array(fc.string({ unit: fc.constantFrom('a', 'ä', '€', '\r', ' '), maxLength: 6 }), {
    minLength: 1,
  });
  const end = fc.constantFrom('\n', '\r\n');
  await fc.assert(
    fc.asyncProperty(lines, end, fc.integer({ min: 1, max: 64 }), async (texts, lineEnd, size) => {
      const bytes = Buffer.from(texts.map((text) => `${text}${lineEnd}`).join(''));
      const pieces = Array.from({ length: Math.ceil(bytes.length / size) }, (_, at) =>
        bytes.subarray(at * size, (at + 1) * size),
      );
      const together: string[] = [];
      const apart: string[] = [];
      for await (const batch of linesOf('lines.csv', piecewise(pieces))) {
        together.push(...textsOf(batch.lines));
        for (const line of batch.lines) apart.push(Buffer.from(line).toString('utf8'));
      }
      expect(together).toEqual(apart);
      expect(together).toHaveLength(texts.length);
    }),
  );
});

async function* piecewise(pieces: readonly Uint8Array[]): AsyncGenerator<Uint8Array, void, undefined> {
  yield* pieces;
  await Promise.resolve();
}
