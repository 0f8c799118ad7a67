import { describe, expect, test } from 'vitest';
import type { Micros } from '../../../src/core/base/clock.ts';
import { millis } from '../../../src/core/base/clock.ts';
import type { DenialCode } from '../../../src/core/model/denial.ts';
import type { OrderDenied, OrderPending } from '../../../src/core/model/event.ts';
import type { Ticks } from '../../../src/core/model/instrument.ts';
import type { ContingencyType } from '../../../src/core/model/order-list.ts';
import type { ClientOrderId, OrderRequest } from '../../../src/core/model/order.ts';
import { start, World } from './support/world.ts';

type Terms = Partial<OrderRequest>;

const ticks = (value: number): Ticks => value as Ticks;

const entry: Terms = { price: ticks(9_900) };
const profit: Terms = { side: 'sell', price: ticks(10_200) };
const stop: Terms = { side: 'sell', type: 'stopLimit', stopPrice: ticks(9_800), price: ticks(9_700) };
const fok: Terms = { timeInForce: 'FOK' };

interface Wanted {
  readonly ids: readonly ClientOrderId[];
  readonly pending: readonly OrderPending[];
  readonly denied: readonly OrderDenied[];
}

function wantList(world: World, contingency: ContingencyType, terms: readonly Terms[]): Wanted {
  const plain = terms.map((one) => world.request(one));
  const ids = plain.map(({ clientOrderId }) => clientOrderId);
  const requests = plain.map((request) => ({ ...request, list: { contingency, orders: ids } }));
  const verdicts = world.want({ action: 'placeList', strategy: 'maker', contingency, requests });
  return {
    ids,
    pending: verdicts.filter((event) => event.kind === 'orderPending'),
    denied: verdicts.filter((event) => event.kind === 'orderDenied'),
  };
}

const codes = ({ denied }: Wanted): readonly DenialCode[] => denied.map(({ denial }) => denial.code);
const bracket = [entry, profit, stop] as const;

