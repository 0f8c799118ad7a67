import { describe, expect, test } from 'vitest';
import { parseAmount } from '../../../src/core/base/amount.ts';
import { millis, seconds } from '../../../src/core/base/clock.ts';
import { fullCapabilities } from '../../../src/core/model/capabilities.ts';
import type { ReadBook } from '../../../src/core/model/event.ts';
import type { Lots, Ticks } from '../../../src/core/model/instrument.ts';
import type { Level } from '../../../src/core/model/market.ts';
import { shownDifferences } from '../../../src/core/state/differences.ts';
import { FakeVenue } from './support/fake-venue.ts';
import type { WorldParts } from './support/world.ts';
import { World } from './support/world.ts';

const withBooks: WorldParts = {
  ready: false,
  options: { reconcile: { booksEveryMs: 600_000, everyMs: 3_600_000 } },
  capabilities: { ...fullCapabilities, bookReads: true },
};

type Row = readonly [price: number, lots: number];

/** A world with an order of ours on the first book, and a venue that shows that book as `shows` says. */
class Scene {
  readonly world: World;
  readonly venue: FakeVenue;
  bids: readonly Row[] = [[9_900, 1_000]];
  asks: readonly Row[] = [[10_100, 1_000]];
  /** How much older than now the answers are. */
  age = 0;
  depth = 100;

  constructor(parts: WorldParts = {}) {
    this.world = new World({ ...withBooks, ...parts });
    this.venue = new FakeVenue(this.world);
    this.world.step({ kind: 'runStarted', ...this.world.times, run: this.world.run, mode: 'live' });
    this.world.market();
    this.world.money({ AAA: '1000', BBB: '1000000', CCC: '1000' });
    this.venue.bookOf = (): ReadBook => ({
      time: (this.world.clock.now() - this.age) as ReadBook['time'],
      bids: levels(this.bids),
      asks: levels(this.asks),
      depth: this.depth,
    });
    this.venue.up();
    this.world.clock.advance(seconds(1));
    this.world.place({ price: 9_800 as Ticks });
    this.world.clock.advance(seconds(1));
  }

  /** Goes on, with a price that moves at the touch ten times a second, as it does in a market. */
  pass(time: number): void {
    for (let left = time; left > 0; left -= millis(100)) {
      this.world.clock.advance(millis(100));
      this.tick();
    }
  }

