import { afterEach, expect, test } from 'vitest';
import type { Amount } from '../../src/core/base/amount.ts';
import { add, formatAmount, multiply, parseAmount, zero } from '../../src/core/base/amount.ts';
import { seconds } from '../../src/core/base/clock.ts';
import { SystemClock } from '../../src/core/base/system-clock.ts';
import { Instruments } from '../../src/core/model/instrument.ts';
import type { ClientOrderId } from '../../src/core/model/order.ts';
import type { PlaceListRequest } from '../../src/core/strategy/context.ts';
import { middleOf } from '../../src/core/orders/base/profit.ts';
import type { ProfitRow } from '../../src/operate/views/profits.ts';
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
let house: Counterparty;
let followed: Followed;
let puppet: Puppet;

afterEach(async () => {
  await stage.close();
});

const symbol = 'ETHUSDT';

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

/** The middle of the exchange's book. */
async function middleNow(): Promise<Amount> {
  type Side = readonly (readonly [string, string])[];
  const book = (await venueAnswer(stage, `public/orderbook/${symbol}?depth=1`)) as { ask: Side; bid: Side };
  const [ask, bid] = [book.ask, book.bid].map(([best]) => parseAmount(best?.[0] ?? '0'));
  return (((ask ?? zero) + (bid ?? zero)) / 2n) as Amount;
}

/** Waits until wallets, trades and the book of the exchange are known; the middle of that book. */
async function known(): Promise<Amount> {
  const { view, instruments } = stage.daemon.trader;
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
  const middle = await middleNow();
  await until('the book', () => middleOf(view, instruments.get(symbol)) === middle);
  return middle;
}

type FeesIn = NonNullable<VenueSetting['feesIn']>;

/** Takes the daemon's strategy and its operator into the hand of the test. */
async function begun(): Promise<void> {
  followed = await Followed.of(stage);
  puppet = await Puppet.of(stage);
}

async function opened(feeCurrency: string, venue = {}): Promise<void> {
  Puppet.forget();
  stage = await Stage.open({ strategies: [strategyOf('puppet')], exchange: marketOf(feeCurrency), venue });
  house = new Counterparty(stage.exchange, symbol, 'house', ['ETH', 'USDT', 'BTC']);
  await begun();
}

/** As a killed process leaves it, and started again; `between` happens in the meantime. */
async function killed(between: () => Promise<void>): Promise<void> {
  await followed.killed();
  Puppet.forget();
  await between();
  await stage.start();
  await begun();
}

/** What the wallets of the exchange are worth at the middle of its book: nothing prices the currency of fees. */
async function worthAt(middle: Amount): Promise<string> {
  const { wallets } = await spotRecord();
  const held = (currency: string): Amount => {
    const { available = zero, reserved = zero } = wallets.get(`spot ${currency}`) ?? {};
    return add(available, reserved);
  };
  return formatAmount(add(held('USDT'), multiply(held('ETH'), middle)));
}

/** All that is said while the session runs is what the exchange has. `before`: executions that the session did not book. */
async function agree(feesIn: FeesIn, before = 0): Promise<VenueSetting> {
  const middle = await known();
  const setting = { before, isOwn, middle: () => middle, feesIn };
  expectAgreed(await liveTellers(followed), venueFacts(await spotRecord(), setting));
  const rows = JSON.parse(await followed.ask('/api/profits')) as readonly ProfitRow[];
  expect(rows.find(({ strategy, currency }) => strategy === null && currency === 'USDT')?.equity).toBe(
    await worthAt(middle),
  );
  return setting;
}

/** The operator closes what the strategy holds and stops the daemon: all that is said then is what the exchange has. */
async function closed(feesIn: FeesIn, before: number): Promise<void> {
  await followed.act({ act: 'flatten', strategy: 'puppet', why: 'the test closes it' });
  const { id } = stage.daemon.trader.instruments.get(symbol);
  await until('nothing held', () => stage.daemon.trader.view.position(id, 'puppet').quantity === 0);
  const setting = await agree(feesIn, before);
  const report = await followed.stopped();
  expectAgreed(await endTellers(stage, report), venueFacts(await spotRecord(), setting));
}

async function rested(side: 'buy' | 'sell', price: number, quantity: number): Promise<ClientOrderId> {
  const id = await puppet.place({ side, price, quantity });
  await puppet.received(id, 'new');
  return id;
}

const stateOf = (id: string) => stage.daemon.trader.view.order(id as ClientOrderId)?.state;

test.each([
  ['fees in the quote currency', 'quote', 'USDT', 'v3'],
  ['fees in the base currency', 'base', 'ETH', 'v3'],
  ['fees in a third currency', 'third', 'BTC', 'v3'],
  ['market data of version 2', 'quote', 'USDT', 'v2'],
] as const)(
  'spot with %s: lists, status line, metrics, reports, audit and the exchange agree',
  async (_, feesIn, feeCurrency, api) => {
    await opened(feeCurrency, { api });
    expect(stage.daemon.changed.notes.map((note) => note.split(':')[0])).toEqual(
      feesIn === 'third' ? ['fees of ETHUSDT are in BTC'] : [],
    );
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
    await agree(feesIn);
    // An outage, in which an order executes in part; another client trades, and the operator cancels what is left.
    const missed = await rested('sell', 300_333, 17);
    stage.exchange.faults.closeSockets(1001);
    house.take('buy', 300_333, 7);
    await tradedElsewhere('sell', '0.0057');
    await until('the missed part', () => stage.daemon.trader.view.order(missed)?.cumulative === 7);
    await followed.act({ act: 'cancel', clientOrderId: missed, why: 'the test cancels it' });
    await puppet.received(missed, 'canceled');
    await agree(feesIn);
    // Killed: an order executes and another client trades in the meantime.
    const away = await rested('buy', 299_111, 29);
    await killed(async () => {
      house.take('sell', 299_111, 29);
      await tradedElsewhere('sell', '0.0023');
    });
    await until('what it missed', () => stateOf(away) === 'filled');
    await closed(feesIn, (await spotRecord()).trades.length - 2);
  },
);

