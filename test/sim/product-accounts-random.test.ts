import { describe, expect, test } from 'vitest';
import { chargesOf } from '../../src/core/ledger/entry.ts';
import type { Amount } from '../../src/core/base/amount.ts';
import { add, formatAmount, parseAmount, zero } from '../../src/core/base/amount.ts';
import type { Micros } from '../../src/core/base/clock.ts';
import { seconds } from '../../src/core/base/clock.ts';
import { Random } from '../../src/core/base/random.ts';
import type { InstrumentSpec, Lots } from '../../src/core/model/instrument.ts';
import { Instruments } from '../../src/core/model/instrument.ts';
import { defaultMarginRule } from '../../src/core/model/margin-math.ts';
import type { MarginMark, MarginMode } from '../../src/core/model/margin.ts';
import { State } from '../../src/core/state/state.ts';
import { SpotAccount } from '../../src/sim/account.ts';
import { constantCharge } from '../../src/sim/charges.ts';
import type { OpenEngine, SimEngine } from '../../src/sim/engine.ts';
import { FeeSchedule } from '../../src/sim/fee-schedule.ts';
import { openShadowEngine } from '../../src/sim/fill-models/fifo/shadow-engine.ts';
import { openQueueEngine } from '../../src/sim/fill-models/queue/engine.ts';
import { riskAverse } from '../../src/sim/fill-models/queue/position.ts';
import { instrument, SimHarness } from '../support/sim-harness.ts';
import { spotSpec } from '../support/markets.ts';

const openQueue: OpenEngine = (setup) =>
  openQueueEngine(setup, {
    account: new SpotAccount([]),
    ruleOf: () => riskAverse,
    fees: setup.instruments.all.map((one) => new FeeSchedule(one, [])),
    partial: true,
    impact: false,
  });

const rate = parseAmount('0.0003');
const every = seconds(600);
const currencies = ['AAA', 'BBB'];
const futuresMoney = parseAmount('3000');
const spotMoney = parseAmount('5000');

const contract: Partial<InstrumentSpec> = {
  type: 'futures',
  marginTrading: true,
  maxInitialLeverage: '20',
  takeRate: '0.0005',
  makeRate: '-0.0001',
};
const symbol: Partial<InstrumentSpec> = { ...contract, type: 'spot', maxInitialLeverage: '5' };

/** A venue, the state that its events fold into, and what the anonymous market has got of us. */
class World {
  readonly harness: SimHarness;
  readonly state: State;
  readonly random: Random;
  readonly product: 'margin' | 'futures';
  readonly market = new Map<string, Amount>();
  readonly seen = new Map<string, number>();
  engine: SimEngine | undefined;
  orders = 0;
  /** Best bid and ask, as the book has them. */
  touch: readonly [number, number] = [0, 0];
  charged = zero;

  constructor(openEngine: OpenEngine, spec: Partial<InstrumentSpec>, seed: string) {
    this.random = new Random(seed);
    this.product = spec.type === 'futures' ? 'futures' : 'margin';
    const kind = this.product === 'futures' ? 'funding' : 'interest';
    this.harness = new SimHarness({
      spec,
      funds: formatAmount(spotMoney),
      openEngine: (setup) => (this.engine = openEngine(setup)),
      margin: {
        futures: [{ currency: 'BBB', available: futuresMoney, reserved: zero }],
        ruleOf: (one) => ({
          ...(defaultMarginRule(one) as NonNullable<ReturnType<typeof defaultMarginRule>>),
          forceCloseRate: parseAmount('0.002'),
          interestRate: rate,
        }),
        charges: [{ instrument, kind, schedule: constantCharge({ rate, every }) }],
      },
    });
    this.state = new State({ instruments: new Instruments([spotSpec('AAABBB', spec)]) });
    this.harness.venue.events.subscribe((event) => {
      this.state.apply(event);
      if (event.kind === 'marginAccount') {
        this.count(event.reason);
        if (event.reason === 'interestTaken')
          for (const { amount } of chargesOf(this.state.entries)) this.charged = add(this.charged, amount);
      }
      if (event.kind !== 'orderReport' || event.fill === undefined) return;
      this.count(event.order.clientOrderId.startsWith('liquidation-') ? 'liquidation fill' : 'fill');
      const { price, quantity } = event.fill;
      const one = this.harness.market;
      const sign = event.order.side === 'buy' ? 1n : -1n;
      this.give('BBB', (sign * one.notional(price, quantity)) as Amount);
      this.give('AAA', (-sign * one.quantityAmount(quantity)) as Amount);
    });
    this.harness.read({ of: 'balances' });
    this.harness.read({ of: 'balances', product: 'futures' });
  }

