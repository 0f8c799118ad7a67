import { describe, expect, test } from 'vitest';
import type { Micros } from '../../../src/core/base/clock.ts';
import type { IntentDeclared, OrderDenied, OrderRejected } from '../../../src/core/model/event.ts';
import type { DenialCode } from '../../../src/core/model/denial.ts';
import type { Intent } from '../../../src/core/model/intent.ts';
import { liquidationId } from '../../../src/core/model/liquidation.ts';
import {
  answered,
  applyAll,
  at,
  fill,
  first,
  id,
  lots,
  newState,
  ownTrade,
  placed,
  replacing,
  report,
  request,
  second,
  ticks,
  venueOrder,
} from './support/world.ts';

function denied(action: OrderDenied['action'], name: string, code: DenialCode): OrderDenied {
  return {
    kind: 'orderDenied',
    ...at(3),
    strategy: 'maker',
    action,
    clientOrderId: id(name),
    originalClientOrderId: undefined,
    denial: { code, why: 'because' },
  };
}

function rejected(name: string, original: string | undefined, code: number, why: string): OrderRejected {
  const originalClientOrderId = original === undefined ? undefined : id(original);
  return { kind: 'orderRejected', ...at(12), clientOrderId: id(name), originalClientOrderId, code, why };
}

function wanted(intent: Intent): IntentDeclared {
  return { kind: 'intent', ...at(1), intent };
}

function wantedPlace(name: string): IntentDeclared {
  return wanted({ action: 'place', strategy: 'maker', request: request(name) });
}