  #lots = 5;
  tick(): void {
    this.#lots = (this.#lots % 7) + 5;
    const bids = this.bids.filter(([price]) => price !== 9_950);
    this.bids = [[9_950, this.#lots], ...bids];
    this.world.update(0, [0, 9_950, this.#lots]);
  }

  /** The venue deletes a level and the stream does not say so. */
  loses(price: number): void {
    this.bids = this.bids.filter(([at]) => at !== price);
    this.asks = this.asks.filter(([at]) => at !== price);
  }

  get reads(): number {
    return this.venue.reads.filter(({ what }) => what.of === 'book').length;
  }

  get rows() {
    return this.world.state.differences.all.filter(({ kind }) => kind === 'book');
  }
}

function levels(rows: readonly Row[]): readonly Level[] {
  return rows.map(([price, lots]) => ({ price: price as Ticks, quantity: lots as Lots }));
}

describe('a book with live orders', () => {
  test('is compared with one read every ten minutes, and normal movement is no difference', () => {
    const scene = new Scene();
    scene.pass(seconds(595));
    expect(scene.reads).toBe(0);
    scene.pass(seconds(1_210));
    expect(scene.reads).toBe(3);
    expect(scene.world.ofKind('differenceFound')).toEqual([]);
    expect(scene.world.refetched).toEqual([]);
    // The other book has no order of ours.
    expect(new Set(scene.venue.reads.map(({ what }) => what.of === 'book' && what.instrument))).toContain(
      scene.world.instrument().id,
    );
    expect(
      scene.venue.reads.some(
        ({ what }) => what.of === 'book' && what.instrument !== scene.world.instrument().id,
      ),
    ).toBe(false);
  });

  test('that has lost a deletion is a row after one read, and stale and fetched anew after two; a read that agrees ends it', () => {
    const scene = new Scene();
    scene.world.update(0, [1, 10_200, 40]);
    scene.loses(10_200);
    scene.pass(seconds(602));
    expect(scene.rows).toMatchObject([
      {
        reads: 1,
        amount: parseAmount('-4'),
        unit: 'AAA',
        cause: 'the book of AAABBB has 4.0 at the ask 102.00 by its stream, and 0.0 by a read of it',
      },
    ]);
    const [row] = shownDifferences(scene.rows, scene.world.orders.looks);
    expect((row?.nextLook ?? 0) - scene.world.clock.now()).toBeLessThan(seconds(5));
    expect([row]).toMatchObject([
      {
        endsWhen: 'a read of the book shows the levels of the stream',
        action: 'after two reads the book is stale and fetched anew',
      },
    ]);
    expect(scene.world.refetched).toEqual([]);
    scene.pass(seconds(7));
    expect(scene.world.refetched).toEqual([scene.world.instrument().id]);
    expect(scene.rows).toMatchObject([{ reads: 2 }]);
    scene.world.book(0, 9_900, 10_100);
    scene.bids = [[9_900, 1_000]];
    scene.pass(seconds(8));
    expect(scene.rows).toEqual([]);
    expect(scene.world.ofKind('differenceEnded').map(({ why }) => why)).toEqual([
      'a read of the book shows the levels of the stream',
    ]);
    const reads = scene.reads;
    scene.pass(seconds(500));
    expect(scene.reads).toBe(reads);
  });

  test.each([
    ['a level that the stream never heard of', (scene: Scene) => (scene.asks = [...scene.asks, [10_300, 7]])],
    ['another quantity', (scene: Scene) => (scene.bids = [[9_900, 999]])],
    ['an empty side', (scene: Scene) => (scene.asks = [])],
  ])('that differs by %s is fetched anew too', (_what, change) => {
    const scene = new Scene();
    change(scene);
    scene.pass(seconds(610));
    expect(scene.world.refetched).toHaveLength(1);
  });

  test('whose level flickers, or is changed while reads are compared, is left alone', () => {
    const scene = new Scene();
    let at = 0;
    // The read always meets the level as the stream does not have it before and after.
    scene.venue.bookOf = () => {
      at += 1;
      scene.world.update(0, [1, 10_200, 41]);
      scene.world.update(0, [1, 10_200, 40]);
      return {
        time: scene.world.clock.now(),
        bids: levels(scene.bids),
        asks: levels([...scene.asks, [10_200, 41]]),
        depth: 100,
      };
    };
    scene.world.update(0, [1, 10_200, 40]);
    scene.pass(seconds(1_900));
    expect(at).toBe(3);
    expect(scene.world.ofKind('differenceFound')).toEqual([]);
    // A stream that is late by more than a second: the row ends with the read that agrees.
    const late = new Scene();
    late.world.update(0, [1, 10_200, 40]);
    late.loses(10_200);
    late.pass(seconds(602));
    expect(late.rows).toHaveLength(1);
    late.world.update(0, [1, 10_200, 0]);
    late.pass(seconds(8));
    expect(late.rows).toEqual([]);
    expect(late.world.refetched).toEqual([]);
  });

  test('is judged by no answer that is older than its stream, which is reported once', () => {
    const scene = new Scene();
    scene.age = seconds(10);
    scene.loses(9_900);
    scene.pass(seconds(1_900));
    expect(scene.world.refetched).toEqual([]);
    expect(scene.world.ofKind('differenceFound')).toEqual([]);
    expect(scene.reads).toBe(9);
    expect(scene.world.ofKind('strategyNoted').map(({ text }) => text)).toEqual([
      'the book of AAABBB could not be compared: 3 reads were older than its stream, or could not be had or read; it is tried again every 600 s',
    ]);
  });

  test('is compared as deep as the answer goes', () => {
    const scene = new Scene();
    scene.world.update(0, [0, 9_800, 3], [1, 10_400, 3]);
    scene.depth = 2;
    scene.pass(seconds(300));
    scene.bids = scene.bids.slice(0, 2);
    scene.asks = [
      [10_100, 1_000],
      [10_300, 2],
    ];
    scene.world.update(0, [1, 10_300, 2]);
    scene.pass(seconds(310));
    expect(scene.world.ofKind('differenceFound')).toEqual([]);
  });

  test('of a venue whose reads never agree is fetched anew ever more seldom, and its row stays', () => {
    const scene = new Scene();
    scene.bids = [[9_900, 999]];
    for (let round = 0; round < 360; round++) {
      const before = scene.world.refetched.length;
      scene.pass(seconds(10));
      if (scene.world.refetched.length > before) scene.world.book(0, 9_900, 10_100);
      scene.bids = [[9_900, 999]];
    }
    expect(scene.rows).toHaveLength(1);
    expect(scene.world.refetched.length).toBeGreaterThan(5);
    expect(scene.world.refetched.length).toBeLessThan(12);
  });

  test('is looked at again after a restart, and its row ends when its symbol works no longer', () => {
    const scene = new Scene();
    scene.bids = [[9_900, 999]];
    scene.pass(seconds(602));
    expect(scene.rows).toHaveLength(1);
    const world = new World({ ...withBooks, after: scene.world, run: 'r2' });
    scene.venue.attach(world);
    world.market();
    scene.venue.up(world);
    const { id: instrument } = world.instrument();
    world.step({ kind: 'instrumentChanged', ...world.times, instrument, status: 'suspended' });
    world.clock.advance(seconds(10));
    expect(world.state.differences.all.filter(({ kind }) => kind === 'book')).toEqual([]);
  });

  test('is not compared where the venue has no such reads', () => {
    const scene = new Scene({ capabilities: fullCapabilities });
    scene.loses(9_900);
    scene.pass(seconds(700));
    expect(scene.reads).toBe(0);
    expect(scene.world.state.differences.all).toEqual([]);
  });
});