  /** A whole number below `count`. */
  pick(count: number): number {
    return this.random.between(0, count - 1);
  }

  count(what: string): void {
    this.seen.set(what, (this.seen.get(what) ?? 0) + 1);
  }

  give(currency: string, amount: Amount): void {
    this.market.set(currency, add(this.market.get(currency) ?? zero, amount));
  }

  /** All there is of a currency, wherever it lies. */
  total(currency: string): Amount {
    const engine = this.engine as SimEngine;
    const wallets = [...engine.balances(), ...(engine.products?.balances('futures') ?? [])];
    let sum = this.market.get(currency) ?? zero;
    for (const one of wallets)
      if (one.currency === currency) sum = add(sum, add(one.available, one.reserved));
    for (const product of ['margin', 'futures'] as const)
      for (const { currency: own, balance } of engine.products?.accounts(product) ?? [])
        if (own === currency) sum = add(sum, balance);
    return add(sum, engine.products?.exchangeHolds(currency) ?? zero);
  }

  step(): void {
    const { harness } = this;
    const die = this.pick(100);
    if (die < 40) this.moves();
    else if (die < 50)
      harness.trade(
        this.pick(2) === 0 ? 'buy' : 'sell',
        1 + this.pick(30),
        this.touch[this.pick(2) as 0 | 1],
      );
    else if (die < 78) this.order();
    else if (die < 84)
      harness.cancel(`order-${this.pick(this.orders + 1)}`, this.pick(2) === 0 ? this.product : 'spot');
    else if (die < 94) this.changeMargin();
    else this.waits();
  }

  moves(): void {
    const [bid, ask] = this.touch;
    const shift = this.pick(20) === 0 ? this.pick(4_001) - 2_000 : this.pick(41) - 20;
    const next = Math.max(5_000, Math.min(20_000, (bid === 0 ? 10_000 : bid) + shift));
    const old = bid === 0 ? [[], []] : [[[bid, 0] as const], [[ask, 0] as const]];
    this.touch = [next, next + 2 + this.pick(5)];
    this.harness.book(
      [...(old[0] ?? []), [next, 40]],
      [...(old[1] ?? []), [this.touch[1], 40]],
      bid === 0 ? 'bookSnapshot' : 'bookUpdate',
    );
  }

  order(): void {
    this.orders += 1;
    const side = this.pick(2) === 0 ? 'buy' : 'sell';
    const mode: MarginMode = this.pick(3) === 0 ? 'cross' : 'isolated';
    const isSpot = this.product === 'margin' && this.pick(4) === 0;
    const isClosing = !isSpot && this.pick(8) === 0;
    const mark: MarginMark = {
      mode,
      reduceOnly: !isClosing && this.pick(5) === 0,
      closePosition: isClosing,
      auto: this.pick(4) === 0,
    };
    const price = (this.touch[0] || 10_000) + this.pick(61) - 30;
    const margin = isSpot ? {} : { margin: mark };
    if (isClosing)
      this.harness.order(`order-${this.orders}`, side, {
        type: 'stopMarket',
        stopPrice: price,
        quantity: 0,
        ...margin,
      });
    else if (this.pick(3) === 0)
      this.harness.order(`order-${this.orders}`, side, {
        type: 'market',
        timeInForce: 'IOC',
        quantity: 1 + this.pick(30),
        ...margin,
      });
    else this.harness.order(`order-${this.orders}`, side, { price, quantity: 1 + this.pick(30), ...margin });
  }

