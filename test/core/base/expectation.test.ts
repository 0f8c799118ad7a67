import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { expectationOf } from '../../../src/core/base/expectation.ts';

function complaint(schema: z.ZodType, value: unknown): string {
  const [issue] = schema.safeParse(value).error?.issues ?? [];
  return expectationOf(issue?.message ?? 'nothing');
}

describe('what a schema expected is said in our own words', () => {
  test.each<[z.ZodType, unknown, string]>([
    [z.number(), 'abc', 'expected a number'],
    [z.number().min(1), 0, 'expected at least 1'],
    [z.number().positive(), 0, 'expected more than 0'],
    [z.number().max(50), 51, 'expected at most 50'],
    [z.number().lt(1), 2, 'expected less than 1'],
    [z.int(), 2 ** 53, 'expected at most 9007199254740991'],
    [z.int(), 0.5, 'expected a whole number'],
    [z.number().multipleOf(5), 3, 'expected a multiple of 5'],
    [z.number(), Number.POSITIVE_INFINITY, 'expected a number'],
    [z.string().min(1), '', 'expected text of at least 1 characters'],
    [z.array(z.number()).min(2), [1], 'expected a list of at least 2 items'],
    [z.string(), 5, 'expected text'],
    [z.boolean(), 5, 'expected true or false'],
    [z.array(z.string()), 5, 'expected a list'],
    [z.object({}), 5, 'expected a section'],
    [z.record(z.string(), z.string()), 5, 'expected a section'],
    [z.bigint(), 5, 'expected bigint'],
    [z.string().regex(/^a/), 'b', 'expected text that matches /^a/'],
    [z.string().startsWith('x'), 'b', 'expected text to start with "x"'],
    [z.enum(['a', 'b']), 'c', 'expected one of "a"|"b"'],
    [z.string().regex(/^a/, 'expected an a'), 'b', 'expected an a'],
  ])('%#', (schema, value, words) => {
    expect(complaint(schema, value)).toBe(words);
  });
});
