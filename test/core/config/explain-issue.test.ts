import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { explainIssue } from '../../../src/core/config/explain-issue.ts';

const way = z.union(
  [
    z.string().regex(/^\d+ms$/, 'expected a length of time'),
    z.strictObject({ kind: z.literal('uniform'), low: z.number(), high: z.number() }),
    z.strictObject({ kind: z.enum(['measured', 'interpolated']), file: z.string() }),
  ],
  { error: 'expected a length of time, or a kind' },
);
const schema = z.strictObject({
  model: z.discriminatedUnion('kind', [
    z.strictObject({ kind: z.literal('spot') }),
    z.strictObject({ kind: z.literal('margin'), leverage: z.number().optional() }),
  ]),
  entry: way.optional(),
  feed: z.union([z.literal('recorded'), way], { error: 'expected recorded, or a way' }).optional(),
  end: z.union([z.string(), z.number()]).optional(),
  table: z.record(z.string().regex(/^[A-Z]+$/), z.string()).optional(),
  side: z.enum(['buy', 'sell']).optional(),
  list: z.array(z.strictObject({ path: z.string() })).optional(),
});

function sentence(tree: Record<string, unknown>): string {
  const whole = { model: { kind: 'spot' }, ...tree };
  const [issue] = schema.safeParse(whole).error?.issues ?? [];
  if (issue === undefined) throw new Error('expected a complaint');
  return explainIssue(issue, { schema, tree: whole, origins: new Map() });
}

describe('a complaint about a choice', () => {
  test.each([
    [{ model: { kind: 'cash' } }, 'model.kind: expected spot or margin, found "cash"'],
    [
      { model: { kind: 'margin', levrage: 3 } },
      'model.levrage is not a known setting; did you mean "leverage"?',
    ],
    [{ model: { kind: 'spot', leverage: 3 } }, 'model.leverage is not a known setting; known here: kind'],
    [{ side: 'bid' }, 'side: expected buy or sell, found "bid"'],
    [{ entry: { kind: 'fast' } }, 'entry.kind: expected uniform, measured or interpolated, found "fast"'],
    [{ entry: 5 }, 'entry: expected a length of time, or a kind, found 5'],
    [{ entry: { kind: 'uniform', low: 1 } }, 'entry.high: expected a number, found nothing'],
    [
      { entry: { kind: 'uniform', low: 1, high: 2, hihgh: 3 } },
      'entry.hihgh is not a known setting; did you mean "high"?',
    ],
    [
      { entry: { kind: 'measured', file: 'a', low: 3 } },
      'entry.low is not a known setting; known here: kind, file',
    ],
    [{ feed: { kind: 'fast' } }, 'feed.kind: expected uniform, measured or interpolated, found "fast"'],
    [{ feed: 'record' }, 'feed: expected a length of time, found "record"'],
    [{ table: { btc: '5' } }, 'table.btc: expected text that matches /^[A-Z]+$/ as a name, found "btc"'],
    [{ end: true }, 'end: expected text or a number, found true'],
    [{ end: { at: 5 } }, 'end: expected text or a number, found a section'],
    [{ end: Number.POSITIVE_INFINITY }, 'end: expected text or a number, found Infinity'],
    [{ list: [{ path: 'a' }, { pth: 'b' }] }, 'list.1.path: expected text, found nothing'],
    [{ list: [{ path: 5 }] }, 'list.0.path: expected text in quotes, found 5'],
    [{ list: [{ path: 'a', pat: 1 }] }, 'list.0.pat is not a known setting; did you mean "path"?'],
  ])('%j is explained by what was meant', (tree, expected) => {
    expect(sentence(tree)).toBe(expected);
  });
});
