import { describe, expect, test } from 'vitest';
import { seconds } from '../../../../src/core/base/clock.ts';
import { VirtualClock } from '../../../../src/core/base/virtual-clock.ts';
import { fullCapabilities } from '../../../../src/core/model/capabilities.ts';
import type { ClientOrderId } from '../../../../src/core/model/order.ts';
import { orderOptions } from '../../../../src/core/orders/options.ts';
import { ReadShare } from '../../../../src/core/orders/base/read-share.ts';
import { FakeVenue } from '../support/fake-venue.ts';
import type { WorldParts } from '../support/world.ts';
import { start, World } from '../support/world.ts';

/** The budget of an hour for reads: 20 a second. Source: API v3, "Limits". */
const anHour = 3_600;
const budget = 20 * anHour;

function running(parts: WorldParts = {}): { world: World; venue: FakeVenue } {
  const world = new World({ ready: false, ...parts });
  const venue = new FakeVenue(world);
  world.step({ kind: 'runStarted', ...world.times, run: world.run, mode: 'live' });
  world.market();
  world.money({ AAA: '1000', BBB: '100000000', CCC: '1000' });
  venue.up();
  world.clock.advance(seconds(1));
  return { world, venue };
}

/** Orders without an answer that no history ever shows, and a new one every 10 s, which brings a look at once. */
function hourOfDoubt(parts: WorldParts): { world: World; venue: FakeVenue; reads: number } {
  const { world, venue } = running({
    products: ['spot', 'margin', 'futures'],
    capabilities: { ...fullCapabilities, bookReads: true },
    options: {
      reconcile: { absentMs: 86_400_000 },
      unknownOrdersMax: 1_000,
      openOrdersSymbolMax: 1_000,
      openOrdersAccountMax: 1_000,
    },
    limits: { maker: { openOrdersMax: 1_000 } },
    ...parts,
  });
  const before = venue.reads.length;
  for (let at = 0; at < anHour; at += 10) {
    world.market();
    venue.manner = { landsAfterMs: undefined, answer: 'unanswered' };
    const id = world.place({ price: (9_800 + (at % 90)) as never }) as ClientOrderId;
    expect(id).toMatch(/^gw-/);
    world.clock.advance(seconds(10));
  }
  return { world, venue, reads: venue.reads.length - before };
}

test('a look at the account that never comes is refused in a sentence, and one of books more often than each second', () => {
  expect(() => orderOptions.parse({ reconcile: { everyMs: 0 } })).toThrow(
    'expected at least 1: a daemon that never looks at its account sees no difference',
  );
  expect(() => orderOptions.parse({ reconcile: { booksEveryMs: 999 } })).toThrow(/1000/);
});

describe('the share of reads that comparisons have', () => {
  test('is saved up for half a minute, and what was taken in advance is waited for', () => {
    const clock = new VirtualClock(start);
    const share = new ReadShare(clock, 20);
    expect(share.wait(54)).toBe(0);
    share.takeReads(60);
    expect(share.wait(1)).toBeGreaterThan(seconds(3));
    clock.advance(seconds(4));
    expect(share.wait(1)).toBe(0);
    clock.advance(seconds(600));
    share.takeReads(54);
    expect(share.wait(1)).toBeGreaterThan(0);
  });

  test('takes less than a tenth of the budget in an hour of open differences on spot, margin and futures, and says that it waits', () => {
    const { world, reads } = hourOfDoubt({});
    expect(reads).toBeLessThan(budget / 10);
    expect(reads).toBeGreaterThan(budget / 20);
    const notes = world.ofKind('strategyNoted').map(({ text }) => text);
    expect(notes[0]).toMatch(
      /^looks at the account have used up their tenth of the budget for reads: the next one waits until 20/,
    );
    expect(notes.length).toBeLessThanOrEqual(7);
  });

  test('is hardly used while nothing differs', () => {
    for (const products of [['spot'], ['spot', 'margin', 'futures']] as const) {
      const { world, venue } = running({ products });
      const before = venue.reads.length;
      world.clock.advance(seconds(anHour));
      const reads = venue.reads.length - before;
      expect(reads).toBeLessThan(budget / 100);
    }
  });

  test('holds up no look after an outage', () => {
    const { world, venue } = hourOfDoubt({ readRate: 0.1 });
    const before = venue.reads.length;
    venue.down();
    venue.up();
    world.clock.advance(seconds(1));
    expect(venue.reads.length).toBeGreaterThan(before);
    expect(world.orders.reconciled).toBe(true);
  });

  const halted = { kind: 'modeChanged', mode: 'halted', why: 'by hand', latched: true } as const;

  test.each([
    ['trading halts', (world: World) => world.step({ ...halted, ...world.times })],
    [
      'its strategy is stopped',
      (world: World) =>
        world.step({ kind: 'strategyStopped', ...world.times, strategy: 'maker', why: 'it threw' }),
    ],
  ])(
    'does not keep an order alive whose cancel fails when %s: one look of each halt goes ahead',
    (_, halt) => {
      const { world, venue } = running({ readRate: 0.1 });
      const id = world.place() as ClientOrderId;
      world.clock.advance(seconds(10));
      venue.cancelManner = 'refused';
      halt(world);
      world.clock.advance(seconds(5));
      // The second one failed, too: looks keep to their share from then on.
      expect(venue.cancels).toEqual([id, id]);
      halt(world);
      world.clock.advance(seconds(5));
      expect(venue.cancels.length).toBe(4);
    },
  );

  test('is kept to when a cancel fails that a strategy wished for, and by all but ten looks a minute', () => {
    const { world, venue } = running({ readRate: 0.1 });
    const id = world.place() as ClientOrderId;
    world.clock.advance(seconds(10));
    venue.cancelManner = 'refused';
    world.want({ action: 'cancelAll', strategy: 'maker', instrument: undefined });
    world.clock.advance(seconds(5));
    expect(venue.cancels).toEqual([id]);
    const looks = (): number => venue.reads.filter(({ what }) => what.of === 'balances').length;
    const before = looks();
    for (let i = 0; i < 20; i++) {
      world.step({ ...halted, ...world.times });
      world.clock.advance(seconds(1));
    }
    expect(looks() - before).toBe(10);
  });
});
