import { expect, test } from 'vitest';
import type { Event } from '../../../../src/core/model/event.ts';
import { MarketDataHandler } from '../../../../src/venues/hitbtc/market-data/handler.ts';
import { Counterparty } from '../../../system/support/counterparty.ts';
import { Stage, bookOf } from '../client/support/exchange.ts';

test('what a contract shows of itself comes live, and again from the recorded frames', async () => {
  const stage = await Stage.start((instruments) => ({
    subscriptions: [
      bookOf(instruments, 'ETHUSDT'),
      { ...bookOf(instruments, 'ETHUSDT_PERP'), contract: true },
    ],
  }));
  try {
    await stage.ready();
    const market = new Counterparty(stage.server);
    market.rest('sell', 300_100, 500);
    market.rest('buy', 299_900, 500);
    const info = await stage.watcher.until('contractInfo');
    expect(info.instrument).toBe(stage.instruments.get('ETHUSDT_PERP').id);
    expect(info.markPrice).toBeGreaterThan(0n);
    expect(info.nextFundingAt).toBeGreaterThan(info.exchangeTime);
    expect(info.fundingRate).toBeTypeOf('bigint');
    const again: Event[] = [];
    const decoder = new MarketDataHandler({
      instruments: stage.instruments,
      publish: (event) => again.push(event),
    });
    for (const frame of stage.frames) decoder.accept(frame);
    expect(again.filter(({ kind }) => kind === 'contractInfo')).toEqual(stage.watcher.all('contractInfo'));
  } finally {
    await stage.close();
  }
});
