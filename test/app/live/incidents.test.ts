import { expect, test } from 'vitest';
import { Incidents } from '../../../src/app/live/incidents.ts';
import { seconds } from '../../../src/core/base/clock.ts';
import type { DenialCode } from '../../../src/core/model/denial.ts';
import type { Event } from '../../../src/core/model/event.ts';
import type { MarginAccountView, MarginReason } from '../../../src/core/model/margin.ts';
import { twoInstruments } from '../../venues/hitbtc/client/support/instruments.ts';
import { parseAmount, zero } from '../../../src/core/base/amount.ts';
import { stateDefaults } from '../../../src/core/state/options.ts';
import { State } from '../../../src/core/state/state.ts';
import type { ClientOrderId } from '../../../src/core/model/order.ts';

const instruments = twoInstruments();

function noted(text: string, at: number): Event {
  const time = seconds(at);
  return {
    kind: 'strategyNoted',
    exchangeTime: time,
    receiveTime: time,
    strategy: 'maker',
    level: 'warn',
    text,
  };
}

test('what a strategy says again and again is reported once a minute, other things at once', () => {
  const incidents = new Incidents(new State({ instruments, options: stateDefaults }));
  const received = [0, 2, 4, 59, 60, 62].filter((at) => incidents.of(noted('refused', at)) !== undefined);
  expect(received).toEqual([0, 60]);
  expect(incidents.of(noted('something else', 62))).toBe('strategy maker, warn: something else');
});

function denied(code: DenialCode, why: string, at: number): Event {
  return {
    kind: 'orderDenied',
    exchangeTime: seconds(at),
    receiveTime: seconds(at),
    strategy: 'maker',
    action: 'place',
    clientOrderId: 'gw-r1-maker-1' as ClientOrderId,
    originalClientOrderId: undefined,
    denial: { code, why },
  };
}

test('an order that is denied is reported with its code and why, each code once a minute', () => {
  const incidents = new Incidents(new State({ instruments, options: stateDefaults }));
  expect(
    incidents.of(
      denied('MARKET_ORDERS_OFF', 'orders of type market are off unless orders.marketOrders is on', 0),
    ),
  ).toBe(
    'strategy maker: an order was denied, MARKET_ORDERS_OFF: orders of type market are off unless orders.marketOrders is on',
  );
  expect(incidents.of(denied('MARKET_ORDERS_OFF', 'other words', 1))).toBeUndefined();
  expect(incidents.of(denied('PRICE_COLLAR', 'too far', 2))).toContain('PRICE_COLLAR: too far');
  expect(incidents.of(denied('MARKET_ORDERS_OFF', 'still', 61))).toContain('still');
  // A halt and a stop are reported by themselves.
  expect(incidents.of(denied('MODE_HALTED', 'trading is halted', 62))).toBeUndefined();
});

function reported(changes: Partial<MarginAccountView>, reason: MarginReason, at: number): Event {
  const time = seconds(at);
  return {
    kind: 'marginAccount',
    exchangeTime: time,
    receiveTime: time,
    product: 'margin',
    reportType: 'updated',
    reason,
    account: {
      mode: 'isolated',
      instrument: instruments.get('AAABBB').id,
      currency: 'BBB',
      leverage: undefined,
      balance: parseAmount('50'),
      reservedOrders: zero,
      reservedPositions: zero,
      callMargin: zero,
      liquidationMargin: zero,
      positions: [],
      called: false,
      auto: false,
      amr: false,
      createdAt: time,
      updatedAt: time,
      ...changes,
    },
  };
}

test('a margin call is reported once a minute, a liquidation each time', () => {
  const incidents = new Incidents(new State({ instruments, options: stateDefaults }));
  expect(incidents.of(reported({}, 'openTrade', 0))).toBeUndefined();
  expect(incidents.of(reported({ called: true }, 'updated', 1))).toBe(
    'margin call on margin isolated AAABBB: balance 50 BBB, margin call',
  );
  expect(incidents.of(reported({ called: true, balance: zero }, 'updated', 2))).toBeUndefined();
  for (const at of [3, 4])
    expect(incidents.of(reported({ balance: parseAmount('1.5') }, 'liquidated', at))).toBe(
      'the venue liquidated on margin account margin isolated AAABBB: balance 1.5 BBB',
    );
});

test('what nothing of ours explains of a margin account is reported at once, and what comes of it', () => {
  const incidents = new Incidents(new State({ instruments, options: stateDefaults }));
  const found = (halts: boolean): Event => ({
    kind: 'marginFound',
    exchangeTime: seconds(0),
    receiveTime: seconds(0),
    finding: halts ? 'positionMismatch' : 'externalMargin',
    account: { product: 'margin', mode: 'cross', instrument: undefined, currency: 'USDT' },
    position: undefined,
    lots: 0,
    price: undefined,
    halts,
    why: 'it is so',
  });
  expect(incidents.of(found(false))).toBe('it is so');
  expect(incidents.of(found(true))).toBe('no margin order leaves until an operator clears it: it is so');
});
