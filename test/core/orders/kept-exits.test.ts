import { describe, expect, test } from 'vitest';
import { seconds } from '../../../src/core/base/clock.ts';
import type { TradingMode } from '../../../src/core/model/event.ts';
import type { Lots, Ticks } from '../../../src/core/model/instrument.ts';
import type { ClientOrderId, OrderRequest, VenueOrder } from '../../../src/core/model/order.ts';
import { FakeVenue } from './support/fake-venue.ts';
import { accountOf, contract, holdMargin, margined, marginWorld, reducing } from './support/margin.ts';
import type { WorldParts } from './support/world.ts';
import { World, venueOrder } from './support/world.ts';

// Faults, O10: what only reduces outlives the end of a run and its start.

const ticks = (price: number): Ticks => price as Ticks;
const lots = (count: number): Lots => count as Lots;

const profit = { side: 'sell', price: ticks(10_300) } as const;
const stop = { side: 'sell', type: 'stopLimit', stopPrice: ticks(9_700), price: ticks(9_690) } as const;

/** Of a stop that closes a position: it names neither price nor quantity. */
const atMarket = { type: 'stopMarket', timeInForce: 'IOC', price: undefined } as const;

/** A stop that the venue has accepted. */
function waits(world: World, changes: Partial<OrderRequest>): ClientOrderId {
  const id = world.place({ ...stop, ...changes }) as ClientOrderId;
  world.report(id, 'suspended');
  return id;
}

function begin(world: World, mode: 'live' | 'sim' | 'paper' | 'backtest' = 'live'): void {
  world.step({ kind: 'runStarted', ...world.times, run: world.run, mode });
  world.makeReady();
}

function halt(world: World, latched: boolean): void {
  const mode: TradingMode = 'halted';
  world.step({ kind: 'modeChanged', ...world.times, mode, why: 'a test', latched });
}

function end(world: World): void {
  for (const strategy of ['maker', 'taker'])
    world.step({ kind: 'strategyStopped', ...world.times, strategy, why: 'unloaded' });
  halt(world, false);
}

const going = (world: World): readonly ClientOrderId[] =>
  world.ofKind('cancelPending').map(({ command }) => command.clientOrderId);
const warnings = (world: World): readonly string[] =>
  world.ofKind('strategyNoted').flatMap(({ level, text }) => (level === 'warn' ? [text] : []));

/** Ten lots held, a take-profit and a stop of six and four, and a bid. */
function spotWorld(parts: WorldParts = {}): {
  world: World;
  exits: readonly ClientOrderId[];
  bid: ClientOrderId;
} {
  const world = new World(parts);
  begin(world);
  world.hold(10);
  const exits = [world.rest({ ...profit, quantity: lots(6) }), waits(world, { quantity: lots(4) })];
  return { world, exits, bid: world.rest({ price: ticks(9_900) }) };
}

/** A leveraged position with a take-profit and a stop that closes it. */
function leveraged(index = contract): {
  world: World;
  exits: readonly ClientOrderId[];
  entry: ClientOrderId;
} {
  const world = marginWorld({ options: { marketOrders: true, marketSpreadPercentMax: 5 } });
  begin(world);
  world.market(contract);
  holdMargin(world, 10, { index });
  const instrument = world.instrument(index).id;
  const reduce: Partial<OrderRequest> = { instrument, margin: reducing };
  const closing = { ...reducing, reduceOnly: false, closePosition: true };
  const entry = world.rest({ instrument, price: ticks(9_900), margin: { ...reducing, reduceOnly: false } });
  const exits = [
    world.rest({ ...reduce, ...profit }),
    waits(world, { ...atMarket, instrument, quantity: lots(0), margin: closing }),
  ];
  return { world, exits, entry };
}

/** A venue that lists to a world the orders of another one; `reported`: what it says otherwise. */
function listing(to: World, from: World, noted: Partial<VenueOrder>): FakeVenue {
  const venue = new FakeVenue(to);
  for (const order of from.state.openOrders()) {
    const state = order.stopPrice === undefined ? 'new' : 'suspended';
    venue.put({ ...venueOrder(order, from.clock.now()), state, ...noted });
  }
  return venue;
}

/** The next run of a world, on a venue that has its orders. */
function nextRun(
  world: World,
  parts: WorldParts = {},
  noted: Partial<VenueOrder> = {},
): { next: World; venue: FakeVenue } {
  const next = new World({ after: world, run: 'r2', ready: false, ...parts });
  const venue = listing(next, world, noted);
  next.step({ kind: 'runStarted', ...next.times, run: 'r2', mode: 'live' });
  next.market();
  venue.up(next);
  next.clock.advance(seconds(1));
  return { next, venue };
}

