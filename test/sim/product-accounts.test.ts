import { describe, expect, test } from 'vitest';
import type { Amount } from '../../src/core/base/amount.ts';
import { formatAmount, parseAmount, zero } from '../../src/core/base/amount.ts';
import { seconds } from '../../src/core/base/clock.ts';
import { defaultMarginRule } from '../../src/core/model/margin-math.ts';
import type { InstrumentSpec } from '../../src/core/model/instrument.ts';
import type { MarginMark, OpenMarginAccount } from '../../src/core/model/margin.ts';
import { SpotAccount } from '../../src/sim/account.ts';
import type { Charges } from '../../src/sim/charges.ts';
import { AnnouncedFunding, constantCharge, listedCharge } from '../../src/sim/charges.ts';
import type { OpenEngine } from '../../src/sim/engine.ts';
import { FeeSchedule } from '../../src/sim/fee-schedule.ts';
import { openShadowEngine } from '../../src/sim/fill-models/fifo/shadow-engine.ts';
import { openQueueEngine } from '../../src/sim/fill-models/queue/engine.ts';
import { riskAverse } from '../../src/sim/fill-models/queue/position.ts';
import { instrument, SimHarness } from '../support/sim-harness.ts';

const isolated: MarginMark = { mode: 'isolated', reduceOnly: false, closePosition: false, auto: false };
const contract = { type: 'futures', maxInitialLeverage: '10' } as const;
const symbol = { type: 'spot', marginTrading: true, maxInitialLeverage: '10' } as const;
const hour = seconds(3_600);

const openQueue: OpenEngine = (setup) =>
  openQueueEngine(setup, {
    account: new SpotAccount([]),
    ruleOf: () => riskAverse,
    fees: setup.instruments.all.map((one) => new FeeSchedule(one, [])),
    partial: true,
    impact: false,
  });

interface Setting {
  readonly spec?: Partial<InstrumentSpec>;
  readonly charges?: readonly Charges[];
  readonly futures?: string;
  readonly opened?: readonly OpenMarginAccount[];
}

/** A venue with one market, 99 bid and 101 asked, fifty each. */
function open(
  openEngine: OpenEngine,
  { spec = contract, charges = [], futures = '1000', opened = [] }: Setting = {},
) {
  const available = parseAmount(futures);
  const harness = new SimHarness({
    spec,
    funds: '1000',
    openEngine,
    margin: {
      futures: [{ currency: 'BBB', available, reserved: zero }],
      ruleOf: defaultMarginRule,
      charges,
      opened,
    },
  });
  harness.book([[99, 50]], [[101, 50]], 'bookSnapshot');
  return harness;
}

let last = [99, 101];
function moves(harness: SimHarness, bid: number, ask: number): void {
  const [oldBid = 0, oldAsk = 0] = last;
  last = [bid, ask];
  harness.book(
    [
      [oldBid, 0],
      [bid, 50],
    ],
    [
      [oldAsk, 0],
      [ask, 50],
    ],
  );
}

const takes = (harness: SimHarness, id: string, side: 'buy' | 'sell', quantity: number, margin = isolated) =>
  harness.order(id, side, { type: 'market', timeInForce: 'IOC', quantity, margin });

/** Changes of margin accounts so far: `futures openTrade 110 10 called`. */
function changes(harness: SimHarness): string[] {
  return harness.only('marginAccount').map(({ product, reason, account }) => {
    const sizes = account.positions.map(({ quantity }) => formatAmount(quantity)).join(' ');
    return `${product} ${reason} ${formatAmount(account.balance)} ${sizes}${account.called ? ' called' : ''}`.trim();
  });
}

function wallets(harness: SimHarness): string[] {
  return harness
    .only('balances')
    .map(
      ({ wallet = 'spot', balances }) =>
        `${wallet} ${balances.map((one) => `${one.currency} ${formatAmount(one.available)}`).join(' ')}`,
    );
}

const engines = [
  { name: 'shadow', openEngine: openShadowEngine },
  { name: 'queue', openEngine: openQueue },
];

