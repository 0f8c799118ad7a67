import { afterEach, expect, test } from 'vitest';
import type { Amount } from '../../src/core/base/amount.ts';
import { parseAmount } from '../../src/core/base/amount.ts';
import type { ClientOrderId } from '../../src/core/model/order.ts';
import { Counterparty } from './support/counterparty.ts';
import { Followed } from './support/followed.ts';
import { Puppet } from './support/puppet.ts';
import { Stage, strategyOf } from './support/stage.ts';
import type { VenueSetting } from './support/tellers.ts';
import { endTellers, expectAgreed, liveTellers, venueFacts } from './support/tellers.ts';
import { until } from './support/until.ts';
import type { VenueRecord } from './support/venue-record.ts';
import { venueAnswer, venueRecord } from './support/venue-record.ts';

// Spot over real sockets: every place that tells of money says what the exchange has of it.

let stage: Stage;

afterEach(async () => {
  await stage.close();
});

const symbol = 'ETHUSDT';
const middle = (): Amount => parseAmount('3000');

/** A quiet market whose last digits are used, with fees in a currency. */
function marketOf(feeCurrency: string) {
  return {
    flow: { enabled: false },
    symbols: [
      {
        symbol,
        baseCurrency: 'ETH',
        quoteCurrency: 'USDT',
        feeCurrency,
        tickSize: '0.01',
        quantityIncrement: '0.0001',
        takeRate: '0.0025',
        makeRate: '-0.0001',
      },
      {
        symbol: 'BTCUSDT',
        baseCurrency: 'BTC',
        quoteCurrency: 'USDT',
        tickSize: '0.01',
        quantityIncrement: '0.00001',
      },
    ],
  };
}

/** Another client of the same account trades at the market. */
async function tradedElsewhere(side: 'buy' | 'sell', quantity: string): Promise<void> {
  await venueAnswer(stage, 'spot/order', 'POST', { symbol, side, type: 'market', quantity });
}

const isOwn = (order: string): boolean => order.startsWith('gw-');

/** What the exchange has on spot: the wallet of contracts is none of this daemon's. */
async function spotRecord(): Promise<VenueRecord> {
  const record = await venueRecord(stage);
  return { ...record, wallets: new Map([...record.wallets].filter(([name]) => name.startsWith('spot '))) };
}

/** Waits until wallets and trades of the exchange are known. */
async function known(): Promise<void> {
  const { view } = stage.daemon.trader;
  const record = await spotRecord();
  const theirs = [...record.wallets].map(([name, balance]) => ({
    currency: name.slice('spot '.length),
    ...balance,
  }));
  await expect
    .poll(() => theirs.map(({ currency }) => view.balance(currency)), { timeout: 5000 })
    .toEqual(theirs);
  const fills = (): number => view.positions().reduce((sum, { fillCount }) => sum + fillCount, 0);
  await until('the trades', () => fills() === record.trades.length && view.unknownCount() === 0);
}

test.each([
  ['quote', 'USDT'],
  ['base', 'ETH'],
  ['third', 'BTC'],
] as const)(
  'spot with fees in the %s currency: lists, status line, metrics, reports, audit and the exchange agree',
  async (feesIn, feeCurrency) => {
    Puppet.forget();
    stage = await Stage.open({ strategies: [strategyOf('puppet')], exchange: marketOf(feeCurrency) });
    const house = new Counterparty(stage.exchange, symbol, 'house', ['ETH', 'USDT', 'BTC']);
    let followed = await Followed.of(stage);
    let puppet = await Puppet.of(stage);
    const agree = async (before = 0): Promise<VenueSetting> => {
      const setting = { before, isOwn, middle, feesIn };
      await known();
      expectAgreed(await liveTellers(followed), venueFacts(await spotRecord(), setting));
      return setting;
    };
    const rested = async (side: 'buy' | 'sell', price: number, quantity: number): Promise<ClientOrderId> => {
      const id = await puppet.place({ side, price, quantity });
      await puppet.received(id, 'new');
      return id;
    };
    for (const [side, price, quantity] of [
      ['buy', 301_000, 1_137],
      ['sell', 299_000, 71],
    ] as const) {
      const id = await puppet.place({ side, price, quantity, timeInForce: 'IOC' });
      await puppet.received(id, 'filled');
    }
    const made = await rested('buy', 299_777, 13);
    house.take('sell', 299_777, 13);
    await puppet.received(made, 'filled');
    await agree();
    // An outage, in which one of two orders executes in part; another client trades, and an operator cancels what is left.
    const missed = await rested('sell', 300_333, 17);
    stage.exchange.faults.closeSockets(1001);
    house.take('buy', 300_333, 7);
    await tradedElsewhere('sell', '0.0057');
    await until('the missed part', () => stage.daemon.trader.view.order(missed)?.cumulative === 7);
    await followed.act({ act: 'cancel', clientOrderId: missed, why: 'the test cancels it' });
    await puppet.received(missed, 'canceled');
    await agree();
    // Killed: an order executes and another client trades in the meantime.
    const away = await rested('buy', 299_111, 29);
    await followed.killed();
    Puppet.forget();
    house.take('sell', 299_111, 29);
    await tradedElsewhere('sell', '0.0023');
    await stage.start();
    followed = await Followed.of(stage);
    puppet = await Puppet.of(stage);
    await until('what it missed', () => stage.daemon.trader.view.order(away)?.state === 'filled');
    const { trades } = await spotRecord();
    await agree(trades.length - 2);
    await followed.act({ act: 'flatten', strategy: 'puppet', why: 'the test closes it' });
    const { id } = stage.daemon.trader.instruments.get(symbol);
    await until('nothing held', () => stage.daemon.trader.view.position(id, 'puppet').quantity === 0);
    const setting = await agree(trades.length - 2);
    const report = await followed.stopped();
    expectAgreed(await endTellers(stage, report), venueFacts(await spotRecord(), setting));
    expect(feesIn).toBeDefined();
  },
);
