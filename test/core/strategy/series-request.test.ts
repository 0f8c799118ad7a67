import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { decimalColumn, seriesDeclarations } from '../../../src/core/strategy/series-request.ts';

const declared = (columns: z.ZodObject) =>
  seriesDeclarations('one', [{ series: 'mood', columns }])[0]?.columns;

describe('the columns of a series', () => {
  test('are numbers, decimals and texts, with bounds and empty cells', () => {
    expect(
      declared(
        z.strictObject({
          value: z.number().min(0).max(100),
          gain: z.number().positive().optional(),
          count: z.int(),
          change: decimalColumn,
          label: z.string(),
          phase: z.enum(['up', 'down']).optional(),
        }),
      ),
    ).toEqual({
      value: { kind: 'number', optional: false, min: 0, max: 100 },
      gain: { kind: 'number', optional: true, above: 0 },
      count: {
        kind: 'number',
        optional: false,
        whole: true,
        min: Number.MIN_SAFE_INTEGER,
        max: Number.MAX_SAFE_INTEGER,
      },
      change: { kind: 'decimal', optional: false },
      label: { kind: 'text', optional: false },
      phase: { kind: 'text', optional: true, oneOf: ['up', 'down'] },
    });
  });

  test.each([
    ['a refinement', z.number().refine((one) => one > 3)],
    ['a transformation', z.string().transform(Number)],
    ['a pattern', z.string().regex(/^a/)],
    ['a date', z.date()],
    ['null', z.number().nullable()],
    ['a list', z.array(z.number())],
  ])('are refused with %s, which a file could not be checked by', (_, column) => {
    expect(() => declared(z.strictObject({ value: column }))).toThrow(
      'strategy one: feeds(), series mood, column value: expected z.number(), z.int(), decimalColumn, z.string() or z.enum([...])',
    );
  });

  test('are those of a series with a name, which is declared once', () => {
    expect(() => seriesDeclarations('one', [{ series: 'Fear Greed' }])).toThrow(
      'strategy one: feeds() asks for the series "Fear Greed", expected a name of 1 to 40 lower case letters',
    );
    expect(() => seriesDeclarations('one', [{ series: 'mood' }, { series: 'mood' }])).toThrow(
      'asks for the series mood twice, expected each once',
    );
    const odd = { series: 'mood', colums: 1 } as unknown as { series: string };
    expect(() => seriesDeclarations('one', [odd])).toThrow('there is no "colums" in series mood');
  });
});
