import { afterAll, beforeAll, expect, test } from 'vitest';
import { failureOf } from '../support.ts';
import { Talk } from './talk.ts';

let talk: Talk;

beforeAll(async () => {
  talk = await Talk.start();
});
afterAll(async () => {
  await talk.close();
});

const order = { symbol: 'BTCUSDT', side: 'buy', quantity: '0.001', price: '1000' } as const;

// Codes that sources name without saying when they come: whenever they do, the client must pass them on as refusals.
test.each([800, 1005, 10_022, 20_012, 20_016, 20_031, 20_041, 20_042, 20_043, 20_044, 20_047])(
  'a refusal with code %i is a refusal, over REST and on the socket',
  async (code) => {
    const { faults, core, accounts } = talk.stage.server;
    faults.refuseOrders(code, 2);
    const refused = { kind: 'refused', code, outcome: 'known' };
    expect(await failureOf(talk.us.v3.spot.createOrder(order))).toMatchObject(refused);
    const asked = talk.on(talk.us, 'tradingV3', (socket) => socket.spot.newOrder(order));
    expect((await failureOf(asked)).code).toBe(code);
    expect(core.exchange.activeOrders(accounts.get('demo').id)).toEqual([]);
  },
);
