import { expect, test } from 'vitest';
import { millis, seconds } from '../../../../src/core/base/clock.ts';
import { silentLogger } from '../../../../src/core/base/logger.ts';
import { Secret } from '../../../../src/core/base/secret.ts';
import { VirtualClock } from '../../../../src/core/base/virtual-clock.ts';
import type { Event } from '../../../../src/core/model/event.ts';
import { ApiBudgets } from '../../../../src/venues/hitbtc/budgets/api.ts';
import { budgetOptions } from '../../../../src/venues/hitbtc/budgets/options.ts';
import { ClockOffset } from '../../../../src/venues/net/clock-offset.ts';
import { readTime } from '../../../../src/venues/hitbtc/wire/formats.ts';
import { TradingSession } from '../../../../src/venues/hitbtc/client/trading-session.ts';
import { clientOptions } from '../../../../src/venues/options.ts';
import { fakeOpener } from './support/fake-socket.ts';

/** A session whose requests are refused by name, or taken. */
function build(refusing: Set<string>) {
  const clock = new VirtualClock(seconds(1_000));
  const opener = fakeOpener();
  const events: Event[] = [];
  const session = new TradingSession({
    clock,
    log: silentLogger,
    credentials: { apiKey: 'key-0001', secret: new Secret('very-secret') },
    products: () => ['spot'],
    options: clientOptions.parse({}),
    budgets: new ApiBudgets(budgetOptions.parse({}), clock),
    clockOffset: new ClockOffset(readTime),
    url: 'wss://venue.example/api/3/ws/trading',
    openSocket: opener.openSocket,
    publish: (event) => events.push(event),
    accept: () => {},
    measureClock: async () => {},
  });
  session.open();
  const socket = opener.last();
  /** A connection, for as long as its requests are taken. */
  const connect = async (): Promise<void> => {
    socket.connect();
    for (let turn = 0; turn < 50 && socket.cuts.length === 0; turn++) {
      await new Promise((resolve) => {
        setImmediate(resolve);
      });
      for (const { id, method } of socket.take()) {
        const error = { code: 1002, message: 'Authorization is required', description: '' };
        session.replied(
          id,
          refusing.has(method) ? { kind: 'error', error } : { kind: 'result', result: true },
        );
      }
      clock.advance(millis(10));
    }
    if (socket.cuts.splice(0).length > 0) socket.lose('cut');
  };
  return { session, clock, connect, events };
}

test('a login that is refused anew is reported since when, in the words of the venue, until it is taken', async () => {
  const refusing = new Set<string>();
  const { session, clock, connect, events } = build(refusing);
  await connect();
  expect(events.map(({ kind }) => kind)).toEqual(['sessionUp']);
  expect(session.refused).toEqual([]);
  refusing.add('login');
  const since = clock.uptime();
  await connect();
  clock.advance(seconds(5));
  await connect();
  expect(session.isUp).toBe(false);
  expect(session.refused).toMatchObject([
    { kind: 'loginRefused', subject: 'trading', what: 'the login', why: '1002 Authorization is required' },
  ]);
  const [refused] = session.refused;
  expect(Number(refused?.since) - since).toBeLessThan(seconds(1));
  expect(refused?.nextLook).toBeGreaterThanOrEqual(clock.uptime());
  refusing.clear();
  await connect();
  expect(session.isUp).toBe(true);
  expect(session.refused).toEqual([]);
});

test('a subscription that is refused after the login is reported as itself', async () => {
  const { session, connect } = build(new Set(['spot_balance_subscribe']));
  await connect();
  expect(session.isUp).toBe(false);
  expect(session.refused).toMatchObject([{ what: 'the subscription of spot balances' }]);
});
