import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { L3Engine } from '../support/l3-harness.ts';
import { L3Harness, l3Engines } from '../support/l3-harness.ts';
import { NaiveFifo } from '../support/naive-fifo.ts';

interface Step {
  readonly what: 'joins' | 'ours' | 'cancel' | 'leaves' | 'executes' | 'changes' | 'hidden' | 'retold';
  readonly side: 'bid' | 'ask';
  readonly price: number;
  readonly lots: number;
  /** Which of the orders there were. */
  readonly pick: number;
}

const step: fc.Arbitrary<Step> = fc.record({
  what: fc.constantFrom('joins', 'joins', 'ours', 'ours', 'cancel', 'leaves', 'executes', 'executes', 'changes', 'hidden', 'hidden', 'retold'), // prettier-ignore
  side: fc.constantFrom('bid', 'ask'),
  price: fc.integer({ min: 99, max: 102 }),
  lots: fc.integer({ min: 1, max: 9 }),
  pick: fc.nat(40),
});

/** One market twice: through an engine, and as a list. */
class Twin {
  readonly #name: L3Engine;
  readonly #engine: L3Harness;
  readonly #naive = new NaiveFifo();
  readonly #recorded: { id: string; side: 'bid' | 'ask' }[] = [];
  readonly #ours: string[] = [];
  #count = 0;

  constructor(engine: L3Engine) {
    this.#name = engine;
    this.#engine = new L3Harness(engine);
  }

  /** Fills of ours by each of the two in this step. */
  run({ what, side, price, lots, pick }: Step): readonly [string[], string[]] {
    const engine = this.#engine;
    const naive = this.#naive;
    const living = this.#recorded.filter((one) => naive.lotsOf(one.id) > 0);
    const { id, side: received = 'bid' } = living[pick % living.length] ?? {};
    this.#count += 1;
    if (what === 'joins' && !this.#crosses(side, price, false)) {
      const fresh = `r${this.#count}`;
      this.#recorded.push({ id: fresh, side });
      engine.joins(fresh, side, price, lots);
      naive.joins(fresh, false, side, price, lots);
    } else if (what === 'ours' && !this.#crosses(side, price, false) && !this.#crosses(side, price, true)) {
      const mine = `mine-${String(this.#count).padStart(4, '0')}`;
      this.#ours.push(mine);
      engine.harness.order(mine, side === 'bid' ? 'buy' : 'sell', { price, quantity: lots });
      naive.joins(mine, true, side, price, lots);
    } else if (what === 'cancel') {
      const mine = this.#ours[pick % this.#ours.length];
      if (mine !== undefined && naive.lotsOf(mine) > 0) {
        engine.harness.cancel(mine);
        naive.loses(mine, naive.lotsOf(mine));
      }
    } else if (what === 'hidden') {
      // Among shadow orders, what has met ours is gone, and no longer ahead of them as the list has it.
      if (this.#name === 'shadow') return [[], []];
      engine.unseen('hidden', side, price, lots);
      naive.hidden(side, price, lots);
    } else if (what === 'retold') {
      engine.retold();
    } else if (id !== undefined) {
      if (what === 'leaves') {
        engine.leaves(id, lots);
        naive.loses(id, lots);
      } else if (what === 'executes') {
        engine.executes([id, lots]);
        naive.executes(id, lots);
      } else if (
        what === 'changes' &&
        !this.#crosses(received, price, false) &&
        !this.#crosses(received, price, true)
      ) {
        engine.changes(id, price, lots);
        naive.changes(id, price, lots);
      }
    }
    const fills = naive.fills;
    naive.fills = [];
    const delivered = engine.harness.received().flatMap((line) => {
      const [mine, report, fill] = line.split(' ');
      return report === 'trade' ? [`${mine} ${fill}`] : [];
    });
    return [delivered, fills];
  }

  #crosses(side: 'bid' | 'ask', price: number, isOurs: boolean): boolean {
    const best = this.#naive.best(side === 'bid' ? 'ask' : 'bid', isOurs);
    return best !== undefined && (side === 'bid' ? price >= best : price <= best);
  }
}

describe.each(l3Engines)('whatever happens to single orders (%s)', (engine) => {
  test('ours fill as in a list of all orders', () => {
    let filled = 0;
    fc.assert(
      fc.property(fc.array(step, { minLength: 60, maxLength: 160 }), (steps) => {
        const twin = new Twin(engine);
        for (const one of steps) {
          const [delivered, expected] = twin.run(one);
          expect(delivered).toEqual(expected);
          filled += expected.length;
        }
      }),
      { numRuns: 60 },
    );
    expect(filled).toBeGreaterThan(100);
  });
});