describe.each(engines)('margin and futures accounts beside the fill model $name', ({ openEngine }) => {
  test('a contract is paid from its margin, called and liquidated by the rules of the exchange', () => {
    last = [99, 101];
    const harness = open(openEngine);
    harness.changeMargin({ product: 'futures', mode: 'isolated', balance: parseAmount('110') });
    expect(wallets(harness)).toEqual(['futures BBB 890']);
    takes(harness, 'mine', 'buy', 10);
    expect(changes(harness)).toEqual([
      'futures created 110',
      'futures updated 110 10',
      'futures openTrade 110 10',
    ]);
    expect(harness.only('orderReport').at(-1)).toMatchObject({
      reportType: 'trade',
      order: { clientOrderId: 'mine', state: 'filled', margin: isolated },
      fill: { quantity: 10, price: 101, positionId: 1 },
    });
    harness.noted.length = 0;
    moves(harness, 98, 99);
    expect(changes(harness)).toEqual(['futures updated 110 10 called']);
    harness.noted.length = 0;
    takes(harness, 'more', 'buy', 1);
    expect(harness.received()).toEqual(['more orderRejected 20034']);
    moves(harness, 94, 95);
    const [opened = '', closed = ''] = harness.received();
    expect(opened).toMatch(/^liquidation-\d+ new$/);
    expect(closed).toMatch(/^liquidation-\d+ trade 10@94 filled$/);
    harness.read({ of: 'marginAccounts', product: 'futures' });
    expect(harness.only('readAnswered').at(-1)?.marginAccounts).toMatchObject([
      { balance: parseAmount('40'), positions: [], called: false },
    ]);
  });

  test('funding is charged at its times, long pays and short gets, and leads to a margin call', () => {
    last = [99, 101];
    const schedule = constantCharge({ rate: parseAmount('0.001'), every: hour });
    const harness = open(openEngine, { charges: [{ instrument, kind: 'funding', schedule }] });
    harness.changeMargin({ product: 'futures', mode: 'isolated', balance: parseAmount('500') });
    takes(harness, 'mine', 'buy', 10);
    harness.noted.length = 0;
    harness.clock.advanceTo(hour);
    expect(changes(harness)).toEqual(['futures interestTaken 499 10']);
    takes(harness, 'turn', 'sell', 12);
    harness.noted.length = 0;
    harness.clock.advanceTo(seconds(7_200));
    expect(changes(harness)).toEqual(['futures interestTaken 479.2 -2']);
    takes(harness, 'end', 'buy', 2);
    harness.noted.length = 0;
    harness.clock.advanceTo(seconds(10_800));
    expect(changes(harness)).toEqual([]);
  });

  test('a symbol on margin borrows, pays interest and leaves the spot balance as it was', () => {
    last = [99, 101];
    const schedule = constantCharge({ rate: parseAmount('0.001'), every: hour });
    const harness = new SimHarness({
      spec: symbol,
      funds: '1000',
      openEngine,
      margin: {
        futures: [],
        ruleOf: (one) => ({ ...defaultMarginRule(one)!, interestRate: parseAmount('0.001') }),
        charges: [{ instrument, kind: 'interest', schedule }],
      },
    });
    harness.book([[99, 50]], [[101, 50]], 'bookSnapshot');
    takes(harness, 'mine', 'buy', 20, { ...isolated, auto: true });
    expect(changes(harness)).toEqual([
      'margin created 202 20',
      'margin updated 202 20',
      'margin openTrade 202 20',
    ]);
    expect(wallets(harness)).toEqual(['spot BBB 798']);
    harness.noted.length = 0;
    harness.clock.advanceTo(hour);
    expect(changes(harness)).toEqual(['margin interestTaken 199.98 20']);
    harness.noted.length = 0;
    takes(harness, 'end', 'sell', 20, { ...isolated, reduceOnly: true });
    expect(changes(harness).at(-1)).toBe('margin closed 0');
    expect(wallets(harness)).toEqual(['spot BBB 957.98']);
  });

  test('an order that may only reduce fills no more than is open, resting or taking', () => {
    last = [99, 101];
    const harness = open(openEngine);
    harness.changeMargin({ product: 'futures', mode: 'isolated', balance: parseAmount('500') });
    takes(harness, 'mine', 'buy', 10);
    harness.received();
    harness.order('out', 'sell', { price: 103, quantity: 30, margin: { ...isolated, reduceOnly: true } });
    moves(harness, 101, 104);
    harness.trade('buy', 60, 104);
    expect(harness.received()).toEqual(['out new', 'out trade 10@103', 'out canceled']);
    takes(harness, 'again', 'sell', 5, { ...isolated, reduceOnly: true });
    expect(harness.received()).toEqual(['again new', 'again canceled']);
  });

  test('a stop order that closes the position takes what is open when it fires', () => {
    last = [99, 101];
    const harness = open(openEngine);
    harness.changeMargin({ product: 'futures', mode: 'isolated', balance: parseAmount('900') });
    takes(harness, 'mine', 'buy', 10);
    const closing = { ...isolated, closePosition: true };
    harness.order('stop', 'sell', { type: 'stopMarket', stopPrice: 98, quantity: 0, margin: closing });
    takes(harness, 'more', 'buy', 5);
    harness.received();
    moves(harness, 97, 99);
    harness.trade('sell', 1, 98);
    expect(harness.received()).toEqual(['stop new', 'stop trade 15@97 filled']);
  });

  test('reads are of one product', () => {
    last = [99, 101];
    const harness = open(openEngine);
    harness.changeMargin({ product: 'futures', mode: 'isolated', balance: parseAmount('500') });
    takes(harness, 'mine', 'buy', 3);
    harness.order('rests', 'buy', { price: 90, quantity: 1, margin: isolated });
    harness.noted.length = 0;
    for (const product of ['spot', 'futures'] as const) {
      harness.read({ of: 'activeOrders', product });
      harness.read({ of: 'tradeHistory', since: 0 as never, product });
      harness.read({ of: 'balances', product });
    }
    const answers = harness.only('readAnswered');
    expect(answers.map(({ orders }) => orders.map((one) => one.clientOrderId))).toEqual([
      [],
      [],
      [],
      ['rests'],
      [],
      [],
    ]);
    expect(answers[3]?.orders[0]?.margin).toEqual(isolated);
    expect(answers[4]?.fills).toMatchObject([
      { clientOrderId: 'mine', marginMode: 'isolated', positionId: 1 },
    ]);
    expect(answers[2]?.balances.map(({ currency }) => currency)).toEqual(['AAA', 'BBB']);
    expect(answers[5]?.balances).toEqual([
      { currency: 'BBB', available: parseAmount('500'), reserved: zero },
    ]);
    harness.cancel('rests', 'spot');
    harness.cancel('rests', 'futures');
    expect(harness.received()).toEqual(['rests cancelRejected 20002', 'rests canceled']);
  });

  test('a recorded mark price values positions, and announced funding is charged at its time', () => {
    last = [99, 101];
    const harness = open(openEngine, {
      charges: [{ instrument, kind: 'funding', schedule: new AnnouncedFunding() }],
    });
    harness.changeMargin({ product: 'futures', mode: 'isolated', balance: parseAmount('120') });
    takes(harness, 'mine', 'buy', 10);
    harness.noted.length = 0;
    const info = {
      kind: 'contractInfo',
      instrument,
      markPrice: parseAmount('100'),
      indexPrice: parseAmount('100'),
      fundingRate: parseAmount('0.002'),
      nextFundingAt: hour,
      lastFundingRate: undefined,
      openInterest: undefined,
      exchangeTime: harness.clock.now(),
      receiveTime: harness.clock.now(),
    } as const;
    harness.data(info);
    moves(harness, 80, 82);
    harness.clock.advanceTo(hour);
    expect(changes(harness)).toEqual(['futures interestTaken 118 10']);
    harness.data({ ...info, markPrice: parseAmount('97'), exchangeTime: hour, receiveTime: hour });
    expect(changes(harness).at(-1)).toBe('futures updated 118 10 called');
  });

  test('goes on with the accounts that an earlier session left', () => {
    last = [99, 101];
    const before = open(openEngine);
    before.changeMargin({ product: 'futures', mode: 'isolated', balance: parseAmount('500') });
    takes(before, 'mine', 'sell', 7);
    takes(before, 'more', 'sell', 4);
    before.order('rests', 'sell', { price: 120, quantity: 3, margin: isolated });
    before.read({ of: 'marginAccounts', product: 'futures' });
    const [left] = before.only('readAnswered').at(-1)?.marginAccounts ?? [];
    const after = open(openEngine, {
      futures: '500',
      opened: left === undefined ? [] : [{ product: 'futures', account: left }],
    });
    after.read({ of: 'marginAccounts', product: 'futures' });
    expect(after.only('readAnswered').at(-1)?.marginAccounts).toEqual([
      { ...left, reservedOrders: zero, updatedAt: left?.createdAt },
    ]);
    after.noted.length = 0;
    takes(after, 'out', 'buy', 11, { ...isolated, reduceOnly: true });
    expect(changes(after).at(-1)).toBe('futures closed 478');
  });

  test('a change of margin that cannot be is refused with the number of the exchange', () => {
    const harness = open(openEngine);
    const refused = (change: { balance?: Amount; leverage?: Amount; product?: 'margin' }) => {
      harness.noted.length = 0;
      harness.changeMargin({ product: 'futures', mode: 'isolated', ...change });
      return harness.only('marginRejected').map(({ code }) => code);
    };
    expect(refused({ balance: parseAmount('1001') })).toEqual([20_001]);
    expect(refused({ balance: parseAmount('10'), leverage: parseAmount('11') })).toEqual([20_040]);
    expect(refused({ balance: parseAmount('10'), product: 'margin' })).toEqual([20_040]);
    expect(refused({ balance: parseAmount('10'), leverage: parseAmount('5') })).toEqual([]);
    expect(refused({ leverage: parseAmount('5') })).toEqual([20_033]);
    expect(refused({ leverage: parseAmount('4') })).toEqual([]);
    expect(harness.only('marginAccount').at(-1)?.account.leverage).toBe(parseAmount('4'));
  });
});

