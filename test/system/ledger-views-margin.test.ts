import { afterEach, test } from 'vitest';
import { parseAmount } from '../../src/core/base/amount.ts';
import { Followed } from './support/followed.ts';
import { contract, MarginScene } from './support/margin-scene.ts';
import { endTellers, expectAgreed, liveTellers, venueFacts } from './support/tellers.ts';
import { venueRecord } from './support/venue-record.ts';
import type { Stage } from './support/stage.ts';
import { until } from './support/until.ts';

// Margin and contracts over real sockets: every place that tells of money says what the exchange has of it.

let stage: Stage | undefined;

afterEach(async () => {
  await stage?.close();
});

test.each([
  ['ETHUSDT', 'margin', 'isolated', '0.000108024'],
  ['ETHUSDT', 'margin', 'cross', '0.000108024'],
  [contract, 'futures', 'isolated', '0.0054'],
  [contract, 'futures', 'cross', '0.0054'],
] as const)(
  '%s of %s, %s: lists, status line, metrics, reports, audit and the exchange agree',
  async (symbol, product, marginMode, charge) => {
    const scene = await MarginScene.open();
    ({ stage } = scene);
    const followed = await Followed.of(stage);
    const { puppet } = scene;
    const party = product === 'margin' ? scene.spot : scene.perpetual;
    await puppet.turn(({ margin }) => {
      if (marginMode === 'isolated') margin.set(symbol, { balance: '500' });
    });
    if (marginMode === 'isolated')
      await scene.accountUntil(symbol, marginMode, (account) => account?.balance === parseAmount('500'));
    const order = {
      symbol,
      product,
      marginMode,
      timeInForce: 'IOC',
      marginAuto: marginMode === 'cross',
    } as const;
    for (const [side, price, quantity] of [
      ['buy', 300_000, 10],
      ['buy', 300_100, 20],
      ['sell', 299_900, 12],
    ] as const) {
      party.rest(side === 'buy' ? 'sell' : 'buy', price, quantity);
      const id = await puppet.act((orders) => orders.place({ ...order, side, quantity, price }));
      await puppet.received(id, 'filled');
    }
    await scene.accountUntil(symbol, marginMode, (account) => account?.positions.length === 1);
    if (product === 'futures') scene.settleFunding(parseAmount('0.0001'));
    else scene.takeInterest();
    await until('the charge', () => puppet.funding.length === 1);
    await scene.expectSame();
    const setting = {
      before: 0,
      isOwn: () => true,
      charged: new Map([[`${symbol} ${marginMode}`, { all: charge, session: charge }]]),
      middle: () => parseAmount('3000'),
    };
    expectAgreed(await liveTellers(followed), venueFacts(await venueRecord(stage), setting));
    const report = await followed.stopped();
    expectAgreed(await endTellers(stage, report), venueFacts(await venueRecord(stage), setting));
  },
);