describe('an order from verdict to end', () => {
  test('is pending, new, partially filled, filled, and its counts follow', () => {
    const state = newState();
    state.apply(placed('a'));
    expect(state.order(id('a'))).toMatchObject({ state: 'pending', strategy: 'maker', cumulative: 0 });
    expect([state.openCount(), state.openCountOf(first), state.openCountBy('maker')]).toEqual([1, 1, 1]);
    expect(state.workingLots(first, 'buy')).toBe(10);
    state.apply(report('a', 'new', { type_: 'new' }));
    state.apply(report('a', 'partiallyFilled', { cumulative: lots(4), fill: fill('1', 4), time: 11 }));
    expect(state.order(id('a'))).toMatchObject({
      state: 'partiallyFilled',
      cumulative: 4,
      venueOrderId: '9a',
    });
    expect(state.workingLots(first, 'buy', 'maker')).toBe(6);
    state.apply(report('a', 'filled', { cumulative: lots(10), fill: fill('2', 6), time: 12 }));
    expect(state.order(id('a'))).toMatchObject({ state: 'filled', cumulative: 10 });
    expect([state.openCount(), state.openCountOf(first), state.openCountBy('maker')]).toEqual([0, 0, 0]);
    expect(state.workingLots(first, 'buy')).toBe(0);
    expect(state.position(first, 'maker')).toMatchObject({ quantity: 10, fillCount: 2 });
  });

  test('a fill repeated, or reported by an execution and by the history, is booked once', () => {
    const trade = report('a', 'partiallyFilled', { cumulative: lots(4), fill: fill('1', 4) });
    const history = answered(
      { of: 'tradeHistory', since: at(0).exchangeTime },
      {
        fills: [ownTrade('a', 'buy', fill('1', 4)), ownTrade('a', 'buy', fill('2', 1))],
      },
    );
    const state = applyAll(newState(), [placed('a'), trade, trade]);
    state.apply(history);
    expect(state.booked.map(({ tradeId }) => tradeId)).toEqual(['2']);
    state.apply(history);
    expect(state.booked).toEqual([]);
    expect(state.position(first, 'maker').quantity).toBe(5);
    expect(state.order(id('a'))?.cumulative).toBe(5);
  });

  test('both sides of a trade with ourselves are booked', () => {
    const state = applyAll(newState(), [placed('a'), placed('b', { side: 'sell' }, 'taker')]);
    state.apply(report('a', 'filled', { cumulative: lots(10), fill: fill('1', 10) }));
    state.apply(report('b', 'filled', { side: 'sell', cumulative: lots(10), fill: fill('1', 10) }));
    expect(state.position(first, 'maker').quantity).toBe(10);
    expect(state.position(first, 'taker').quantity).toBe(-10);
    expect(state.netPosition(first)).toBe(0);
  });

  test('a fill after the cancel is booked and the order stays canceled', () => {
    const state = applyAll(newState(), [placed('a'), report('a', 'canceled', { time: 20 })]);
    state.apply(report('a', 'partiallyFilled', { cumulative: lots(4), fill: fill('1', 4), time: 15 }));
    expect(state.order(id('a'))).toMatchObject({ state: 'canceled', cumulative: 4 });
    expect(state.position(first, 'maker').quantity).toBe(4);
  });

  test('an older snapshot undoes nothing', () => {
    const state = applyAll(newState(), [placed('a')]);
    state.apply(report('a', 'partiallyFilled', { cumulative: lots(4), fill: fill('1', 4), time: 20 }));
    state.apply(
      answered(
        { of: 'activeOrders' },
        { orders: [venueOrder('a', 'new', { time: 10, quantity: lots(99) })] },
      ),
    );
    expect(state.order(id('a'))).toMatchObject({
      state: 'partiallyFilled',
      cumulative: 4,
      quantity: 10,
      updatedAt: 20,
    });
  });

  test('what a report leaves out stays as it was asked for', () => {
    const state = newState();
    const asked = {
      type: 'stopLimit',
      stopPrice: ticks(900),
      timeInForce: 'GTD',
      expireTime: 99 as Micros,
      price: ticks(890),
    } as const;
    state.apply(placed('a', asked));
    state.apply(report('a', 'suspended', { type_: 'suspended', price: undefined }));
    expect(state.order(id('a'))).toMatchObject({ state: 'suspended', ...asked });
    state.apply(report('a', 'suspended', { ...asked, stopPrice: ticks(910), time: 11 }));
    expect(state.order(id('a'))).toMatchObject({ ...asked, stopPrice: 910 });
  });

  test('an order that trades of the history alone tell of has its number at the venue', () => {
    const trade = ownTrade('a', 'buy', fill('1', 10));
    const state = applyAll(newState(), [
      placed('a'),
      answered({ of: 'tradeHistory', since: 0 as Micros }, { fills: [trade] }),
    ]);
    expect(state.order(id('a'))).toMatchObject({ state: 'filled', venueOrderId: trade.venueOrderId });
  });

  test('a lost trade report shows as missing until history explains it', () => {
    const state = applyAll(newState(), [placed('a'), report('a', 'filled', { cumulative: lots(10) })]);
    expect(state.missingFills().map((order) => order.clientOrderId)).toEqual([id('a')]);
    expect(state.missingLots(id('a'))).toBe(10);
    expect(state.position(first, 'maker').quantity).toBe(0);
    state.apply(
      answered(
        { of: 'orderHistory', clientOrderId: id('a') },
        {
          orders: [venueOrder('a', 'filled', { cumulative: lots(10) })],
          fills: [ownTrade('a', 'buy', fill('1', 10))],
        },
      ),
    );
    expect(state.missingFills()).toEqual([]);
    expect(state.position(first, 'maker').quantity).toBe(10);
  });

  test('fills of the history alone end an unknown order that they fill', () => {
    const state = applyAll(newState(), [placed('a')]);
    state.apply({ kind: 'orderUnknown', ...at(2), clientOrderId: id('a'), why: 'silence' });
    const history = { of: 'tradeHistory', since: at(0).exchangeTime } as const;
    state.apply(answered(history, { fills: [ownTrade('a', 'buy', fill('1', 4))] }));
    expect(state.order(id('a'))?.state).toBe('partiallyFilled');
    expect(state.workingLots(first, 'buy')).toBe(6);
    state.apply(answered(history, { fills: [ownTrade('a', 'buy', fill('2', 6))] }));
    expect(state.order(id('a'))?.state).toBe('filled');
  });

  test('fills of the history do not end an order that closes a position: it named no quantity', () => {
    const margin = { mode: 'isolated', reduceOnly: false, closePosition: true, auto: false } as const;
    const state = newState();
    state.apply(placed('a', { quantity: lots(0), margin }));
    state.apply({ kind: 'orderUnknown', ...at(2), clientOrderId: id('a'), why: 'no answer' });
    const history = { of: 'tradeHistory', since: at(0).exchangeTime } as const;
    state.apply(answered(history, { fills: [ownTrade('a', 'buy', fill('1', 4))] }));
    expect(state.order(id('a'))).toMatchObject({ state: 'partiallyFilled', cumulative: 4 });
    expect(state.openCount()).toBe(1);
    state.apply(report('a', 'filled', { quantity: lots(10), cumulative: lots(10), margin, time: 12 }));
    expect(state.order(id('a'))).toMatchObject({ state: 'filled', cumulative: 10 });
  });

  test('a reference to an order keeps what it saw', () => {
    const state = applyAll(newState(), [placed('a')]);
    const kept = state.order(id('a'));
    state.apply(report('a', 'new'));
    expect(kept?.state).toBe('pending');
  });
});