describe('a list of orders', () => {
  test('is recorded order by order under one command, before anything leaves', () => {
    const world = new World();
    const { ids, pending, denied } = wantList(world, 'oneTriggerOneCancelOther', bracket);
    expect(denied).toEqual([]);
    expect(pending.map(({ command }) => command.request.clientOrderId)).toEqual(ids);
    expect(new Set(pending.map(({ command }) => command.commandId)).size).toBe(1);
    expect(world.state.openOrders().map(({ list }) => list?.orders)).toEqual([ids, ids, ids]);
  });

  test.each(['GTC', 'Day', 'GTD', 'IOC', 'FOK'] as const)(
    'takes a stop market order that waits %s, as the table of order lists allows',
    (timeInForce) => {
      const expireTime = timeInForce === 'GTD' ? ((start + 60e6) as Micros) : undefined;
      const [low, high] = [ticks(9_800), ticks(10_200)];
      const wait: Terms = { side: 'sell', price: undefined, timeInForce, expireTime };
      const stopMarket: Terms = { ...wait, type: 'stopMarket', stopPrice: low };
      const takeProfit: Terms = { ...wait, type: 'takeProfitMarket', stopPrice: high };
      const options = { marketOrders: true, marketSpreadPercentMax: 5, collarPercent: 50 };
      const world = new World({ options });
      expect(codes(wantList(world, 'oneTriggerOneCancelOther', [entry, takeProfit, stopMarket]))).toEqual([]);
      const other = new World({ options });
      expect(codes(wantList(other, 'oneCancelOther', [takeProfit, stopMarket]))).toEqual([]);
    },
  );

  test('takes no market order that rests', () => {
    const market: Terms = { type: 'market', price: undefined };
    const found = codes(wantList(new World(), 'oneTriggerOther', [market, profit]));
    expect(found).toContain('TIME_IN_FORCE_NOT_ALLOWED');
  });

  const broken: readonly (readonly [DenialCode, ContingencyType, readonly Terms[]])[] = [
    ['LIST_CONTINGENCY', 'allForOne' as 'allOrNone', [entry, profit]],
    ['LIST_COUNT', 'oneCancelOther', [profit]],
    ['LIST_COUNT', 'oneTriggerOther', [entry, profit, profit, profit]],
    ['LIST_COUNT', 'oneTriggerOneCancelOther', [entry, profit]],
    ['LIST_SYMBOLS_NOT_DISTINCT', 'allOrNone', [fok, fok]],
    [
      'LIST_SYMBOLS_NOT_EQUAL',
      'oneTriggerOneCancelOther',
      [entry, profit, { ...stop, instrument: 1 as never }],
    ],
    [
      'LIST_TYPE',
      'allOrNone',
      [
        { ...stop, ...fok },
        { ...fok, instrument: 1 as never },
      ],
    ],
    ['LIST_TYPE', 'oneCancelOther', [profit, { side: 'sell', type: 'market', price: undefined, ...fok }]],
    ['LIST_TIME_IN_FORCE', 'oneCancelOther', [profit, { ...profit, timeInForce: 'IOC' }]],
    ['LIST_NOT_FOK', 'allOrNone', [fok, { instrument: 1 as never }]],
  ];

  test.each(broken)('that breaks its rule is denied whole: %s', (code, contingency, terms) => {
    const world = new World();
    const wanted = wantList(world, contingency, terms);
    expect(codes(wanted)).toEqual(terms.map(() => code));
    expect(wanted.pending).toEqual([]);
    expect(world.state.openCount()).toBe(0);
    for (const id of wanted.ids) expect(world.state.order(id)?.state).toBe('denied');
  });

  test('must name itself as it is, with ids that differ', () => {
    const world = new World();
    const one = world.request(profit);
    const other = world.request(stop);
    const contingency = 'oneCancelOther';
    const list = { contingency, orders: [other.clientOrderId, one.clientOrderId] } as const;
    const ask = (requests: readonly OrderRequest[]) =>
      world
        .want({ action: 'placeList', strategy: 'maker', contingency, requests })
        .map((event) => (event.kind === 'orderDenied' ? event.denial.code : event.kind));
    expect(
      ask([
        { ...one, list },
        { ...other, list },
      ]),
    ).toEqual(['LIST_ID_NOT_FIRST', 'LIST_ID_NOT_FIRST']);
    const twice = world.request(profit);
    expect(ask([twice, twice])).toEqual(['LIST_IDS_NOT_DISTINCT', 'LIST_IDS_NOT_DISTINCT']);
  });

  test('leaves whole or not at all: one order that is denied takes the others with it', () => {
    const world = new World();
    const far = { ...profit, price: ticks(20_000) };
    const wanted = wantList(world, 'oneTriggerOneCancelOther', [entry, far, stop]);
    expect(codes(wanted)).toEqual(['LIST_ORDER_DENIED', 'PRICE_COLLAR', 'LIST_ORDER_DENIED']);
    expect(wanted.denied[0]?.denial.why).toBe('order 2 of the list was denied: PRICE_COLLAR');
    expect(wanted.pending).toEqual([]);
  });

  test('counts its own orders: what the last one breaks is denied although the first were pending', () => {
    const world = new World({ limits: { maker: { openOrdersMax: 2 } } });
    const wanted = wantList(world, 'oneTriggerOneCancelOther', bracket);
    expect(wanted.pending).toHaveLength(2);
    expect(codes(wanted)).toEqual(['LIST_ORDER_DENIED', 'LIST_ORDER_DENIED', 'OPEN_ORDERS_STRATEGY']);
    expect(world.state.openCount()).toBe(0);
    world.clock.advance(millis(2_000));
    expect(world.place(entry)).not.toBe('OPEN_ORDERS_STRATEGY');
  });
});