describe('the end of a run', () => {
  test('keeps the exits of a position and cancels the rest', () => {
    const { world, exits, bid } = spotWorld();
    end(world);
    expect(going(world)).toEqual([bid]);
    expect(world.orders.kept.map(({ clientOrderId }) => clientOrderId)).toEqual(exits);
    expect(warnings(world)).toEqual([]);
  });

  test('keeps take-profit and stop of a leveraged position', () => {
    const { world, entry } = leveraged();
    end(world);
    expect(going(world)).toEqual([entry]);
    expect(world.orders.kept).toHaveLength(2);
  });

  test('keeps both orders of a list of which one cancels the other', () => {
    const world = new World();
    begin(world);
    world.hold(10);
    const ids = [world.ids.next(), world.ids.next()] as const;
    const list = { contingency: 'oneCancelOther', orders: ids } as const;
    const requests = [
      world.request({ ...profit, clientOrderId: ids[0], list }),
      world.request({ ...stop, clientOrderId: ids[1], list }),
    ];
    world.want({ action: 'placeList', strategy: 'maker', contingency: 'oneCancelOther', requests });
    world.report(ids[0], 'new');
    world.report(ids[1], 'suspended');
    end(world);
    expect(going(world)).toEqual([]);
  });

  test('cancels what would sell more than is held, the newest of them', () => {
    const { world, exits, bid } = spotWorld();
    const more = world.rest({ ...profit, price: ticks(10_310), quantity: lots(3) });
    end(world);
    expect(going(world).toSorted()).toEqual([bid, more].toSorted());
    expect(world.orders.kept.map(({ clientOrderId }) => clientOrderId)).toEqual(exits);
  });

  test('cancels all where the configuration says so, and names what protected a position', () => {
    const { world, exits } = spotWorld({ options: { onStop: 'cancel' } });
    end(world);
    expect(going(world)).toHaveLength(3);
    expect(warnings(world)).toEqual([
      `order ${exits[0]} (sell limit 0.6 at 103.00) protects the position of 1.0 AAABBB; it is being cancelled (orders.onStop: cancel)`,
      `order ${exits[1]} (sell stopLimit 0.4 stop 97.00 at 96.90) protects the position of 1.0 AAABBB; it is being cancelled (orders.onStop: cancel)`,
    ]);
  });

  test('of a backtest and on paper cancels all, without a word', () => {
    for (const mode of ['backtest', 'paper'] as const) {
      const world = new World();
      begin(world, mode);
      world.hold(10);
      const exit = world.rest(profit);
      end(world);
      expect([going(world), warnings(world)]).toEqual([[exit], []]);
    }
  });
});

describe('a halt that evidence ends', () => {
  function unread(world: World, isOver = false): void {
    const mode: TradingMode = isOver ? 'active' : 'halted';
    const why = isOver ? 'read' : 'a row cannot be read';
    world.step({ kind: 'modeChanged', ...world.times, mode, why, latched: false, unread: !isOver });
  }
  const notes = (world: World): readonly string[] =>
    world.ofKind('strategyNoted').flatMap(({ level, text }) => (level === 'info' ? [text] : []));

  test.each([
    ['of spot', () => spotWorld()],
    ['that is leveraged', () => ({ ...leveraged(), bid: undefined })],
  ])('leaves what protects a position %s, names it once, and cancels the rest', (_name, build) => {
    const { world, exits } = build();
    unread(world);
    unread(world);
    const rest = world.state
      .openOrders()
      .map(({ clientOrderId }) => clientOrderId)
      .filter((id) => !exits.includes(id));
    expect(rest).toHaveLength(1);
    expect(going(world)).toEqual(rest);
    expect(notes(world)).toHaveLength(exits.length);
    for (const id of exits)
      expect(notes(world).join()).toMatch(
        new RegExp(`order ${id} .*protects the position.*it stays while trading is halted`),
      );
    expect(warnings(world)).toEqual([]);
  });

  test('cancels what an operator halts meanwhile, and names it', () => {
    const { world, exits } = leveraged();
    unread(world);
    halt(world, true);
    expect(exits.every((id) => going(world).includes(id))).toBe(true);
    expect(warnings(world)).toHaveLength(exits.length);
  });

  test('cancels at its end what would no longer only reduce, and leaves the others', () => {
    const { world, exits, bid } = spotWorld();
    const more = world.rest({ ...profit, price: ticks(10_400), quantity: lots(4) });
    const venue = new FakeVenue(world);
    for (const order of world.state.openOrders())
      venue.put({
        ...venueOrder(order, world.clock.now()),
        state: order.stopPrice === undefined ? 'new' : 'suspended',
      });
    unread(world);
    expect(going(world)).toEqual([bid, more]);
    // It executes before its cancel arrives: of the ten lots six are left, which the first exit closes.
    venue.fillSilently(more, 4);
    world.clock.advance(seconds(60));
    expect(world.state.mode).toBe('active');
    expect(going(world).filter((id) => exits.includes(id))).toEqual([exits[1]]);
    expect(world.orders.kept).toEqual([]);
  });
});