test('a venue of spot alone refuses a change of margin', () => {
  const harness = new SimHarness();
  harness.changeMargin({ product: 'futures', mode: 'isolated', balance: parseAmount('1') });
  expect(harness.only('marginRejected')).toMatchObject([
    { code: 20_040, why: 'the simulated account has no margin' },
  ]);
});

describe('when positions are charged', () => {
  const rate = parseAmount('0.01');
  test('a constant is due at every multiple of its length', () => {
    const schedule = constantCharge({ rate, every: hour });
    expect(schedule.nextAfter(hour)).toBe(2 * hour);
    expect(schedule.rateAt(hour)).toBe(rate);
  });

  test('a list is due at its times and then no more', () => {
    const schedule = listedCharge([
      { time: hour, rate },
      { time: seconds(7_200), rate: zero },
    ]);
    expect([
      schedule.nextAfter(seconds(0)),
      schedule.nextAfter(hour),
      schedule.nextAfter(seconds(7_200)),
    ]).toEqual([hour, 2 * hour, undefined]);
    expect([schedule.rateAt(hour), schedule.rateAt(seconds(1))]).toEqual([rate, zero]);
  });

  test('what is announced counts with the last rate of its time', () => {
    const schedule = new AnnouncedFunding();
    expect(schedule.nextAfter(seconds(0))).toBeUndefined();
    schedule.announce(hour, zero);
    schedule.announce(hour, rate);
    expect(schedule.nextAfter(seconds(0))).toBe(hour);
    schedule.announce(seconds(7_200), zero);
    expect(schedule.rateAt(hour)).toBe(rate);
  });
});
