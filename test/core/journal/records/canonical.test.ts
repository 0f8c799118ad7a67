import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { decodeEvent, encodeEvent } from '../../../../src/core/journal/records/records.ts';
import type { KeptEvent } from '../../../../src/core/journal/records/records.ts';
import { at, filled, pending } from '../support/events.ts';

function scrambled(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(scrambled);
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([key, field]) => [key, scrambled(field)]),
  );
}

function made(request: unknown): KeptEvent {
  return { kind: 'intent', ...at(1), intent: { action: 'place', strategy: 's', request } } as KeptEvent;
}

describe('the text of an event', () => {
  test.each([pending(7), filled(8)])('is read back as the same event: $kind', (event) => {
    const read = decodeEvent(encodeEvent(event));
    expect(read).toStrictEqual(event);
  });

  test('does not depend on the order in which keys were set', () => {
    expect(encodeEvent(scrambled(filled(3)) as KeptEvent)).toBe(encodeEvent(filled(3)));
  });

  test('keeps every number, also those that JSON lacks', () => {
    for (const quantity of [Number.NaN, Infinity, -Infinity, -0, 2 ** 53 - 1, 1e-7, 10n ** 40n]) {
      expect(decodeEvent(encodeEvent(made({ quantity })))).toStrictEqual(made({ quantity }));
    }
  });

  test('takes whatever a strategy makes up without throwing', () => {
    const endless: Record<string, unknown> = {};
    endless['self'] = endless;
    const request = { '#': 'no number', f: () => 1, s: Symbol('x'), endless, text: '\u0000"\\\ud800\n' };
    const text = encodeEvent(made(request));
    expect(text.split('\n')).toHaveLength(1);
    expect(decodeEvent(text)).toMatchObject({ intent: { request: { f: undefined, s: undefined } } });
  });

  test('is refused with a sentence when it is no event', () => {
    expect(() => decodeEvent('{"kind":')).toThrow('expected the JSON of an event');
    expect(() => decodeEvent('[1]')).toThrow('expected an event with a kind');
    expect(() => decodeEvent('null')).toThrow('expected an event with a kind');
  });

  test('any plain values come back as they were', () => {
    const leaf = fc.oneof(
      fc.string(),
      fc.double(),
      fc.bigInt(),
      fc.boolean(),
      fc.constant(undefined),
      fc.integer(),
    );
    const key = fc
      .string({ minLength: 1 })
      .filter((name) => !['#', '__proto__', 'constructor'].includes(name));
    const plain = fc.letrec((tie) => ({
      value: fc.oneof(
        { maxDepth: 4 },
        leaf,
        fc.array(tie('value'), { maxLength: 4 }),
        fc.dictionary(key, tie('value'), { maxKeys: 5, noNullPrototype: true }),
      ),
    }));
    fc.assert(
      fc.property(plain.value, (request) => {
        expect(decodeEvent(encodeEvent(made({ request })))).toStrictEqual(made({ request }));
      }),
      { numRuns: 300 },
    );
  });
});