test('a liquidation is an order of the strategy whose position it closes, and of an unknown one without it', () => {
  const clientOrderId = liquidationId(1);
  const executed = { cumulative: lots(10), fill: fill('2', 10) };
  const sold = report('b', 'filled', { ...executed, clientOrderId, side: 'sell' });
  const bought = report('a', 'filled', { cumulative: lots(10), fill: fill('1', 10) });
  const state = applyAll(newState(), [placed('a'), bought, sold]);
  expect(state.order(clientOrderId)?.strategy).toBe('maker');
  expect(state.position(first, 'maker').quantity).toBe(0);
  const other = applyAll(newState(), [sold]);
  expect(other.order(clientOrderId)?.strategy).toBe('external');
  expect(other.position(first, 'external').quantity).toBe(-10);
});

describe('silence', () => {
  test('makes an order unknown, which counts in full until evidence ends it', () => {
    const state = applyAll(newState(), [placed('a')]);
    state.apply({ kind: 'orderUnknown', ...at(2), clientOrderId: id('a'), why: 'silence' });
    expect([state.unknownCount(), state.openCount(), state.workingLots(first, 'buy')]).toEqual([1, 1, 10]);
    // A complete read without it proves nothing.
    state.apply(answered({ of: 'activeOrders' }, {}));
    expect(state.unknownCount()).toBe(1);
    state.apply(report('a', 'new'));
    expect([state.unknownCount(), state.openCount()]).toEqual([0, 1]);
  });

  test('does not make an order unknown that the venue has reported', () => {
    const state = applyAll(newState(), [placed('a'), report('a', 'new')]);
    state.apply({ kind: 'orderUnknown', ...at(12), clientOrderId: id('a'), why: 'silence' });
    expect(state.order(id('a'))?.state).toBe('new');
  });

  test('proven absence ends it; a late report is a violation, and the order is taken up again', () => {
    const state = applyAll(newState(), [placed('a')]);
    state.apply({ kind: 'orderUnknown', ...at(2), clientOrderId: id('a'), why: 'silence' });
    state.apply({ kind: 'orderProvenAbsent', ...at(100), clientOrderId: id('a') });
    expect(state.order(id('a'))).toMatchObject({ state: 'rejected', code: 'ABSENT' });
    const late = report('a', 'partiallyFilled', { cumulative: lots(4), fill: fill('1', 4), time: 120 });
    expect(() => state.apply(late)).toThrow(
      'order order-a is partiallyFilled, but it had been called rejected',
    );
    expect(state.order(id('a'))?.state).toBe('partiallyFilled');
    expect(state.openOrders('maker').map((order) => order.clientOrderId)).toEqual([id('a')]);
    expect(state.position(first, 'maker').quantity).toBe(4);
  });

  test('a replay gets past a violation and says what it was', () => {
    const state = applyAll(newState(), [placed('a')]);
    state.apply(rejected('a', undefined, 20_001, 'Insufficient funds'));
    expect(state.order(id('a'))).toMatchObject({
      state: 'rejected',
      code: '20001',
      why: 'Insufficient funds',
    });
    expect(state.fold(report('a', 'new'))).toContain('had been called rejected');
    expect(state.fold(report('a', 'new'))).toBeUndefined();
  });
});

describe('denials', () => {
  test('at the controls are kept for lookup and count nowhere', () => {
    const state = newState();
    state.apply(wantedPlace('a'));
    state.apply(denied('place', 'a', 'FUNDS'));
    expect(state.order(id('a'))).toMatchObject({ state: 'denied', code: 'FUNDS', why: 'because' });
    expect(state.openCount()).toBe(0);
    // The id never left, so it may be used.
    state.apply(placed('a'));
    expect(state.order(id('a'))?.state).toBe('pending');
  });

  test('at the gate end the pending order', () => {
    const state = newState();
    state.apply(wantedPlace('a'));
    state.apply(placed('a'));
    state.apply(denied('place', 'a', 'BUDGET_DEADLINE'));
    expect(state.order(id('a'))).toMatchObject({ state: 'denied', code: 'BUDGET_DEADLINE' });
    expect(state.openCount()).toBe(0);
  });

  test('of a second order under a used id leave the first one alone, whatever rule spoke first', () => {
    const state = applyAll(newState(), [placed('a'), report('a', 'new')]);
    for (const code of ['ID_REUSED', 'MODE_HALTED'] as const) {
      state.apply(wantedPlace('a'));
      state.apply(denied('place', 'a', code));
      expect(state.order(id('a'))?.state).toBe('new');
    }
  });

  test('of a cancel at the gate free the order to be cancelled again, those at the controls do not', () => {
    const state = applyAll(newState(), [placed('a'), report('a', 'new')]);
    const cancel = { action: 'cancel', strategy: 'maker', clientOrderId: id('a') } as const;
    const command = {
      kind: 'cancelOrder',
      commandId: 4,
      strategy: 'maker',
      clientOrderId: id('a'),
      instrument: first,
    } as const;
    state.apply(wanted(cancel));
    state.apply({ kind: 'cancelPending', ...at(20), command });
    state.apply(wanted(cancel));
    state.apply(denied('cancel', 'a', 'CANCEL_UNDER_WAY'));
    expect(state.order(id('a'))?.cancelPending).toBe(true);
    state.apply(denied('cancel', 'a', 'SESSION_DOWN'));
    expect(state.order(id('a'))?.cancelPending).toBe(false);
  });
});

