import { expect, test } from 'vitest';
import { seconds } from '../../../src/core/base/clock.ts';
import { Random } from '../../../src/core/base/random.ts';
import { VirtualClock } from '../../../src/core/base/virtual-clock.ts';
import type { MarketState } from '../../../src/exchange/base/market.ts';
import { exchangeOptions } from '../../../src/exchange/server/options.ts';
import type { World } from '../../../src/exchange/server/world.ts';
import { makeWorld } from '../../../src/exchange/server/world.ts';

const start = seconds(1_700_000_000);

function market(seed: string, flow: object = {}): { clock: VirtualClock; world: World } {
  const clock = new VirtualClock(start);
  const world = makeWorld(exchangeOptions.parse({ flow }), clock, new Random(seed));
  world.flow?.start();
  return { clock, world };
}

const mid = ({ book, instrument }: MarketState) => {
  const [bid, ask] = [book.best('buy')?.price ?? Number.NaN, book.best('sell')?.price ?? Number.NaN];
  return ((bid + ask) / 2) * Number(instrument.spec.tickSize);
};

test('the seeded market stays alive and sane for twenty minutes: spreads, depth, prices, trades', () => {
  const { clock, world } = market('long');
  const first = world.core.markets.map(mid);
  for (let minute = 0; minute < 20; minute++) {
    clock.advance(seconds(60));
    world.core.markets.forEach((one, index) => {
      const price = mid(one);
      expect(price / (first[index] as number)).toBeGreaterThan(0.8);
      expect(price / (first[index] as number)).toBeLessThan(1.25);
      const spread =
        ((one.book.best('sell')?.price ?? 0) - (one.book.best('buy')?.price ?? 0)) *
        Number(one.instrument.spec.tickSize);
      expect(spread).toBeGreaterThan(0);
      expect(spread / price).toBeLessThan(0.03);
      expect(one.book.depth('buy') + one.book.depth('sell')).toBeGreaterThan(20);
    });
  }
  const orders = world.core.exchange.activeOrders(world.accounts.get('market-makers').id);
  expect(orders.length).toBeLessThanOrEqual(400 * world.core.markets.length);
  for (const one of world.core.markets) expect(one.trades.size).toBeGreaterThan(300);
  const [btc, eth, ethbtc] = ['BTCUSDT', 'ETHUSDT', 'ETHBTC'].map((symbol) =>
    mid(world.core.market(world.core.instruments.get(symbol).id)),
  ) as [number, number, number];
  expect(eth / btc / ethbtc).toBeGreaterThan(0.99);
  expect(eth / btc / ethbtc).toBeLessThan(1.01);
});

test('the same seed gives the same market, another seed another', () => {
  const last = (seed: string) => {
    const { clock, world } = market(seed);
    clock.advance(seconds(60));
    return world.core.markets.map((one) => [one.lastTradeNumber, one.book.liveLevels('buy', 0)]);
  };
  expect(last('a')).toEqual(last('a'));
  expect(last('a')).not.toEqual(last('b'));
});

test('the pace follows the options, and nothing happens after it is stopped', () => {
  const rate = (eventsPerSecond: number) => {
    const { clock, world } = market('pace', { eventsPerSecond, volatility: 0 });
    clock.advance(seconds(20));
    world.flow?.stop();
    const after = world.core.markets.map((one) => one.trades.size);
    clock.advance(seconds(20));
    expect(world.core.markets.map((one) => one.trades.size)).toEqual(after);
    return after.reduce((sum, one) => sum + one, 0);
  };
  expect(rate(100)).toBeGreaterThan(2 * rate(10));
});
