import { describe, expect, test } from 'vitest';
import type { SequenceVerdict } from '../../../src/core/book/sequencer.ts';
import type { SequencePolicy } from '../../../src/core/model/frame-format.ts';
import { Sequencer } from '../../../src/core/book/sequencer.ts';
import type { InstrumentId } from '../../../src/core/model/instrument.ts';

const one = 0 as InstrumentId;
const two = 5 as InstrumentId;

/** What happens: a snapshot, an update with the verdict due, or an outside reason to distrust the base. */
type Step =
  | readonly ['snapshot', number]
  | readonly ['update', number, SequenceVerdict]
  | readonly ['invalidate'];

const table: readonly [string, SequencePolicy, readonly Step[]][] = [
  ['updates before a snapshot wait', 'consecutive', [['update', 5, 'waiting']]],
  [
    'the first update after a snapshot is its sequence plus one',
    'consecutive',
    [
      ['snapshot', 5],
      ['update', 6, 'next'],
    ],
  ],
  [
    'each update is the last plus one',
    'consecutive',
    [
      ['snapshot', 5],
      ['update', 6, 'next'],
      ['update', 7, 'next'],
    ],
  ],
  [
    'a repeated update is old',
    'consecutive',
    [
      ['snapshot', 5],
      ['update', 6, 'next'],
      ['update', 6, 'old'],
    ],
  ],
  [
    'a second old update in a row is a sequence that began anew, lower: a gap',
    'consecutive',
    [
      ['snapshot', 23],
      ['update', 24, 'next'],
      ['update', 1, 'old'],
      ['update', 2, 'gap'],
      ['update', 25, 'waiting'],
    ],
  ],
  [
    'updates told twice, each after the other, are no gap',
    'consecutive',
    [
      ['snapshot', 5],
      ['update', 6, 'next'],
      ['update', 6, 'old'],
      ['update', 7, 'next'],
      ['update', 7, 'old'],
      ['update', 8, 'next'],
    ],
  ],
  [
    'many updates that a snapshot contains are old',
    'consecutive',
    [
      ['snapshot', 5],
      ['update', 2, 'old'],
      ['update', 3, 'old'],
      ['update', 4, 'old'],
      ['update', 5, 'old'],
      ['update', 6, 'next'],
    ],
  ],
  [
    'a sequence that begins anew after a low snapshot does not pass it',
    'consecutive',
    [
      ['snapshot', 16],
      ['update', 1, 'gap'],
      ['update', 17, 'waiting'],
    ],
  ],
  [
    'an update the snapshot contains is old',
    'consecutive',
    [
      ['snapshot', 5],
      ['update', 5, 'old'],
      ['update', 6, 'next'],
    ],
  ],
  [
    'a jump is a gap',
    'consecutive',
    [
      ['snapshot', 5],
      ['update', 7, 'gap'],
    ],
  ],
  [
    'after a gap nothing passes',
    'consecutive',
    [
      ['snapshot', 5],
      ['update', 7, 'gap'],
      ['update', 6, 'waiting'],
      ['update', 8, 'waiting'],
    ],
  ],
  [
    'after a gap a snapshot heals',
    'consecutive',
    [
      ['snapshot', 5],
      ['update', 7, 'gap'],
      ['snapshot', 8],
      ['update', 8, 'old'],
      ['update', 9, 'next'],
    ],
  ],
  [
    'a snapshot may be lower than the last update',
    'consecutive',
    [
      ['snapshot', 50],
      ['update', 51, 'next'],
      ['snapshot', 3],
      ['update', 52, 'gap'],
      ['snapshot', 3],
      ['update', 4, 'next'],
    ],
  ],
  [
    'a snapshot in mid-stream may repeat the sequence',
    'consecutive',
    [
      ['snapshot', 5],
      ['update', 6, 'next'],
      ['snapshot', 6],
      ['update', 7, 'next'],
    ],
  ],
  [
    'a distrusted base lets nothing pass',
    'consecutive',
    [['snapshot', 5], ['invalidate'], ['update', 6, 'waiting'], ['snapshot', 6], ['update', 7, 'next']],
  ],
  [
    'increasing: a jump is the next',
    'increasing',
    [
      ['snapshot', 5],
      ['update', 9, 'next'],
      ['update', 9, 'old'],
      ['update', 10, 'next'],
    ],
  ],
  ['increasing: before a snapshot updates wait', 'increasing', [['update', 9, 'waiting']]],
];

describe('the sequencer', () => {
  test.each(table)('%s', (_title, policy, steps) => {
    const sequencer = new Sequencer(policy);
    for (const step of steps) {
      if (step[0] === 'snapshot') sequencer.snapshot(one, step[1]);
      else if (step[0] === 'invalidate') sequencer.invalidate(one);
      else expect([step, sequencer.update(one, step[1])]).toEqual([step, step[2]]);
    }
  });

  test('keeps instruments apart', () => {
    const sequencer = new Sequencer();
    sequencer.snapshot(one, 10);
    sequencer.snapshot(two, 100);
    expect(sequencer.update(one, 12)).toBe('gap');
    expect(sequencer.update(two, 101)).toBe('next');
    expect([sequencer.isLive(one), sequencer.isLive(two)]).toEqual([false, true]);
    expect(sequencer.isLive(9 as InstrumentId)).toBe(false);
  });

  test('reports what was due when a gap came', () => {
    const sequencer = new Sequencer();
    sequencer.snapshot(one, 10);
    sequencer.update(one, 11);
    sequencer.update(one, 20);
    expect([sequencer.expected(one), sequencer.last(one)]).toEqual([12, 11]);
  });

  test('linked: the first update may straddle the snapshot, the following must name the last', () => {
    const sequencer = new Sequencer('linked');
    expect(sequencer.linkedUpdate(one, 90, 95)).toBe('waiting');
    sequencer.snapshot(one, 100);
    expect(sequencer.linkedUpdate(one, 95, 100)).toBe('old');
    expect(sequencer.linkedUpdate(one, 97, 105)).toBe('next');
    expect(sequencer.linkedUpdate(one, 105, 130)).toBe('next');
    expect(sequencer.linkedUpdate(one, 131, 140)).toBe('gap');
    expect(sequencer.expected(one)).toBe(130);
    expect(sequencer.linkedUpdate(one, 140, 150)).toBe('waiting');
  });

  test('linked: a first update that begins behind the snapshot is a gap, an overlap later is one too', () => {
    const sequencer = new Sequencer('linked');
    sequencer.snapshot(one, 100);
    expect(sequencer.linkedUpdate(one, 101, 105)).toBe('gap');
    sequencer.snapshot(one, 100);
    expect(sequencer.linkedUpdate(one, 100, 105)).toBe('next');
    expect(sequencer.linkedUpdate(one, 104, 106)).toBe('gap');
  });
});