describe('a replacement', () => {
  test('counts only what it adds while its original lives, and inherits strategy and execution', () => {
    const state = applyAll(newState(), [placed('a'), report('a', 'new')]);
    state.apply(report('a', 'partiallyFilled', { cumulative: lots(4), fill: fill('1', 4), time: 11 }));
    state.apply(replacing('a', 'b', 12, 1_001));
    expect(state.order(id('a'))?.replacePending).toBe(id('b'));
    expect(state.order(id('b'))).toMatchObject({
      state: 'pending',
      strategy: 'maker',
      price: 1_001,
      quantity: 12,
    });
    expect(state.workingLots(first, 'buy')).toBe(6 + 2);
    expect(state.openCount()).toBe(2);
    const received = {
      originalClientOrderId: id('a'),
      cumulative: lots(4),
      quantity: lots(12),
      price: ticks(1_001),
    };
    state.apply(report('b', 'partiallyFilled', { ...received, type_: 'replaced', time: 13 }));
    expect(state.order(id('a'))).toMatchObject({ state: 'canceled', replacePending: undefined });
    expect(state.order(id('b'))).toMatchObject({ state: 'partiallyFilled', cumulative: 4 });
    expect(state.workingLots(first, 'buy')).toBe(8);
    expect(state.openCount()).toBe(1);
    expect(state.missingFills()).toEqual([]);
  });

  test('counts in full when its original ends first, or when nothing is received of it', () => {
    const ended = applyAll(newState(), [placed('a'), report('a', 'new'), replacing('a', 'b', 10)]);
    ended.apply(report('a', 'canceled', { cumulative: lots(0), time: 12 }));
    expect(ended.workingLots(first, 'buy')).toBe(10);
    const silent = applyAll(newState(), [placed('a'), report('a', 'new'), replacing('a', 'b', 10)]);
    expect(silent.workingLots(first, 'buy')).toBe(10);
    silent.apply({ kind: 'orderUnknown', ...at(12), clientOrderId: id('b'), why: 'silence' });
    expect(silent.workingLots(first, 'buy')).toBe(20);
    expect(silent.unknownCount()).toBe(1);
  });

  test('refused leaves its original free to be replaced again', () => {
    const state = applyAll(newState(), [placed('a'), report('a', 'new'), replacing('a', 'b', 10)]);
    state.apply(rejected('b', 'a', 20_009, 'Price and quantity not changed'));
    expect(state.order(id('b'))?.state).toBe('rejected');
    expect(state.order(id('a'))).toMatchObject({ state: 'new', replacePending: undefined });
    expect(state.workingLots(first, 'buy')).toBe(10);
  });

  test('whose report comes before a late fill of its original does not lack that fill', () => {
    const state = applyAll(newState(), [placed('a'), report('a', 'new'), replacing('a', 'b', 10)]);
    const received = { originalClientOrderId: id('a'), cumulative: lots(4), time: 13 };
    state.apply(report('b', 'partiallyFilled', { ...received, type_: 'replaced' }));
    expect(state.missingFills().map((order) => order.clientOrderId)).toEqual([id('b')]);
    state.apply(report('a', 'partiallyFilled', { cumulative: lots(4), fill: fill('1', 4), time: 12 }));
    expect(state.missingFills()).toEqual([]);
    expect(state.position(first, 'maker').quantity).toBe(4);
  });

  test('of an order that is not known is a violation', () => {
    expect(() => newState().apply(replacing('a', 'b', 10))).toThrow('which is not known');
  });
});

