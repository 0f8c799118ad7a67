import { describe, expect, test } from 'vitest';
import { formatAmount, parseAmount, zero } from '../../../src/core/base/amount.ts';
import type { Amount } from '../../../src/core/base/amount.ts';
import type { Micros } from '../../../src/core/base/clock.ts';
import { Random } from '../../../src/core/base/random.ts';
import type { AccountId, ExchangeCommand } from '../../../src/exchange/matching/accounts/command.ts';
import { defaultMatchingOptions } from '../../../src/exchange/matching/state/options.ts';
import { Exchange } from '../../../src/exchange/matching/exchange.ts';
import type { Outcome } from '../../../src/exchange/matching/accounts/outcome.ts';
import { marginAccountOf } from '../../../src/exchange/matching/accounts/command.ts';
import { Instruments } from '../../../src/core/model/instrument.ts';
import type { InstrumentId, Lots, Ticks } from '../../../src/core/model/instrument.ts';
import type { MarginMark } from '../../../src/core/model/margin.ts';
import type { ClientOrderId, OrderRequest } from '../../../src/core/model/order.ts';
import { orderTypes } from '../../../src/core/model/order.ts';
import { spotSpec } from '../../support/markets.ts';

const us = 1 as AccountId;
const they = 2 as AccountId;
const product = marginAccountOf(us);
const symbol = 0 as InstrumentId;

class Scene {
  readonly exchange: Exchange;
  now = 1_000_000 as Micros;
  outcomes: readonly Outcome[] = [];
  #number = 0;

  constructor(spec: Parameters<typeof spotSpec>[1] = {}, accounts: AccountId[] = [us, they]) {
    const instruments = new Instruments([
      spotSpec('AAABBB', {
        tickSize: '0.01',
        quantityIncrement: '0.001',
        takeRate: '0.002',
        makeRate: '0.001',
        marginTrading: true,
        maxInitialLeverage: '5',
        ...spec,
      }),
    ]);
    this.exchange = new Exchange({ instruments, options: defaultMatchingOptions });
    for (const account of accounts)
      for (const currency of ['AAA', 'BBB'])
        this.do({ kind: 'adjustBalance', account, currency, change: parseAmount('100000') });
  }

  do(command: ExchangeCommand): string[] {
    this.outcomes = this.exchange.handle(command, this.now);
    return this.outcomes.flatMap((outcome) => {
      if (outcome.kind === 'refused') return [`refused ${outcome.code}`];
      if (outcome.kind === 'margin') return [`${outcome.reportType} ${outcome.reason}`];
      return outcome.kind === 'report' && outcome.account === product ? [outcome.reportType] : [];
    });
  }

  place(account: AccountId, change: Partial<OrderRequest>, margin?: Partial<MarginMark>): string[] {
    const mark = {
      mode: 'isolated',
      reduceOnly: false,
      closePosition: false,
      auto: false,
      ...margin,
    } as const;
    return this.do({
      kind: 'place',
      account,
      takeMarkup: zero,
      makeMarkup: zero,
      request: this.request(change),
      margin: mark,
    });
  }

  request(change: Partial<OrderRequest>): OrderRequest {
    return {
      clientOrderId: `order-${this.#number++}` as ClientOrderId,
      instrument: symbol,
      side: 'buy',
      type: 'limit',
      timeInForce: 'GTC',
      quantity: 1 as Lots,
      price: 793_330 as Ticks,
      stopPrice: undefined,
      expireTime: undefined,
      postOnly: false,
      ...change,
    };
  }

  margin(balance: string): string[] {
    const key = { mode: 'isolated', instrument: symbol, currency: undefined } as const;
    return this.do({
      kind: 'setMargin',
      account: product,
      ...key,
      balance: parseAmount(balance),
      leverage: undefined,
    });
  }

  get account() {
    return this.exchange.marginAccount(product, {
      mode: 'isolated',
      instrument: symbol,
      currency: undefined,
    });
  }

  /** Everything there is of a currency, wherever it lies. */
  total(currency: string, accounts: readonly AccountId[]): string {
    let sum: bigint = this.exchange.collectedFees(currency) + this.exchange.exchangeFunds(currency);
    for (const account of accounts) {
      const { available, reserved } = this.exchange.balance(account, currency);
      sum += available + reserved;
      for (const view of this.exchange.marginAccounts(marginAccountOf(account)))
        if (view.currency === currency) sum += view.balance;
    }
    return formatAmount(sum as Amount);
  }
}

const marketTimes = ['IOC', 'FOK'] as const;
const limitTimes = ['GTC', 'GTC', 'FOK', 'IOC'] as const;
const buy = { side: 'buy' } as const;
const sell = { side: 'sell' } as const;

