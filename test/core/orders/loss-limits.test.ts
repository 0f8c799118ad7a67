import { describe, expect, test } from 'vitest';
import { formatAmount, parseAmount, zero } from '../../../src/core/base/amount.ts';
import type { Micros } from '../../../src/core/base/clock.ts';
import { BadInput } from '../../../src/core/base/errors.ts';
import { seconds } from '../../../src/core/base/clock.ts';
import type { Event } from '../../../src/core/model/event.ts';
import type { Lots, Ticks } from '../../../src/core/model/instrument.ts';
import type { ClientOrderId, OrderRequest } from '../../../src/core/model/order.ts';
import { runProfits } from '../../../src/core/orders/base/profit.ts';
import { heldRows } from '../../../src/operate/views/positions.ts';
import { accountOf, contract, reportAccount } from './support/margin.ts';
import type { WorldParts } from './support/world.ts';
import { World } from './support/world.ts';

interface Limit {
  readonly day?: string;
  readonly drawdown?: string;
  readonly losingTrades?: number;
  readonly action?: 'reducing' | 'halted';
  readonly cooldownMs?: number;
}
type Limits = Readonly<Record<string, Limit>>;

/** A lot is 0.1 and a tick 0.01: ten lots that fall by 1,000 ticks lose 10 BBB. */
function begin(loss: Limits, parts: Omit<WorldParts, 'options'> = {}): World {
  const options = { loss, collarPercent: 100, duplicateMs: 0 };
  const world = new World({ ...parts, options, ready: false });
  world.step({ kind: 'runStarted', ...world.times, run: world.run, mode: 'live' });
  if (parts.ready !== false) world.makeReady();
  world.clock.advance(seconds(1));
  return world;
}

/** The middle is at `ticks` a second later, in which profits are valued. */
function move(world: World, ticks: number, index = 0): void {
  world.market(index, ticks - 100, ticks + 100);
  world.clock.advance(seconds(1));
}

function latches(world: World): readonly string[] {
  return world.state.losses.latches.map(({ strategy, limit, action }) => `${strategy} ${limit} ${action}`);
}

const sell = { side: 'sell', price: 9_000 as Ticks } as const;
const ofTaker = (world: World): Partial<OrderRequest> => ({ clientOrderId: world.idOf('taker') });

describe('a position of others whose book nobody follows', () => {
  /** Ten lots of a contract that were bought at 100.00 by hand: its book never came. */
  function beside(loss: Limits, price?: number): World {
    const world = begin(loss, { products: ['spot', 'margin', 'futures'] });
    if (price !== undefined) world.market(contract, price - 100, price + 100);
    const { id } = world.instrument(contract);
    world.step({
      kind: 'marginFound',
      ...world.times,
      finding: 'positionBefore',
      account: { product: 'futures', mode: 'isolated', instrument: id, currency: 'BBB' },
      position: id,
      lots: 10,
      price: parseAmount('100'),
      halts: false,
      why: 'it was there before this journal began',
    });
    return world;
  }

  const venueSays = (world: World, pnl: string): void => {
    const account = accountOf(world, { index: contract, lots: 10 });
    const positions = account.positions.map((one) => ({ ...one, pnl: parseAmount(pnl) }));
    reportAccount(world, { index: contract, lots: 10, changes: { positions } });
    world.clock.advance(seconds(1));
  };

  test('does not keep the account from being watched', () => {
    const world = beside({ BBB: { day: '10' } });
    world.hold(10);
    move(world, 9_000);
    expect(latches(world)).toEqual(['undefined day reducing']);
  });

  test('counts in the step in which it is found', () => {
    expect(latches(beside({ BBB: { day: '10' } }, 9_900))).toEqual([]);
    expect(latches(beside({ BBB: { day: '10' } }, 5_000))).toEqual(['undefined day reducing']);
  });

  test('is worth what the venue says of it', () => {
    const world = beside({ BBB: { day: '10' } });
    const profit = () => runProfits(world.state).map((one) => formatAmount(one.profit ?? zero));
    world.hold(10);
    move(world, 9_500);
    expect(profit()).toEqual(['-5']);
    venueSays(world, '2.5');
    expect(profit()).toEqual(['-2.5']);
    venueSays(world, '-4.99');
    expect(latches(world)).toEqual([]);
    venueSays(world, '-5');
    expect(latches(world)).toEqual(['undefined day reducing']);
    expect(heldRows({ view: world.state, instruments: world.instruments }).at(-1)).toMatchObject({
      strategy: 'external',
      price: null,
      unrealized: '-5',
      profit: '-5',
    });
  });
});