describe('orders of an unknown strategy', () => {
  test('belong to external, and what they executed before is not booked', () => {
    const state = newState();
    state.apply(
      answered(
        { of: 'activeOrders' },
        { orders: [venueOrder('x', 'partiallyFilled', { cumulative: lots(3) })] },
      ),
    );
    expect(state.order(id('x'))).toMatchObject({
      strategy: 'external',
      state: 'partiallyFilled',
      createdAt: 5,
    });
    expect(state.openCountBy('external')).toBe(1);
    expect(state.missingFills()).toEqual([]);
    state.apply(report('x', 'filled', { cumulative: lots(10), fill: fill('1', 7), time: 20 }));
    expect(state.position(first, 'external').quantity).toBe(7);
    expect(state.missingFills()).toEqual([]);
  });

  test('that a list shows after they ended here stay ended until a verdict says that they live', () => {
    const state = applyAll(newState(), [placed('a'), report('a', 'canceled', { time: 20 })]);
    const row = venueOrder('a', 'new', { time: 10 });
    state.apply(answered({ of: 'activeOrders' }, { orders: [row], askedAt: 40 }));
    expect(state.order(id('a'))?.state).toBe('canceled');
    expect(state.openCount()).toBe(0);
    const alive = { state: 'new', believed: 'canceled' } as const;
    state.apply({ kind: 'orderFoundAlive', ...at(60), clientOrderId: id('a'), ...alive });
    expect(state.order(id('a'))?.state).toBe('new');
    expect([state.openCount(), state.workingLots(first, 'buy')]).toEqual([1, 10]);
    state.apply(report('a', 'canceled', { time: 70 }));
    expect([state.order(id('a'))?.state, state.openCount()]).toEqual(['canceled', 0]);
  });
});

describe('questions about live orders', () => {
  test('are answered by strategy and instrument, in order of creation', () => {
    const state = newState();
    state.apply(placed('a'));
    state.apply(placed('b', { instrument: second }, 'maker'));
    state.apply(placed('c', {}, 'taker'));
    const names = (...by: Parameters<typeof state.openOrders>) =>
      state.openOrders(...by).map((order) => order.clientOrderId.slice(-1));
    expect(names()).toEqual(['a', 'b', 'c']);
    expect(names('maker')).toEqual(['a', 'b']);
    expect(names(undefined, first)).toEqual(['a', 'c']);
    expect(names('maker', first)).toEqual(['a']);
    expect(names('nobody', first)).toEqual([]);
  });

  test('the best own price follows orders as they come and go; untriggered stops have none', () => {
    const state = newState();
    expect(state.bestOwnPrice(first, 'buy')).toBeUndefined();
    state.apply(placed('a', { price: ticks(900) }));
    state.apply(placed('b', { price: ticks(950) }));
    state.apply(placed('s', { price: ticks(990), stopPrice: ticks(1_100), type: 'stopLimit' }));
    expect(state.bestOwnPrice(first, 'buy')).toBe(950);
    const stop = { type: 'stopLimit', price: ticks(990), stopPrice: ticks(1_100) } as const;
    state.apply(report('s', 'suspended', stop));
    expect(state.bestOwnPrice(first, 'buy')).toBe(950);
    state.apply(report('s', 'new', { ...stop, time: 12 }));
    expect(state.bestOwnPrice(first, 'buy')).toBe(990);
    state.apply(report('s', 'canceled', { ...stop, time: 13 }));
    state.apply(report('b', 'canceled', { price: ticks(950), time: 13 }));
    expect(state.bestOwnPrice(first, 'buy')).toBe(900);
    expect(state.bestOwnPrice(first, 'sell')).toBeUndefined();
  });

  test('ended orders are forgotten when newer ones need the room', () => {
    const state = newState({ closedOrdersMax: 2 });
    for (const name of ['a', 'b', 'c']) {
      state.apply(placed(name));
      state.apply(report(name, 'canceled'));
    }
    expect(state.order(id('a'))).toBeUndefined();
    expect(state.order(id('b'))?.state).toBe('canceled');
    expect(state.order(id('c'))?.state).toBe('canceled');
  });

  test('a fill too old to be remembered is not booked again', () => {
    const state = newState({ fillsRememberedMax: 2 });
    state.apply(placed('a', { quantity: lots(100) }));
    const fills = [1, 2, 3, 4].map((n) =>
      report('a', 'partiallyFilled', {
        quantity: lots(100),
        cumulative: lots(n),
        fill: fill(`${n}`, 1, 1_000, n),
      }),
    );
    applyAll(state, [...fills, ...fills]);
    expect(state.position(first, 'maker').quantity).toBe(4);
  });
});