describe('isolated margin', () => {
  test('the check case of the facts holds to the last digit', () => {
    const scene = new Scene();
    scene.margin('1000');
    scene.place(they, buy);
    scene.place(product, { ...sell, type: 'market', price: undefined, timeInForce: 'FOK' });
    const account = scene.account;
    const position = account?.positions[0];
    expect(formatAmount(account?.balance ?? zero)).toBe('999.9841334');
    // 1.6057 in the market data, rounded.
    expect(formatAmount(account?.reservedPositions ?? zero)).toBe('1.60569992');
    expect(formatAmount(position?.quantity ?? zero)).toBe('-0.001');
    expect(formatAmount(position?.entry ?? zero)).toBe('7933.3');
    const { instruments } = scene.exchange;
    // The example's margin call was counted with 1.5, its liquidation with 2.
    expect(instruments.at(symbol).priceText(position?.marginCall as Ticks)).toBe('887772.25');
    expect(instruments.at(symbol).priceText(position?.liquidation as Ticks)).toBe('914625.61');
  });

  test('an order reserves V × ((1 + f) / L + 2f) until it is filled or canceled', () => {
    const scene = new Scene();
    scene.margin('1000');
    expect(scene.place(product, { quantity: 10 as Lots })).toEqual(['new', 'updated updated']);
    expect(formatAmount(scene.account?.reservedOrders ?? zero)).toBe('16.2156652');
    scene.do({ kind: 'cancelAll', account: product, instrument: undefined });
    expect(scene.account?.reservedOrders).toBe(zero);
    expect(scene.place(product, { quantity: 10_000 as Lots })).toEqual(['refused INSUFFICIENT_FUNDS']);
  });

  test('margin comes from the trading balance and goes back to it', () => {
    const scene = new Scene();
    expect(scene.place(product, {})).toEqual(['refused MARGIN_NOT_FOUND']);
    expect(scene.margin('0')).toEqual(['refused MARGIN_NOT_FOUND']);
    expect(scene.margin('1000')).toEqual(['created created']);
    expect(formatAmount(scene.exchange.balance(us, 'BBB').available)).toBe('99000');
    expect(scene.margin('1000')).toEqual(['refused MARGIN_NOT_CHANGED']);
    expect(scene.margin('1000000')).toEqual(['refused INSUFFICIENT_FUNDS']);
    expect(scene.margin('500')).toEqual(['updated marginChanged']);
    scene.place(product, {});
    expect(scene.margin('0')).toEqual(['refused INSUFFICIENT_FUNDS']);
    scene.do({ kind: 'cancelAll', account: product, instrument: undefined });
    expect(scene.margin('0')).toEqual(['closed closed']);
    expect(formatAmount(scene.exchange.balance(us, 'BBB').available)).toBe('100000');
  });

  test('a larger opposite order flips the position, and its fees go on', () => {
    const scene = new Scene();
    scene.margin('1000');
    scene.place(they, { ...sell, price: 10_000 as Ticks, quantity: 100 as Lots });
    expect(scene.place(product, { price: 10_000 as Ticks, quantity: 100 as Lots })).toContain(
      'updated openTrade',
    );
    scene.place(they, { price: 11_000 as Ticks, quantity: 300 as Lots });
    expect(scene.place(product, { ...sell, price: 11_000 as Ticks, quantity: 40 as Lots })).toContain(
      'updated closeTrade',
    );
    expect(scene.place(product, { ...sell, price: 11_000 as Ticks, quantity: 160 as Lots })).toContain(
      'created flipTrade',
    );
    const position = scene.account?.positions[0];
    expect(formatAmount(position?.quantity ?? zero)).toBe('-0.1');
    expect(formatAmount(position?.entry ?? zero)).toBe('110');
    expect(formatAmount(position?.feeCumulative ?? zero)).toBe('0.064');
    expect(formatAmount(scene.account?.balance ?? zero)).toBe('1000.936');
    scene.do({
      kind: 'closePosition',
      account: product,
      mode: 'isolated',
      instrument: symbol,
      price: undefined,
      clientOrderId: 'close-one',
    });
    scene.place(they, { ...sell, price: 11_000 as Ticks, quantity: 100 as Lots });
    const close = {
      kind: 'closePosition',
      account: product,
      mode: 'isolated',
      instrument: symbol,
      price: undefined,
      clientOrderId: 'close-two',
    } as const;
    expect(scene.do(close).at(-1)).toMatch(/^closed closed$|^updated/);
  });

  test('an order that may only reduce never does more, and ends with the position', () => {
    const scene = new Scene();
    scene.margin('1000');
    expect(scene.place(product, sell, { reduceOnly: true })).toEqual(['new', 'canceled', 'updated updated']);
    scene.place(they, { ...sell, price: 10_000 as Ticks, quantity: 100 as Lots });
    scene.place(product, { price: 10_000 as Ticks, quantity: 100 as Lots });
    scene.place(product, { ...sell, price: 12_000 as Ticks, quantity: 80 as Lots }, { reduceOnly: true });
    scene.place(product, { ...sell, price: 12_000 as Ticks, quantity: 80 as Lots }, { reduceOnly: true });
    const fok = { price: 12_000 as Ticks, quantity: 160 as Lots, timeInForce: 'FOK' as const };
    scene.place(they, fok);
    expect(formatAmount(scene.account?.positions[0]?.quantity ?? zero)).toBe('0.1');
    scene.place(they, { ...fok, quantity: 100 as Lots });
    expect(scene.account?.positions).toEqual([]);
    expect(scene.exchange.activeCount(product)).toBe(0);
  });

  test('first a margin call, then liquidation, as the price goes against the position', () => {
    const scene = new Scene({ takeRate: '0', makeRate: '0' });
    scene.margin('5');
    scene.place(they, { ...sell, price: 10_000 as Ticks, quantity: 200 as Lots });
    scene.place(product, { price: 10_000 as Ticks, quantity: 200 as Lots });
    const [position] = scene.account?.positions ?? [];
    expect([position?.marginCall, position?.liquidation]).toEqual([8_653, 8_333]);
    const at = (price: number): string[] => {
      scene.place(they, { price: price as Ticks });
      return scene.place(they, { ...sell, price: price as Ticks });
    };
    expect(at(8_700)).toEqual([]);
    expect(at(8_650)).toEqual(['updated updated']);
    expect(scene.account?.called).toBe(true);
    expect(scene.place(product, { price: 8_000 as Ticks })).toEqual(['refused CLOSE_ONLY']);
    scene.place(they, { price: 8_300 as Ticks, quantity: 500 as Lots });
    expect(at(8_300)).toContain('closed liquidated');
    expect(scene.account?.positions).toEqual([]);
    expect(formatAmount(scene.account?.balance ?? zero)).toBe('1.6');
    expect(scene.outcomes.some((o) => o.kind === 'report' && o.margin?.liquidation === true)).toBe(true);
  });

  test('replenishment takes from the trading balance instead, while it lasts', () => {
    const scene = new Scene({ takeRate: '0', makeRate: '0' });
    const key = { mode: 'isolated', instrument: symbol, currency: undefined } as const;
    expect(scene.do({ kind: 'setAmr', account: product, ...key, amr: true })).toEqual([
      'refused AMR_WITHOUT_ACCOUNT',
    ]);
    scene.margin('5');
    expect(scene.do({ kind: 'setAmr', account: product, ...key, amr: true })).toEqual(['updated amrChanged']);
    expect(scene.do({ kind: 'setAmr', account: product, ...key, amr: true })).toEqual([]);
    scene.place(they, { ...sell, price: 10_000 as Ticks, quantity: 200 as Lots });
    scene.place(product, { price: 10_000 as Ticks, quantity: 200 as Lots });
    scene.place(they, { price: 8_300 as Ticks });
    expect(scene.place(they, { ...sell, price: 8_300 as Ticks })).toEqual(['updated marginChanged']);
    expect(formatAmount(scene.account?.balance ?? zero)).toBe('7.4');
  });

  test('replenishment that is liquidated at once is reported as it was', () => {
    const scene = new Scene({ takeRate: '0', makeRate: '0' });
    const key = { mode: 'isolated', instrument: symbol, currency: undefined } as const;
    scene.margin('5');
    scene.do({ kind: 'setAmr', account: product, ...key, amr: true });
    scene.place(they, { price: 10_000 as Ticks, quantity: 200 as Lots });
    scene.place(product, { ...sell, price: 10_000 as Ticks, quantity: 200 as Lots });
    scene.place(they, { ...sell, price: 40_000 as Ticks, quantity: 500 as Lots });
    expect(scene.place(they, { price: 40_000 as Ticks })).toContain('closed liquidated');
    const noted = scene.outcomes.flatMap((one) =>
      one.kind === 'margin' ? [`${one.reason} ${formatAmount(one.view.balance)}`] : [],
    );
    expect(noted).toEqual(['marginChanged 64', 'updated 4', 'liquidated 4']);
  });

  test('an automatic account is made by its order and goes with its position', () => {
    const scene = new Scene();
    expect(scene.place(product, { quantity: 10 as Lots }, { auto: true })).toEqual([
      'new',
      'created created',
      'updated updated',
    ]);
    expect(formatAmount(scene.account?.balance ?? zero)).toBe('16.2156652');
    scene.do({ kind: 'cancelAll', account: product, instrument: undefined });
    expect(scene.account).toBeUndefined();
    expect(formatAmount(scene.exchange.balance(us, 'BBB').available)).toBe('100000');
    expect(scene.place(product, { quantity: 10_000_000 as Lots }, { auto: true })).toEqual([
      'refused INSUFFICIENT_FUNDS',
    ]);
    expect(scene.exchange.marginAccounts(product)).toEqual([]);
  });

  test('where margin is not traded it is refused', () => {
    const scene = new Scene({ marginTrading: false });
    expect(scene.margin('10')).toEqual(['refused MARGIN_FORBIDDEN']);
    expect(scene.place(product, {})).toEqual(['refused MARGIN_FORBIDDEN']);
  });
});

