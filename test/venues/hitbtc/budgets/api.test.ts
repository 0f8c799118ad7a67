import { describe, expect, test } from 'vitest';
import { zero } from '../../../../src/core/base/amount.ts';
import { seconds } from '../../../../src/core/base/clock.ts';
import { VirtualClock } from '../../../../src/core/base/virtual-clock.ts';
import { ApiBudgets } from '../../../../src/venues/hitbtc/budgets/api.ts';
import { budgetOptions } from '../../../../src/venues/hitbtc/budgets/options.ts';
import type { Command, ReadTarget } from '../../../../src/core/model/command.ts';
import type { InstrumentId, Lots, Ticks } from '../../../../src/core/model/instrument.ts';
import type { ClientOrderId } from '../../../../src/core/model/order.ts';

const id = 'gw-test-0001' as ClientOrderId;
const instrument = 0 as InstrumentId;

const newOrder: Command = {
  kind: 'newOrder',
  commandId: 1,
  strategy: 's',
  request: {
    clientOrderId: id,
    instrument,
    side: 'buy',
    type: 'limit',
    timeInForce: 'GTC',
    quantity: 1 as Lots,
    price: 1 as Ticks,
    stopPrice: undefined,
    expireTime: undefined,
    postOnly: false,
  },
};
const cancel: Command = { kind: 'cancelOrder', commandId: 2, strategy: 's', clientOrderId: id, instrument };
const read = (what: ReadTarget): Command => ({ kind: 'read', commandId: 3, what });

function build(text: Record<string, unknown> = {}): { clock: VirtualClock; budgets: ApiBudgets } {
  const clock = new VirtualClock(seconds(1));
  return { clock, budgets: new ApiBudgets(budgetOptions.parse({ guard: 0, ...text }), clock) };
}

function takeAll(budgets: ApiBudgets, command: Command): number {
  let count = 0;
  while (budgets.take(command) >= 0) count += 1;
  return count;
}

describe('the budgets of one account on one address', () => {
  test('count new orders against the account limit of the trading socket', () => {
    expect(takeAll(build().budgets, newOrder)).toBe(200);
    expect(takeAll(build({ mode: 'window' }).budgets, newOrder)).toBe(500);
  });

  test('let cancels and reads through while new orders saturate', () => {
    const { budgets } = build();
    takeAll(budgets, newOrder);
    expect(budgets.wait(newOrder)).toBeGreaterThan(0);
    expect(budgets.wait(cancel)).toBe(0);
    expect(budgets.wait(read({ of: 'balances' }))).toBe(0);
  });

  test('keep budget for cancels when reads of active orders fill their common limit', () => {
    const { budgets } = build({ restDefault: { rate: 900, burst: 900 } });
    expect(takeAll(budgets, read({ of: 'activeOrders' }))).toBe(360);
    expect(takeAll(budgets, cancel)).toBe(90);
  });

  test('count margin and futures against the paths of their own, and their orders with those of spot', () => {
    const { budgets } = build({ restDefault: { rate: 900, burst: 900 } });
    const change: Command = {
      kind: 'changeMargin',
      commandId: 4,
      strategy: 's',
      change: {
        product: 'margin',
        mode: 'cross',
        instrument: undefined,
        currency: 'USDT',
        balance: zero,
        leverage: undefined,
      },
    };
    expect(takeAll(budgets, read({ of: 'marginAccounts', product: 'futures' }))).toBe(360);
    expect(takeAll(budgets, { ...cancel, product: 'futures' })).toBe(90);
    expect(takeAll(budgets, change)).toBe(315);
    expect(takeAll(budgets, { ...cancel, product: 'margin' })).toBe(135);
    expect(budgets.usage().cancel).toEqual({ used: 450, capacity: 750 });
    expect(budgets.usageOf('spotOrderPath').inUse).toBe(0);
    // The leverage alone is set over the socket, where new orders are counted.
    const leverage = { ...change.change, product: 'futures', balance: undefined, leverage: zero } as const;
    expect(takeAll(budgets, { ...change, change: leverage })).toBe(200);
    expect(budgets.wait(newOrder)).toBeGreaterThan(0);
  });

  test('take from every limit a read falls under, or from none', () => {
    const { budgets } = build();
    expect(takeAll(budgets, read({ of: 'balances' }))).toBe(30);
    const before = budgets.usageOf('spotOrderPath').inUse;
    expect(budgets.take(read({ of: 'activeOrders' }))).toBe(-1);
    expect(budgets.usageOf('spotOrderPath').inUse).toBe(before);
  });

  test('cap orders at the messages of the socket when that is what the address limit counts', () => {
    const { budgets } = build({ socketCounts: 'messages' });
    expect(takeAll(budgets, newOrder)).toBe(10);
    expect(budgets.usageOf('orderEntry').inUse).toBe(10);
  });

  test('return room when a command settles, in every scope it drew on', () => {
    const { clock, budgets } = build();
    const slot = budgets.take(read({ of: 'activeOrders' }));
    budgets.settle(slot, 'acknowledged');
    clock.advance(seconds(1));
    expect(budgets.usageOf('spotOrderPath').inUse).toBe(0);
    expect(budgets.usageOf('restDefault').inUse).toBe(0);
    expect(() => budgets.settle(slot, 'acknowledged')).toThrow(/not taken/);
  });

  test('slow only the limit that was refused', () => {
    const { budgets } = build();
    budgets.settle(budgets.take(newOrder), 'limited');
    expect(budgets.wait(newOrder)).toBeGreaterThan(0);
    expect(budgets.wait(cancel)).toBe(0);
  });

  test('report usage per lane', () => {
    const { budgets } = build();
    budgets.take(newOrder);
    budgets.take(cancel);
    expect(budgets.usage()).toEqual({
      cancel: { used: 1, capacity: 750 },
      read: { used: 0, capacity: 50 },
      replace: { used: 1, capacity: 500 },
      new: { used: 1, capacity: 500 },
    });
  });

  test('space logins evenly', () => {
    const { clock, budgets } = build();
    budgets.settle(budgets.takeCall('login'), 'acknowledged');
    expect(budgets.waitCall('login')).toBe(200_000);
    clock.advance(seconds(1));
    expect(budgets.takeCall('login')).toBeGreaterThanOrEqual(0);
  });
});
