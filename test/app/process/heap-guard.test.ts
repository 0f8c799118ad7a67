import { expect, test } from 'vitest';
import { micros, millis, seconds } from '../../../src/core/base/clock.ts';
import { VirtualClock } from '../../../src/core/base/virtual-clock.ts';
import { guardHeap, heapText } from '../../../src/app/process/heap-guard.ts';

const mib = 1_048_576;

/** A guard on a virtual clock, over a heap of so many MiB whose use and collections the test says. */
function scene(most: number) {
  const clock = new VirtualClock(seconds(1_700_000_000));
  const seen = { used: 0, looks: 0, watches: 0 };
  let after: number | undefined;
  const full: string[] = [];
  const cancel = guardHeap({
    clock,
    heap: {
      use() {
        seen.looks += 1;
        return { used: seen.used * mib, most: most * mib };
      },
      watchCollections() {
        seen.watches += 1;
        after = undefined;
        return { usedAfter: () => after, end: () => (seen.watches -= 1) };
      },
    },
    onFull: (use) => full.push(heapText(use)),
  });
  const pass = (ms: number): void => clock.advanceTo(micros(clock.uptime() + millis(ms)));
  const collect = (to: number): void => {
    seen.used = to;
    after = to * mib;
  };
  return { clock, seen, full, cancel, pass, collect };
}

test('a heap of which little is free after a full collection is reported once, and looked at no more', () => {
  const { clock, seen, full, pass, collect } = scene(4_000);
  seen.used = 3_681;
  pass(60_000);
  expect([full, seen.watches]).toEqual([[], 1]);
  collect(3_690);
  seen.used = 3_700;
  pass(25);
  expect(full).toEqual(['3690 of 4000 MiB']);
  expect([seen.watches, clock.pending]).toEqual([0, 0]);
});

test('what a collection takes away fills no heap, and a collection of before says nothing', () => {
  const { seen, full, pass, collect } = scene(4_000);
  collect(3_990);
  pass(250);
  expect([full, seen.watches]).toEqual([[], 1]);
  collect(3_679);
  pass(25);
  expect(seen.watches).toBe(0);
  seen.used = 3_990;
  pass(60_000);
  expect([full, seen.watches]).toEqual([[], 1]);
  collect(3_679);
  // Little is free again by the next look, but the collection has left enough.
  seen.used = 3_990;
  pass(25);
  expect([full, seen.watches]).toEqual([[], 0]);
});

test('of a small heap as much has to be free as a young generation may bring', () => {
  const { seen, full, pass, collect } = scene(128);
  seen.used = 96;
  pass(60_000);
  expect([full, seen.watches]).toEqual([[], 0]);
  seen.used = 97;
  pass(250);
  collect(97);
  pass(25);
  expect(full).toEqual(['97 of 128 MiB']);
});

test('a heap with room is looked at four times a second, and no more after the end', () => {
  const { clock, seen, cancel, pass } = scene(4_000);
  pass(60_000);
  expect([seen.looks, seen.watches]).toEqual([240, 0]);
  seen.used = 4_000;
  pass(250);
  cancel();
  pass(60_000);
  expect([seen.looks, seen.watches, clock.pending]).toEqual([241, 0, 0]);
});