describe('the money of a list', () => {
  const poor = (coins: string): World => {
    const world = new World();
    world.money({ AAA: coins, BBB: '100000' });
    return world;
  };
  const sell = (world: World, price: number): DenialCode | ClientOrderId => {
    world.clock.advance(millis(10));
    return world.place({ side: 'sell', price: ticks(price) });
  };

  test('exits that wait need no funds, and hold none until the entry is filled', () => {
    const world = poor('1');
    const { ids, denied } = wantList(world, 'oneTriggerOneCancelOther', bracket);
    expect(denied).toEqual([]);
    for (const id of ids.slice(1)) world.report(id, 'suspended');
    expect(sell(world, 10_300)).toMatch(/^gw-/);
    expect(sell(world, 10_310)).toBe('FUNDS');
  });

  test('a pair of which both orders execute is named at once, and once; one whose other order ends is not', () => {
    for (const isBoth of [true, false]) {
      const world = poor('10');
      const { ids } = wantList(world, 'oneCancelOther', [profit, stop]);
      const [first, second] = ids as [ClientOrderId, ClientOrderId];
      for (const id of [first, second]) world.report(id, 'new');
      world.fill(first, 4);
      world.fill(first, 6);
      if (isBoth) {
        world.fill(second, 3);
        world.fill(second, 7);
      } else world.report(second, 'canceled');
      const said = world.ofKind('strategyNoted').map(({ text }) => text);
      const both = `both orders of a pair execute on ${world.instrument(0).symbol}: 3 lots of ${second} after 10 of ${first}; what is held is not what the pair was to leave`;
      expect(said).toEqual(isBoth ? [both] : []);
    }
  });

  test('orders that cancel one another hold once', () => {
    const world = poor('2');
    const { denied } = wantList(world, 'oneCancelOther', [profit, stop]);
    expect(denied).toEqual([]);
    expect(sell(world, 10_300)).toMatch(/^gw-/);
    expect(sell(world, 10_310)).toBe('FUNDS');
  });

  test('an exit that may be awake reservations what the entry brought', () => {
    const world = poor('1');
    const { ids } = wantList(world, 'oneTriggerOneCancelOther', bracket);
    const [first, second, third] = ids as [ClientOrderId, ClientOrderId, ClientOrderId];
    world.report(first, 'new');
    for (const id of [second, third]) world.report(id, 'suspended');
    world.fill(first, 10);
    world.report(second, 'new');
    // The balance that shows what was bought, and what the two exits share, is on its way.
    expect(sell(world, 10_300)).toBe('FUNDS');
  });
});

describe('the fate of a list', () => {
  test('without an answer: every order of it is unknown', () => {
    const world = new World();
    const { ids, pending } = wantList(world, 'oneTriggerOneCancelOther', bracket);
    world.step({
      kind: 'commandSettled',
      ...world.times,
      commandId: pending[0]?.command.commandId as number,
      lane: 'new',
      outcome: 'unanswered',
      clientOrderId: ids[0],
    });
    expect(ids.map((id) => world.state.order(id)?.state)).toEqual(['unknown', 'unknown', 'unknown']);
  });

  test('orders that were reported before the answer was lost stay what they are', () => {
    const world = new World();
    const { ids, pending } = wantList(world, 'oneCancelOther', [profit, stop]);
    world.report(ids[0] as ClientOrderId, 'new');
    world.step({
      kind: 'commandSettled',
      ...world.times,
      commandId: pending[0]?.command.commandId as number,
      lane: 'new',
      outcome: 'unanswered',
      clientOrderId: ids[0],
    });
    expect(ids.map((id) => world.state.order(id)?.state)).toEqual(['new', 'unknown']);
  });

  test('a run that ended before the answer leaves them unknown to the next', () => {
    const world = new World();
    const { ids } = wantList(world, 'oneTriggerOneCancelOther', bracket);
    const next = new World({ run: 'r2', after: world });
    expect(ids.map((id) => next.state.order(id)?.state)).toEqual(['unknown', 'unknown', 'unknown']);
    expect(next.state.order(ids[1] as ClientOrderId)?.list?.orders).toEqual(ids);
  });
});
