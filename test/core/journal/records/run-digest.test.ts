import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import type { Amount } from '../../../../src/core/base/amount.ts';
import { zero } from '../../../../src/core/base/amount.ts';
import { MemoryJournal } from '../../../../src/core/journal/records/run-digest.ts';
import type { BookUpdate, Event } from '../../../../src/core/model/event.ts';
import { filled, mixed, pending, ticker, update } from '../support/events.ts';

function digestOf(events: readonly Event[]): string {
  const journal = new MemoryJournal();
  events.forEach((event, index) => journal.append(event, index + 1));
  return journal.digest();
}

function held(available: bigint, currency = 'BTC'): Event {
  const { exchangeTime, receiveTime } = pending(0);
  const balances = [{ currency, available: available as Amount, reserved: zero }];
  return { kind: 'balances', complete: true, balances, exchangeTime, receiveTime };
}

describe('the digest of a run', () => {
  test('is the same for the same events, and may be asked for at any time', () => {
    const journal = new MemoryJournal();
    mixed(500).forEach((event, index) => {
      journal.append(event, index + 1);
      if (index % 100 === 0) journal.digest();
    });
    expect(journal.digest()).toBe(digestOf(mixed(500)));
    expect(journal.digest()).toMatch(/^[0-9a-f]{64}$/);
  });

  test('does not depend on when turns end', async () => {
    const journal = new MemoryJournal();
    for (const [index, event] of mixed(500).entries()) {
      journal.append(event, index + 1);
      if (index % 7 === 0) await Promise.resolve();
    }
    expect(journal.digest()).toBe(digestOf(mixed(500)));
  });

  test('is the same in another process', () => {
    const here = (path: string): string => new URL(path, import.meta.url).href;
    const script = `
      import { MemoryJournal } from ${JSON.stringify(here('../../../../src/core/journal/records/run-digest.ts'))};
      import { mixed } from ${JSON.stringify(here('../support/events.ts'))};
      const journal = new MemoryJournal();
      mixed(500).forEach((event, index) => journal.append(event, index + 1));
      process.stdout.write(journal.digest());
    `;
    const flags = ['--input-type=module-typescript', '--eval', script];
    const options = { cwd: fileURLToPath(new URL('../../../..', import.meta.url)) };
    expect(execFileSync(process.execPath, flags, options).toString()).toBe(digestOf(mixed(500)));
  });

  test('does not depend on the order in which the keys of an event were set', () => {
    const event = filled(1);
    const turned = Object.fromEntries(Object.entries(event).reverse()) as unknown as Event;
    expect(digestOf([turned])).toBe(digestOf([event]));
  });

  test('does not depend on the order of keys between events either, nor on who wrote which', () => {
    const events = mixed(300);
    const turned = events.map((event, index) =>
      index % 3 === 0 ? (Object.fromEntries(Object.entries(event).reverse()) as unknown as Event) : event,
    );
    expect(digestOf(turned)).toBe(digestOf(events));
  });

  test('is the same although more kinds of objects pass than are kept in mind', () => {
    const notes = (): readonly Event[] =>
      Array.from({ length: 1_500 }, (_, i) => {
        const { exchangeTime, receiveTime } = pending(0);
        const fields = { [`made-up-${i % 700}`]: 'text', other: String(i % 2) };
        return { kind: 'strategyNoted', strategy: 's', exchangeTime, receiveTime, ...fields } as never;
      });
    expect(digestOf(notes())).toBe(digestOf(notes()));
    expect(digestOf(notes().slice(1))).not.toBe(digestOf(notes()));
  });

  test('distinguishes amounts of any size', () => {
    const words = [0n, 1n, 2n ** 63n, 2n ** 64n - 1n, 2n ** 64n, 2n ** 64n + 1n, 2n ** 128n, 2n ** 9_000n];
    const amounts = [...new Set(words.flatMap((word) => [word, -word, -word - 1n]))];
    const digests = amounts.map((amount) => digestOf([held(amount)]));
    expect(new Set(digests).size).toBe(amounts.length);
  });

  test('distinguishes texts that repeat and texts that change', () => {
    const runs = ['aab', 'abb', 'aba', 'baa', 'aaa', 'ab', 'aa', 'a'].map((run) =>
      digestOf(run.split('').map((currency) => held(1n, currency))),
    );
    expect(new Set(runs).size).toBe(runs.length);
  });

  const variants: readonly (readonly [string, readonly Event[], readonly Event[]])[] = [
    ['a price', [update(1, 50_000)], [update(1, 50_001)]],
    ['a price above 2^32', [update(1, 2 ** 40)], [update(1, 2 ** 40 + 2 ** 33)]],
    ['the order of two market events', [update(1), update(2)], [update(2), update(1)]],
    ['the order of two kept events', [pending(1), filled(1)], [filled(1), pending(1)]],
    ['where a market event stands', [update(1), pending(1)], [pending(1), update(1)]],
    ['the last digit of an amount', [ticker(10n ** 30n)], [ticker(10n ** 30n + 1n)]],
    ['an amount and its negative', [ticker(7n)], [ticker(-7n)]],
    ['absent and zero', [ticker(0n)], [{ ...ticker(0n), ticker: { ...ticker(0n).ticker, last: undefined } }]],
    ['one event more', [pending(1)], [pending(1), pending(2)]],
  ];
  test.each(variants)('distinguishes runs that differ in %s', (_what, one, other) => {
    expect(digestOf(one)).not.toBe(digestOf(other));
  });

  test('distinguishes the same levels under another side or size', () => {
    const base = update(1);
    for (let at = 0; at < base.end; at++) {
      const levels = Float64Array.from(base.levels);
      levels[at] = (levels[at] ?? 0) + 1;
      const other: BookUpdate = { ...base, levels };
      expect(digestOf([other])).not.toBe(digestOf([base]));
    }
  });

  test('long texts and many events cross the inner buffer unharmed', () => {
    const text = 'x'.repeat(100_000);
    const { exchangeTime, receiveTime } = pending(0);
    const note = (tail: string): Event => {
      const said = { strategy: 's', level: 'info', text: text + tail } as const;
      return { kind: 'strategyNoted', exchangeTime, receiveTime, ...said };
    };
    expect(digestOf([note('a'), ...mixed(1_000)])).toBe(digestOf([note('a'), ...mixed(1_000)]));
    expect(digestOf([note('a')])).not.toBe(digestOf([note('b')]));
  });
});

describe('the journal in memory', () => {
  test('runs a task at once, and keeps kept events only when asked and within the bound', () => {
    const journal = new MemoryJournal({ keepMax: 2 });
    mixed(12).forEach((event, index) => journal.append(event, index + 1));
    let ran = 0;
    journal.whenDurable(() => (ran += 1));
    expect(ran).toBe(1);
    expect(journal.events.map(({ sequence }) => sequence)).toEqual([1, 2]);
    expect(journal.dropped).toBe(4);
    expect(new MemoryJournal().events).toEqual([]);
  });
});