describe('the limit on the loss of a day', () => {
  test('is reached at its amount, not a tick before', () => {
    const world = begin({ BBB: { day: '10' } });
    world.hold(10);
    move(world, 9_001);
    expect(latches(world)).toEqual([]);
    move(world, 9_000);
    expect(latches(world)).toEqual(['undefined day reducing']);
    expect(world.state.losses.latches[0]?.why).toBe(
      'the limit on the loss of a day of the account was reached: 10 BBB lost, the limit is 10',
    );
  });

  test('is not reached because a side of a crossed book is far too low', () => {
    const world = begin({ BBB: { day: '10' } });
    world.hold(10);
    world.book(0, 10_000, 100);
    world.clock.advance(seconds(1));
    expect(latches(world)).toEqual([]);
    // The profit of the run is not reckoned otherwise.
    expect(runProfits(world.state)[0]?.profit).toBe(zero);
  });

  test('lets only orders pass that reduce, and cancels what does not', () => {
    const world = begin({ BBB: { day: '10' } });
    world.hold(10);
    const bid = world.rest({ price: 8_000 as Ticks });
    const ask = world.rest({ side: 'sell', price: 12_000 as Ticks, quantity: 4 as Lots });
    move(world, 9_000);
    expect(world.state.order(bid)?.cancelPending).toBe(true);
    expect(world.state.order(ask)?.cancelPending).toBe(false);
    world.report(bid, 'canceled');
    expect(world.place({ price: 8_900 as Ticks })).toBe('LOSS_LIMIT');
    expect(world.place({ ...sell, quantity: 7 as Lots })).toBe('LOSS_LIMIT');
    expect(world.place({ ...sell, quantity: 6 as Lots })).toMatch(/^gw-/);
  });

  test('counts from the beginning of each UTC day', () => {
    const world = begin({ BBB: { day: '10' } });
    world.hold(10);
    move(world, 9_500);
    const { day = 0 } = world.state.losses.mark({ strategy: undefined, currency: 'BBB' }) ?? {};
    const midnight = ((day + 1) * 86_400_000_000) as Micros;
    world.clock.advance((midnight - world.clock.now()) as Micros);
    move(world, 8_600);
    expect(latches(world)).toEqual([]);
    move(world, 8_500);
    expect(latches(world)).toEqual(['undefined day reducing']);
  });
});

describe('the limit on drawdown', () => {
  test('is reached when the profit falls from its peak by the amount, not a tick before', () => {
    const world = begin({ BBB: { drawdown: '10', action: 'halted' } });
    world.hold(10);
    move(world, 12_000);
    move(world, 11_001);
    expect(latches(world)).toEqual([]);
    move(world, 11_000);
    expect(latches(world)).toEqual(['undefined drawdown halted']);
  });

  test('counts from the peak of before a restart', () => {
    const before = begin({ BBB: { drawdown: '10', action: 'halted' } });
    before.hold(10);
    move(before, 12_000);
    move(before, 11_500);
    const world = begin(
      { BBB: { drawdown: '10', action: 'halted' } },
      { after: before, run: 'r2', ready: false },
    );
    move(world, 11_001);
    expect(latches(world)).toEqual([]);
    move(world, 11_000);
    expect(latches(world)).toEqual(['undefined drawdown halted']);
  });

  test('halted: nothing leaves, and all that lives is canceled', () => {
    const world = begin({ BBB: { drawdown: '10', action: 'halted' } });
    world.hold(10);
    const ask = world.rest({ side: 'sell', price: 12_000 as Ticks });
    move(world, 9_000);
    expect(world.state.order(ask)?.cancelPending).toBe(true);
    expect(world.place({ ...sell })).toBe('LOSS_LIMIT');
  });
});