  changeMargin(): void {
    const { product } = this;
    const mode: MarginMode = this.pick(3) === 0 ? 'cross' : 'isolated';
    const balance = parseAmount(String(this.pick(900)));
    const leverage =
      product === 'futures' && mode === 'isolated'
        ? { leverage: parseAmount(String(1 + this.pick(20))) }
        : {};
    this.harness.changeMargin({ product, mode, balance, ...leverage });
  }

  waits(): void {
    const { clock } = this.harness;
    clock.advanceTo((clock.now() + 1_000_000 * (1 + this.pick(500))) as Micros);
  }

  /** The books of the venue, and what the state made of its events, as text. */
  compare(): void {
    const engine = this.engine as SimEngine;
    const { state } = this;
    const text = (rows: readonly object[]) =>
      JSON.stringify(rows, (_, one: unknown) => (typeof one === 'bigint' ? `${one}` : one));
    const held = (balances: readonly { currency: string; available: Amount; reserved: Amount }[]) =>
      text(
        balances
          .filter(({ available, reserved }) => available !== zero || reserved !== zero)
          .toSorted((a, b) => (a.currency < b.currency ? -1 : 1)),
      );
    expect(held(state.balances())).toBe(held(engine.balances()));
    expect(held(state.balances('futures'))).toBe(held(engine.products?.balances('futures') ?? []));
    const sizes = new Map<MarginMode, number>([
      ['isolated', 0],
      ['cross', 0],
    ]);
    const known = state.marginAccounts().map(({ account }) => account);
    const books = engine.products?.accounts(this.product) ?? [];
    const shape = (accounts: typeof books) =>
      text(
        accounts
          .toSorted((a, b) => (a.mode < b.mode ? -1 : 1))
          .map(({ mode, balance, leverage, reservedOrders, positions }) => ({
            mode,
            balance,
            leverage,
            reservedOrders,
            positions: positions.map(({ quantity, entry }) => ({ quantity, entry })),
          })),
      );
    expect(shape(known)).toBe(shape(books));
    for (const { mode, positions } of books)
      for (const { quantity } of positions)
        sizes.set(mode, Number(quantity / this.harness.market.quantityAmount(1 as Lots)));
    for (const [mode, lots] of sizes) expect(state.netPosition(instrument, mode)).toBe(lots);
  }
}

describe.each([
  { name: 'shadow', openEngine: openShadowEngine },
  { name: 'queue', openEngine: openQueue },
])('margin and futures accounts beside the fill model $name, at random', ({ openEngine }) => {
  test.each([
    { what: 'a contract', spec: contract },
    { what: 'a symbol on spot and margin', spec: symbol },
  ])('$what: no money comes or goes, and the state is what the books say', ({ spec }) => {
    const seed = process.env['GODWIT_TEST_SEED'] ?? String(process.pid);
    process.stderr.write(`margin accounts: GODWIT_TEST_SEED=${seed}\n`);
    const seen = new Map<string, number>();
    // A run that never comes to these proves nothing of them.
    const wanted = ['fill', 'liquidation fill', 'interestTaken', 'marginChanged', 'liquidated'];
    for (let run = 0; run < 12 || (run < 100 && wanted.some((what) => !seen.has(what))); run++) {
      const world = new World(openEngine, spec, `${seed}/${run}`);
      world.moves();
      const before = currencies.map((currency) => world.total(currency));
      for (let at = 0; at < 250; at++) {
        world.step();
        expect(currencies.map((currency) => world.total(currency))).toEqual(before);
        world.compare();
      }
      const booked = world.state.positions().reduce((sum, { charges }) => add(sum, charges), zero);
      expect(booked).toBe(world.charged);
      for (const [what, count] of world.seen) seen.set(what, (seen.get(what) ?? 0) + count);
    }
    for (const what of wanted) expect(seen.get(what) ?? 0, what).toBeGreaterThan(0);
  });
});