test('lists on spot: lists, status line, metrics, reports, audit and the exchange agree', async () => {
  await opened('USDT');
  const listed = (list: PlaceListRequest): Promise<readonly string[]> =>
    puppet.act((orders) => orders.placeList(list)) as Promise<readonly string[]>;
  const leave = (quantity: number) =>
    [
      { symbol, side: 'sell', quantity, price: 300_555 },
      { symbol, side: 'sell', quantity, type: 'stopLimit', stopPrice: 299_200, price: 299_000 },
    ] as const;
  // A bracket: bought, then sold with profit, which ends the stop.
  const bracket = await listed({
    contingency: 'oneTriggerOneCancelOther',
    orders: [{ symbol, side: 'buy', quantity: 230, price: 299_555 }, ...leave(230)],
  });
  await puppet.received(bracket[0] ?? '', 'new');
  house.take('sell', 299_555, 230);
  await puppet.received(bracket[1] ?? '', 'new');
  await agree('quote');
  house.take('buy', 300_555, 230);
  for (const [at, state] of ['filled', 'filled', 'canceled'].entries())
    await puppet.received(bracket[at] ?? '', state);
  await agree('quote');
  // One of two executes in part in an outage, which ends the other; the operator cancels what is left.
  const bought = await puppet.place({ side: 'buy', price: 301_000, quantity: 311, timeInForce: 'IOC' });
  await puppet.received(bought, 'filled');
  const either = await listed({ contingency: 'oneCancelOther', orders: leave(211) });
  await puppet.received(either[0] ?? '', 'new');
  await puppet.received(either[1] ?? '', 'suspended');
  stage.exchange.faults.closeSockets(1001);
  house.take('buy', 300_555, 107);
  await tradedElsewhere('sell', '0.0057');
  await until('the other', () => stateOf(either[1] ?? '') === 'canceled');
  await until(
    'the part',
    () => stage.daemon.trader.view.order(either[0] as ClientOrderId)?.cumulative === 107,
  );
  await followed.act({ act: 'cancel', clientOrderId: either[0] ?? '', why: 'the test cancels it' });
  await puppet.received(either[0] ?? '', 'canceled');
  await agree('quote');
  // Killed: the first executes and wakes the second, which executes in part.
  const chain = await listed({
    contingency: 'oneTriggerOther',
    orders: [
      { symbol, side: 'buy', quantity: 41, price: 299_333 },
      { symbol, side: 'sell', quantity: 41, price: 300_777 },
    ],
  });
  await puppet.received(chain[0] ?? '', 'new');
  await killed(async () => {
    house.take('sell', 299_333, 41);
    house.take('buy', 300_777, 19);
    await tradedElsewhere('sell', '0.0023');
  });
  await until('the first', () => stateOf(chain[0] ?? '') === 'filled');
  await until('the part', () => stage.daemon.trader.view.order(chain[1] as ClientOrderId)?.cumulative === 19);
  await closed('quote', (await spotRecord()).trades.length - 3);
});

test('a fee in a currency that the account does not have is a named difference of both currencies, and no profit', async () => {
  Puppet.forget();
  stage = await Stage.open({
    strategies: [strategyOf('puppet')],
    exchange: marketOf('USDT'),
    listed: (listed) => new Instruments(listed.all.map(({ spec }) => ({ ...spec, feeCurrency: 'HIT' }))),
  });
  house = new Counterparty(stage.exchange);
  puppet = await Puppet.of(stage);
  const clock = new SystemClock();
  const { view, instruments } = stage.daemon.trader;
  await until('a look at rest', () => view.wallets.isProven);
  // What moves so near to a look may be in it or not.
  const looked = stage.all('readAnswered').at(-1)?.receiveTime ?? 0;
  await until('a second', () => clock.now() > looked + seconds(1));
  const id = await puppet.place({ side: 'buy', price: 301_000, quantity: 137, timeInForce: 'IOC' });
  await puppet.received(id, 'filled');
  stage.exchange.faults.closeSockets(1001);
  // 41.237 × 0.0025 were taken in USDT, and by what is listed they were HIT.
  const said = (currency: string) =>
    stage.next('differenceFound', ({ difference }) => difference.currency === currency);
  for (const [currency, amount] of [
    ['USDT', '-0.1030925'],
    ['HIT', '0.1030925'],
  ] as const) {
    const { difference } = await said(currency);
    expect(difference).toMatchObject({ kind: 'balance', product: 'spot', unit: currency });
    expect(formatAmount(difference.amount ?? zero)).toBe(amount);
    expect(difference.cause).toContain(currency);
  }
  const { feesInQuote, fees } = view.position(instruments.get(symbol).id, 'puppet');
  expect([fees, feesInQuote].map(formatAmount)).toEqual(['0.1030925', '0']);
});