describe('a halt by the kill file', () => {
  const kill = (world: World): void =>
    world.step({
      kind: 'modeChanged',
      ...world.times,
      mode: 'halted',
      why: 'the kill file is there',
      latched: true,
      keepsExits: true,
    });

  test('cancels what can raise exposure, as the sentinel does: a sale on spot stays, whatever its strategy holds', () => {
    const { world, exits, bid } = spotWorld();
    const quote = world.rest({ ...profit, price: ticks(10_400), quantity: lots(4) });
    kill(world);
    expect(going(world)).toEqual([bid]);
    expect(world.orders.kept.map(({ clientOrderId }) => clientOrderId)).toEqual([...exits, quote]);
    expect(world.place({ ...profit, quantity: lots(1) })).toBe('MODE_HALTED');
    world.operate({ act: 'clear' });
    world.step({ kind: 'modeChanged', ...world.times, mode: 'active', why: 'by ann', latched: false });
    expect(going(world)).toEqual([bid]);
    expect(world.orders.kept).toEqual([]);
  });

  test('leaves take-profit and stop of a leveraged position, until another halt cancels all', () => {
    const { world, exits, entry } = leveraged();
    kill(world);
    expect(going(world)).toEqual([entry]);
    halt(world, true);
    expect(going(world)).toEqual([entry, ...exits]);
  });
});

test('a halt cancels all and names what protected a position, and so do a strategy that fails and an operator', () => {
  const { world, exits } = spotWorld();
  halt(world, true);
  expect(going(world)).toHaveLength(3);
  expect(warnings(world).map((text) => text.split(' ')[1])).toEqual(exits);
  const failing = spotWorld();
  failing.world.step({ kind: 'strategyStopped', ...failing.world.times, strategy: 'maker', why: 'it threw' });
  expect(warnings(failing.world)).toHaveLength(2);
  const operated = spotWorld();
  operated.world.operate({ act: 'cancel', clientOrderId: operated.exits[0] as ClientOrderId });
  operated.world.operate({ act: 'cancelAll', strategy: undefined, instrument: undefined });
  expect(warnings(operated.world)).toHaveLength(2);
});

describe('a start after a run that ended or was killed', () => {
  test('keeps the exits of an earlier run and cancels its other orders', () => {
    const { world, exits, bid } = spotWorld();
    const { next, venue } = nextRun(world);
    expect(venue.cancels).toEqual([bid]);
    expect(exits.map((id) => next.state.order(id)?.strategy)).toEqual(['maker', 'maker']);
    expect(warnings(next)).toEqual([]);
  });

  test('keeps take-profit and stop of a leveraged position', () => {
    const { world, entry } = leveraged();
    const { venue } = nextRun(world, { products: ['spot', 'margin', 'futures'] });
    expect(venue.cancels).toEqual([entry]);
  });

  test('cancels a stop that has become too large while nobody ran, and names it with the position', () => {
    const world = new World();
    begin(world);
    world.hold(10);
    const protects = waits(world, {});
    const sold = world.rest({ clientOrderId: world.ids.next(), ...profit, quantity: lots(6) });
    world.fill(sold, 6);
    const { next, venue } = nextRun(world);
    expect(venue.cancels).toEqual([protects]);
    expect(warnings(next)[0]).toContain(
      `order ${protects} (sell stopLimit 1.0 stop 97.00 at 96.90) protects the position of 0.4 AAABBB`,
    );
  });

  const flags = ['with its flags', 'without its flags', 'without any word of margin'] as const;
  const products = ['margin', 'futures'] as const;
  const noted = {
    'with its flags': {},
    'without its flags': { margin: { ...reducing, reduceOnly: false } },
    'without any word of margin': { margin: undefined },
  };
  const rows = products.flatMap((product) => flags.map((how) => [product, how] as const));

  test.each(rows)('keeps the exits of a position of %s that the venue lists %s', (product, how) => {
    const { world, exits, entry } = leveraged(product === 'margin' ? margined : contract);
    const { next, venue } = nextRun(world, { products: ['spot', ...products] }, noted[how]);
    expect(venue.cancels).toEqual([entry]);
    const marks = exits.map((id) => next.state.order(id)?.margin);
    expect(marks).toMatchObject([{ reduceOnly: true }, { closePosition: true }]);
    end(next);
    expect(next.orders.kept.map(({ clientOrderId }) => clientOrderId)).toEqual(exits);
    expect(venue.cancels).toEqual([entry]);
  });

  // Without a word of margin an order that no journal knows is one of spot.
  test.each(rows.filter(([, how]) => how !== 'without any word of margin'))(
    'without its journal keeps the exits of a position of %s that the venue lists %s',
    (product, how) => {
      const index = product === 'margin' ? margined : contract;
      const { world, exits, entry } = leveraged(index);
      const { clock } = world;
      const fresh = new World({ run: 'r2', ready: false, products: ['spot', ...products], clock });
      const venue = listing(fresh, world, noted[how]);
      venue.accounts = [accountOf(world, { index, lots: 10 })];
      fresh.step({ kind: 'runStarted', ...fresh.times, run: 'r2', mode: 'live' });
      fresh.market();
      fresh.market(contract);
      venue.up(fresh);
      fresh.clock.advance(seconds(1));
      expect(venue.cancels).toEqual([entry]);
      expect(exits.map((id) => fresh.state.order(id)?.state)).toEqual(['new', 'suspended']);
    },
  );
});