describe('the limit on losing trades', () => {
  const trade = (world: World, price: number): void => {
    world.hold(10);
    const id = world.rest({ side: 'sell', price: price as Ticks });
    world.fill(id, 10);
    world.clock.advance(seconds(6));
  };

  test('is reached by as many in a row, and one that wins begins anew', () => {
    const world = begin({ BBB: { losingTrades: 2 } });
    trade(world, 9_990);
    trade(world, 10_010);
    trade(world, 9_990);
    expect(latches(world)).toEqual([]);
    trade(world, 9_990);
    expect(latches(world)).toEqual(['undefined losingTrades reducing']);
    expect(world.place()).toBe('LOSS_LIMIT');
  });
});

describe('whose loss it is', () => {
  test('the limit of one strategy leaves the others alone', () => {
    const world = begin({}, { limits: { maker: { loss: { BBB: { day: '10' } } } } });
    world.hold(10);
    move(world, 9_000);
    expect(latches(world)).toEqual(['maker day reducing']);
    expect(world.place({ price: 8_900 as Ticks })).toBe('LOSS_LIMIT');
    expect(world.place({ ...ofTaker(world), price: 8_900 as Ticks }, 'taker')).toMatch(/^gw-/);
  });

  test('two limits reached in the same instant both hold, and the stricter one decides', () => {
    const world = begin(
      { BBB: { day: '10' } },
      { limits: { maker: { loss: { BBB: { drawdown: '10', action: 'halted' } } } } },
    );
    world.hold(10);
    move(world, 9_000);
    expect(latches(world)).toEqual(['undefined day reducing', 'maker drawdown halted']);
    expect(world.place({ ...sell })).toBe('LOSS_LIMIT');
  });

  test('losses of two strategies add up for the account', () => {
    const world = begin({ BBB: { day: '20' } });
    world.hold(10);
    world.hold(10, 'taker');
    move(world, 9_001);
    expect(latches(world)).toEqual([]);
    move(world, 9_000);
    expect(latches(world)).toEqual(['undefined day reducing']);
  });

  test('a currency in which no symbol is priced is refused', () => {
    expect(() => begin({ XYZ: { day: '1' } })).toThrow(
      new BadInput('orders.loss: no symbol of this run is priced in XYZ'),
    );
  });
});

describe('orders under way', () => {
  test('one that has no answer yet when the limit is reached is canceled', () => {
    const world = begin({ BBB: { day: '10' } });
    world.hold(10);
    const pending = world.place({ price: 8_000 as Ticks }) as ClientOrderId;
    move(world, 9_000);
    expect(world.state.order(pending)?.cancelPending).toBe(true);
  });

  test('an unknown order counts as if it had executed where that costs most', () => {
    // Ten lots at 110 while the middle is at 100: 10 BBB, and a fee of 0.22.
    for (const [limit, expected] of [
      ['10.23', []],
      ['10.22', ['undefined day reducing']],
    ] as const) {
      const world = begin({ BBB: { day: limit } });
      const id = world.place({ price: 11_000 as Ticks }) as ClientOrderId;
      world.unanswered(id);
      world.clock.advance(seconds(1));
      expect(latches(world)).toEqual(expected);
    }
  });

  test('the fee rate that an unknown order asks for counts, too', () => {
    // 110 at 0.3 % instead of 0.2 % is a fee of 0.33.
    for (const [limit, expected] of [
      ['10.34', []],
      ['10.33', ['undefined day reducing']],
    ] as const) {
      const world = begin({ BBB: { day: limit } });
      const takeRate = parseAmount('0.001');
      world.unanswered(world.place({ price: 11_000 as Ticks, takeRate }) as ClientOrderId);
      world.clock.advance(seconds(1));
      expect(latches(world)).toEqual(expected);
    }
  });

  test('the limit is looked at before an intent is judged, not a second later', () => {
    const world = begin({ BBB: { day: '10' } });
    world.hold(10);
    world.market(0, 8_900, 9_100);
    expect(latches(world)).toEqual([]);
    expect(world.place({ price: 8_900 as Ticks })).toBe('LOSS_LIMIT');
  });
});

