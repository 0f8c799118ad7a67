import { expect, test } from 'vitest';
import { Incidents } from '../../src/app/live/incidents.ts';
import { seconds } from '../../src/core/base/clock.ts';
import type { DenialCode } from '../../src/core/model/denial.ts';
import type { Event } from '../../src/core/model/event.ts';
import type { ClientOrderId } from '../../src/core/model/order.ts';

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
  const incidents = new Incidents();
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
  const incidents = new Incidents();
  expect(incidents.of(denied('MARKET_ORDERS_OFF', 'orders of type market are switched off', 0))).toBe(
    'strategy maker: an order was denied, MARKET_ORDERS_OFF: orders of type market are switched off',
  );
  expect(incidents.of(denied('MARKET_ORDERS_OFF', 'other words', 1))).toBeUndefined();
  expect(incidents.of(denied('PRICE_COLLAR', 'too far', 2))).toContain('PRICE_COLLAR: too far');
  expect(incidents.of(denied('MARKET_ORDERS_OFF', 'still', 61))).toContain('still');
  // A halt and a stop are told by themselves.
  expect(incidents.of(denied('MODE_HALTED', 'trading is halted', 62))).toBeUndefined();
});
