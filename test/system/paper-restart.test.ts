import { afterEach, describe, expect, test } from 'vitest';
import { replaySession } from '../../src/app/replay/session.ts';
import { formatAmount } from '../../src/core/base/amount.ts';
import { configSchema } from '../../src/app/config/schema.ts';
import { openRecording } from '../../src/data/open/own-formats.ts';
import type { ClientOrderId } from '../../src/core/model/order.ts';
import { Counterparty } from './support/counterparty.ts';
import { Puppet } from './support/puppet.ts';
import { Stage, strategyOf } from './support/stage.ts';
import { until } from './support/until.ts';

// Paper that is stopped and started again, as a daemon is.

let stage: Stage;

async function open(mode: 'sim' | 'paper'): Promise<void> {
  Puppet.forget();
  stage = await Stage.open({
    mode,
    strategies: [strategyOf('puppet')],
    exchange: { flow: { enabled: false } },
    config: { backtest: { balances: { ETH: '10', USDT: '10000' } } },
  });
  const counterparty = new Counterparty(stage.exchange);
  counterparty.rest('buy', 299_000, 1_000);
  counterparty.rest('sell', 300_000, 1_000);
}

afterEach(async () => {
  await stage.close();
});

const position = () => {
  const { view, instruments } = stage.daemon.trader;
  return view.position(instruments.get('ETHUSDT').id, 'puppet').quantity;
};
const held = (currency: string) => {
  const { available, reserved } = stage.daemon.trader.view.balance(currency);
  return [formatAmount(available), formatAmount(reserved)];
};

/** Buys ten lots at the ask and waits for all that comes of it. */
async function buys(before: number): Promise<void> {
  const puppet = await Puppet.of(stage);
  const id = await puppet.place({ side: 'buy', quantity: 10, price: 300_000, timeInForce: 'IOC' });
  await puppet.received(id, 'filled');
  await until('the fill', () => puppet.fills.includes(`${id} 10`));
  expect(position()).toBe(before + 10);
}

describe('mode paper', () => {
  test('goes on with its position and its account when it is started again', async () => {
    await open('paper');
    for (const before of [0, 10, 20]) {
      await buys(before);
      const [eth, usdt] = [held('ETH'), held('USDT')];
      expect(await stage.stop()).toEqual([]);
      Puppet.forget();
      await stage.start();
      await Puppet.of(stage);
      expect(position()).toBe(before + 10);
      expect([held('ETH'), held('USDT')]).toEqual([eth, usdt]);
    }
    const trades = stage.all('orderReport').flatMap(({ fill }) => fill?.tradeId ?? []);
    expect(trades).toHaveLength(3);
    expect(new Set(trades).size).toBe(3);
  });

  test('knows after a crash that what rested is gone: no strategy waits for it, or moves it', async () => {
    await open('paper');
    const puppet = await Puppet.of(stage);
    const id = await puppet.place({ side: 'buy', quantity: 10, price: 295_000 });
    await puppet.received(id, 'new');
    // As a killed process leaves it: nothing is cancelled, nothing reported.
    await stage.daemon.trader.close();
    Puppet.forget();
    await stage.start();
    await Puppet.of(stage);
    const { view } = stage.daemon.trader;
    expect(view.openOrders()).toEqual([]);
    expect(view.order(id as ClientOrderId)).toMatchObject({ state: 'canceled', cumulative: 0 });
    expect(held('USDT')).toEqual(['10000', '0']);
  });

  test('with a strategy in a worker: its recording replays to the same course', async () => {
    const bidder = { symbol: 'ETHUSDT', everyMs: 20 };
    stage = await Stage.open({
      mode: 'paper',
      strategies: [strategyOf('stubborn-bidder', bidder, { host: 'worker' })],
      config: { backtest: { balances: { ETH: '10', USDT: '10000' } } },
      record: true,
    });
    await until('bids', () => stage.all('intent').length > 5);
    expect(await stage.stop()).toEqual([]);
    let intents = 0;
    const { digest } = await replaySession({
      configure: (recorded) => configSchema.parse({ ...recorded, strategies: stage.config.strategies }),
      recording: await openRecording([stage.recording]),
      watch: ({ event }) => void (intents += event.kind === 'intent' ? 1 : 0),
    });
    expect(intents).toBe(stage.all('intent').length);
    expect(digest).toBe(stage.daemon.digest());
  });

  test('has its journal to itself: no real account goes on with it, nor the other way round', async () => {
    await open('paper');
    await buys(0);
    await stage.stop();
    await expect(stage.start('sim')).rejects.toThrow(
      /the journal in .* is of paper, with the market of this machine, and this run trades on an account without a name at this machine: name another run\.directory/,
    );
  });
});