describe('the end of a limit', () => {
  test('after its time it is cleared, and losses count from there', () => {
    const world = begin({ BBB: { day: '10', cooldownMs: 60_000 } });
    world.hold(10);
    move(world, 9_000);
    world.clock.advance(seconds(58));
    expect(latches(world)).toHaveLength(1);
    world.clock.advance(seconds(2));
    expect(latches(world)).toEqual([]);
    move(world, 8_001);
    expect(latches(world)).toEqual([]);
    move(world, 8_000);
    expect(latches(world)).toHaveLength(1);
  });

  test('it holds over a restart, before any price is known', () => {
    const before = begin({ BBB: { day: '10' } });
    before.hold(10);
    move(before, 9_000);
    const world = begin({ BBB: { day: '10' } }, { after: before, run: 'r2', ready: false });
    expect(latches(world)).toEqual(['undefined day reducing']);
  });

  test('what a day had lost before a restart still counts', () => {
    const before = begin({ BBB: { day: '10' } });
    before.hold(10);
    move(before, 9_500);
    const world = begin({ BBB: { day: '10' } }, { after: before, run: 'r2', ready: false });
    move(world, 9_001);
    expect(latches(world)).toEqual([]);
    move(world, 9_000);
    expect(latches(world)).toEqual(['undefined day reducing']);
  });

  test('an operator who clears it before prices are known begins the count with the first of them', () => {
    const world = begin({ BBB: { day: '10' } });
    world.hold(10);
    move(world, 9_000);
    const scope = { strategy: undefined, currency: 'BBB' } as const;
    const cleared: Event = {
      kind: 'lossLimitCleared',
      ...world.times,
      ...scope,
      limit: 'day',
      why: 'cleared by the operator',
      profit: undefined,
    };
    world.step(cleared);
    move(world, 8_900);
    const { dayStart } = world.state.losses.mark(scope) ?? {};
    expect(dayStart !== undefined && formatAmount(dayStart)).toBe('-11');
    expect(latches(world)).toEqual([]);
  });
});

describe('a hedge', () => {
  const other = { side: 'sell', price: 9_000 as Ticks } as const;

  test.each(['reducing', 'halted'] as const)('is closed, not broken apart, while %s', (action) => {
    const world = begin({ BBB: { day: '10', action } }, { hedges: [[0, 1]] });
    const instrument = world.instrument(1).id;
    world.hold(10);
    const leg = world.rest({ side: 'sell', price: 12_000 as Ticks, quantity: 4 as Lots, instrument });
    move(world, 9_000);
    expect(latches(world)).toEqual([`undefined day ${action}`]);
    expect(world.state.order(leg)?.cancelPending).toBe(false);
    expect(world.place({ ...other, instrument, quantity: 7 as Lots })).toBe('LOSS_LIMIT');
    expect(world.place({ ...other, instrument, quantity: 6 as Lots })).toMatch(/^gw-/);
    expect(world.place({ ...other, side: 'buy', instrument, quantity: 1 as Lots })).toBe('LOSS_LIMIT');
  });
});