describe('money', () => {
  test('is neither made nor lost in thousands of random margin commands', () => {
    const seed = process.env['GODWIT_TEST_SEED'] ?? String(process.pid);
    process.stderr.write(`margin money: GODWIT_TEST_SEED=${seed}\n`);
    const random = new Random(seed);
    const accounts = [1, 2, 3] as AccountId[];
    const scene = new Scene({ tickSize: '0.37', quantityIncrement: '0.0013', takeRate: '0.0017' }, accounts);
    const before = ['AAA', 'BBB'].map((currency) => scene.total(currency, accounts));
    const kinds = new Map<string, number>();
    for (let i = 0; i < 9_000; i++) {
      scene.now = (scene.now + random.between(0, 3_000_000)) as Micros;
      const account = random.pick(accounts);
      const mode = random.chance(0.7) ? 'isolated' : 'cross';
      const key = { mode, instrument: symbol, currency: 'BBB' } as const;
      const roll = random.float();
      if (roll < 0.1) {
        const balance = parseAmount(random.pick(['0', '40', '300', '1000', '2.5']));
        scene.do({
          kind: 'setMargin',
          account: marginAccountOf(account),
          ...key,
          balance,
          leverage: undefined,
        });
      } else if (roll < 0.14) {
        scene.do({ kind: 'cancelAll', account: marginAccountOf(account), instrument: undefined });
      } else if (roll < 0.17) {
        const price = random.chance(0.5) ? undefined : (random.between(90, 110) as Ticks);
        scene.do({
          kind: 'closePosition',
          account: marginAccountOf(account),
          mode,
          instrument: symbol,
          price,
          clientOrderId: `closing-${i}`,
        });
      } else if (roll < 0.19) {
        scene.do({ kind: 'setAmr', account: marginAccountOf(account), ...key, amr: random.chance(0.5) });
      } else {
        const type = random.chance(0.6) ? 'limit' : random.pick(orderTypes);
        const priced = type === 'limit' || type.endsWith('Limit');
        const order = {
          side: random.chance(0.5) ? 'buy' : 'sell',
          type,
          timeInForce: random.pick(type === 'market' ? marketTimes : limitTimes),
          quantity: random.between(1, 900) as Lots,
          price: priced ? (random.between(60, 140) as Ticks) : undefined,
          stopPrice: type === 'limit' || type === 'market' ? undefined : (random.between(80, 120) as Ticks),
        } as const;
        const closePosition = type.endsWith('Market') && random.chance(0.3);
        scene.place(random.chance(0.6) ? marginAccountOf(account) : account, order, {
          mode,
          reduceOnly: random.chance(0.2),
          closePosition,
          auto: random.chance(0.3),
        });
      }
      for (const outcome of scene.outcomes) {
        const kind = outcome.kind === 'margin' ? outcome.reason : outcome.kind;
        kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
      }
      expect(
        ['AAA', 'BBB'].map((currency) => scene.total(currency, accounts)),
        `command ${i}`,
      ).toEqual(before);
      for (const view of accounts.flatMap((one) => scene.exchange.marginAccounts(marginAccountOf(one)))) {
        expect(view.reservedOrders >= zero, `reserved after ${i}`).toBe(true);
      }
    }
    for (const reason of ['openTrade', 'closeTrade', 'flipTrade', 'closed', 'liquidated', 'marginChanged'])
      expect(kinds.get(reason) ?? 0, reason).toBeGreaterThan(5);
    for (const account of accounts) {
      scene.do({ kind: 'cancelAll', account: marginAccountOf(account), instrument: undefined });
      for (const { reservedOrders } of scene.exchange.marginAccounts(marginAccountOf(account)))
        expect(reservedOrders).toBe(zero);
    }
  });
});
