import { afterEach, expect, test } from 'vitest';
import type { Amount } from '../../src/core/base/amount.ts';
import { add, formatAmount, negate, parseAmount, subtract, zero } from '../../src/core/base/amount.ts';
import { later, millis, seconds } from '../../src/core/base/clock.ts';
import { SystemClock } from '../../src/core/base/system-clock.ts';
import { externalStrategy } from '../../src/core/ledger/position.ts';
import type { Ticks } from '../../src/core/model/instrument.ts';
import type { MarginMode } from '../../src/core/model/margin.ts';
import type { Side } from '../../src/core/model/order.ts';
import { Counterparty } from './support/counterparty.ts';
import { Followed } from './support/followed.ts';
import { expectSameBook } from './support/invariants.ts';
import { contract, MarginScene } from './support/margin-scene.ts';
import { Puppet } from './support/puppet.ts';
import { SocketProxy } from './support/socket-proxy.ts';
import { strategyOf } from './support/stage.ts';
import type { Charged } from './support/tellers.ts';
import { endTellers, expectAgreed, liveTellers, venueFacts } from './support/tellers.ts';
import { until } from './support/until.ts';
import { tradedBy, venueAnswer, venueRecord } from './support/venue-record.ts';

// Margin and contracts over real sockets, through a day on which much goes wrong: every place that tells of money says what the
// exchange has of it.

interface Traded {
  readonly symbol: string;
  readonly product: 'margin' | 'futures';
  readonly marginMode: MarginMode;
}

const expiry = '2030-12-27T08:00:00Z';

function contractOf(symbol: string, expires?: string) {
  return {
    symbol,
    underlying: 'ETH',
    quoteCurrency: 'USDT',
    tickSize: '0.01',
    quantityIncrement: '0.001',
    ...(expires !== undefined && { expiry: expires }),
  };
}

const liquidated = 'BTCUSDT';
const lost = '20';

/** One account through a day: what the test does, and what the exchange took for it. */
class Day {
  readonly scene: MarginScene;
  readonly proxy: SocketProxy;
  readonly parties: ReadonlyMap<string, Counterparty>;
  followed!: Followed;
  #before = 0;
  readonly #charged = new Map<string, { all: Amount; own: Amount; session: Amount }>();
  #isForgivenNow = false;
  readonly #settledAt = new Map<string, number>();
  /** What is traded now. */
  traded: Traded;

  private constructor(
    scene: MarginScene,
    proxy: SocketProxy,
    parties: ReadonlyMap<string, Counterparty>,
    traded: Traded,
  ) {
    this.scene = scene;
    this.proxy = proxy;
    this.parties = parties;
    this.traded = traded;
  }

  /** `dated`: contracts that expire, listed beside the perpetual one. */
  static async open(traded: Traded, dated: readonly string[] = []): Promise<Day> {
    let proxy: SocketProxy | undefined;
    const scene = await MarginScene.open({
      strategies: [strategyOf('puppet', { contracts: [contract, liquidated, ...dated] })],
      exchange: {
        flow: { enabled: false },
        futures: {
          sampleMs: 100,
          ...(dated.length > 0 && {
            contracts: [contractOf(contract), ...dated.map((symbol) => contractOf(symbol, expiry))],
          }),
        },
      },
      config: {
        // Looks have a share of it, and shall not wait for it.
        budgets: { restDefault: { rate: 2_000, burst: 2_000 } },
        orders: {
          lastTradeNeeded: false,
          reconcile: { absentMs: 600, retryMsMin: 20, retryMsMax: 100, sendDelayMsMax: 100, everyMs: 200 },
        },
      },
      socketsOf: async (exchange) => {
        proxy = await SocketProxy.start(exchange.wsUrl);
        return proxy.url;
      },
    });
    const { exchange } = scene.stage;
    const parties = new Map([
      ['ETHUSDT', scene.spot],
      [contract, scene.perpetual],
      [liquidated, new Counterparty(exchange, liquidated, 'whale')],
      ...dated.map((symbol) => [symbol, new Counterparty(exchange, symbol, `maker-${symbol}`)] as const),
    ]);
    const day = new Day(scene, proxy as SocketProxy, parties, traded);
    await day.follow();
    await day.#sameBooks();
    return day;
  }

  async close(): Promise<void> {
    await this.scene.stage.close();
    await this.proxy.close();
  }

  get stage(): MarginScene['stage'] {
    return this.scene.stage;
  }

  async follow(): Promise<void> {
    this.followed = await Followed.of(this.stage);
  }

  /** The strategy trades at once with what rests for it. */
  async trade(side: Side, quantity: number, price: number): Promise<void> {
    const { symbol } = this.traded;
    this.parties.get(symbol)?.rest(side === 'buy' ? 'sell' : 'buy', price, quantity);
    const id = await this.place(side, quantity, price, 'IOC');
    await this.scene.puppet.received(id, 'filled');
  }

  place(side: Side, quantity: number, price: number, timeInForce: 'IOC' | 'GTC' = 'GTC') {
    const { marginMode } = this.traded;
    const order = { ...this.traded, marginAuto: marginMode === 'cross', side, quantity, price, timeInForce };
    return this.scene.puppet.act((orders) => orders.place(order));
  }

  async rests(side: Side, quantity: number, price: number): Promise<string> {
    const id = await this.place(side, quantity, price);
    await this.scene.puppet.received(id, 'new');
    return id;
  }

  /** A client that is not the daemon buys with the same key. */
  async foreign(quantity: string, lots: number): Promise<void> {
    const { symbol, product, marginMode } = this.traded;
    this.parties.get(symbol)?.rest('sell', 300_000, lots);
    await venueAnswer(this.stage, `${product}/order`, 'POST', {
      client_order_id: 'foreign-0001',
      symbol,
      side: 'buy',
      type: 'limit',
      time_in_force: 'IOC',
      quantity,
      price: '3000.00',
      margin_mode: marginMode,
    });
  }

  /** Takes funding or interest; `own`: which share of the position is the strategy's. */
  async charge(own: readonly [part: bigint, of: bigint]): Promise<void> {
    const { symbol, product, marginMode } = this.traded;
    const before = await this.#inAll();
    if (product === 'futures') this.scene.settleFunding(parseAmount('0.0001'));
    else this.scene.takeInterest();
    const taken = subtract(before, await this.#inAll());
    expect(taken).not.toBe(zero);
    const name = `${symbol} ${marginMode}`;
    const { all = zero, own: ours = zero, session = zero } = this.#charged.get(name) ?? {};
    const share = ((taken * own[0]) / own[1]) as Amount;
    this.#charged.set(name, { all: add(all, taken), own: add(ours, share), session: add(session, share) });
  }

  /** A contract expires: trading ends, and positions are settled at a price. */
  expire(symbol: string, price: number): void {
    const { core } = this.stage.exchange;
    const expired = { instrument: core.instruments.get(symbol).id, price: price as Ticks };
    core.handle({ kind: 'expireContract', ...expired });
    core.handle({ kind: 'settleContract', ...expired });
    this.#settledAt.set(symbol, price);
  }

  /** Price of another account's symbol falls so fast that its margin does not bear the loss. */
  async liquidate(): Promise<void> {
    const { puppet } = this.scene;
    await puppet.turn(({ margin }) => margin.set(liquidated, { balance: lost }));
    await this.scene.accountUntil(liquidated, 'isolated', (one) => one?.balance === parseAmount(lost));
    const whale = this.parties.get(liquidated);
    whale?.rest('sell', 300_000, 5_000);
    const id = await puppet.act((orders) =>
      orders.place({ symbol: liquidated, product: 'margin', side: 'buy', quantity: 5_000, price: 300_000 }),
    );
    await puppet.received(id, 'filled');
    await this.scene.accountUntil(liquidated, 'isolated', (one) => one?.positions.length === 1);
    whale?.take('sell', 299_000, 100_000);
    whale?.rest('buy', 200_000, 100_000);
    whale?.rest('sell', 200_100, 100_000);
    whale?.take('buy', 200_100, 10);
    await until('the liquidation', () => puppet.margin.some((line) => line.startsWith('liquidation')));
    await this.scene.accountUntil(liquidated, 'isolated', (one) => (one?.positions.length ?? 0) === 0);
    this.#isForgivenNow = true;
  }

  /** The process is gone; `meanwhile` happens, and it is started again. */
  async killed(meanwhile: () => Promise<void>): Promise<void> {
    await this.followed.killed();
    this.#before = (await venueRecord(this.stage)).trades.length;
    this.#isForgivenNow = false;
    for (const sums of this.#charged.values()) sums.session = zero;
    Puppet.forget();
    await meanwhile();
    await this.stage.start();
    await this.follow();
    this.scene.puppet = await Puppet.of(this.stage);
  }

  async #inAll(): Promise<Amount> {
    const { wallets, accounts } = await venueRecord(this.stage);
    const money = [...wallets].filter(([name]) => name.endsWith(' USDT'));
    const sums = [
      ...money.flatMap(([, { available, reserved }]) => [available, reserved]),
      ...accounts.map(({ balance }) => parseAmount(balance)),
    ];
    return sums.reduce(add, zero);
  }

  /** What the exchange tells over REST, in the words of the tellers. */
  async facts() {
    const record = await venueRecord(this.stage);
    const charged = new Map(
      [...this.#charged].map(([name, { all, own, session }]): [string, Charged] => [
        name,
        { all: formatAmount(all), own: formatAmount(own), session: formatAmount(session) },
      ]),
    );
    const gone = tradedBy(record.trades).get(`${liquidated} isolated`);
    const taken = gone === undefined ? zero : subtract(gone.cash, gone.fees);
    // What the account held is all that was taken of it.
    const forgiven = formatAmount(gone === undefined ? zero : subtract(negate(parseAmount(lost)), taken));
    return venueFacts(record, {
      before: this.#before,
      isOwn: (order) => !order.startsWith('foreign'),
      charged,
      forgiven: new Map([
        [
          `${liquidated} isolated`,
          { all: forgiven, own: forgiven, session: this.#isForgivenNow ? forgiven : '0' },
        ],
      ]),
      middle: (symbol) => this.#middle(symbol),
    });
  }

  async #sameBooks(): Promise<void> {
    for (const symbol of this.parties.keys())
      if (!this.#settledAt.has(symbol)) await expectSameBook(this.stage, symbol);
  }

  #middle(symbol: string): Amount {
    const { core } = this.stage.exchange;
    const instrument = core.instruments.get(symbol);
    // A contract that is settled has an empty book; its last execution is that of the settlement.
    const settled = this.#settledAt.get(symbol);
    if (settled !== undefined) return instrument.priceAmount(settled as Ticks);
    const [bid = zero, ask = zero] = (['buy', 'sell'] as const).map((side) => {
      const [best] = core.exchange.levels(instrument.id, side);
      if (best === undefined) throw new Error(`no ${side} in the book of ${symbol}`);
      return instrument.priceAmount(best.price);
    });
    return ((bid + ask) / 2n) as Amount;
  }

  /** Two looks have shown the account at rest: what they show is what later ones are compared with. */
  async rested(): Promise<void> {
    const rest = later(new SystemClock().now(), millis(800));
    const looks = () =>
      this.stage
        .all('readAnswered')
        .filter(
          ({ what, askedAt }) => what.of === 'balances' && what.product === undefined && askedAt > rest,
        );
    // A third has begun, so two are complete.
    await until('two looks at an account at rest', () => looks().length >= 3);
  }

  /** What was taken without a report is derived once looks at the account have shown it. */
  async charged(): Promise<void> {
    const { symbol, marginMode } = this.traded;
    const { view } = this.stage.daemon.trader;
    const { id } = this.scene.instrument(symbol);
    const booked = () =>
      ['puppet', externalStrategy]
        .map((strategy) => view.position(id, strategy, marginMode).charges)
        .reduce(add, zero);
    const { all = zero } = this.#charged.get(`${symbol} ${marginMode}`) ?? {};
    await until(`charges of ${formatAmount(all)}`, () => booked() === all);
  }

  /** Every place agrees now. */
  async agreed(): Promise<void> {
    await this.scene.expectSame();
    await this.charged();
    await this.#sameBooks();
    expectAgreed(await liveTellers(this.followed), await this.facts());
  }

  async ended(): Promise<void> {
    const report = await this.followed.stopped();
    expectAgreed(await endTellers(this.stage, report), await this.facts());
  }
}

let day: Day | undefined;

afterEach(async () => {
  await day?.close();
});

test.each([
  { symbol: 'ETHUSDT', product: 'margin', marginMode: 'isolated' },
  { symbol: 'ETHUSDT', product: 'margin', marginMode: 'cross' },
  { symbol: contract, product: 'futures', marginMode: 'isolated' },
  { symbol: contract, product: 'futures', marginMode: 'cross' },
] as const)(
  '$symbol of $product, $marginMode, through an outage, a kill, a liquidation, an operator and a foreign order: all agree',
  async (traded) => {
    const { symbol, marginMode } = traded;
    day = await Day.open(traded);
    const { scene, proxy, stage } = day;
    const account = () => scene.account(symbol, marginMode);
    if (marginMode === 'isolated') {
      await scene.puppet.turn(({ margin }) => margin.set(symbol, { balance: '500' }));
      await scene.accountUntil(symbol, marginMode, (one) => one?.balance === parseAmount('500'));
    }
    // Prices whose mean has no last digit.
    await day.trade('buy', 10, 300_000);
    await day.trade('buy', 20, 300_100);
    await day.trade('sell', 12, 299_900);
    await day.foreign('0.006', 6);
    await day.agreed();
    await day.charge([18n, 24n]);
    await day.liquidate();
    await day.agreed();
    const taken = await day.rests('sell', 6, 300_500);
    const unwanted = await day.rests('buy', 5, 299_500);
    await day.followed.act({ act: 'cancel', clientOrderId: unwanted, why: 'unwanted' });
    await scene.puppet.received(unwanted, 'canceled');
    await day.rested();
    // What happens in an outage of the sockets is known after it.
    proxy.cut();
    await until('the outage', () => !stage.daemon.trader.view.sessionUp('trading'));
    day.parties.get(symbol)?.take('buy', 300_500, 6);
    // Settlements of funding are further apart than that.
    if (traded.product === 'margin') await day.charge([12n, 18n]);
    proxy.mend();
    await scene.puppet.received(taken, 'filled');
    await day.agreed();
    expect(account()?.positions).toHaveLength(1);
    await day.rested();
    await day.killed(async () => {
      stage.ahead = seconds(61);
      await day?.charge([12n, 18n]);
    });
    await day.agreed();
    await day.trade('buy', 9, 300_100);
    await day.followed.act({ act: 'flatten', strategy: null, why: 'enough' });
    const { view } = stage.daemon.trader;
    await until(
      'nothing held',
      () => view.position(scene.instrument(symbol).id, 'puppet', marginMode).quantity === 0,
    );
    await day.followed.act({ act: 'resume', strategy: null, why: 'once more' });
    await day.trade('buy', 4, 300_000);
    await day.agreed();
    await day.ended();
  },
);

test('contracts that expire: one is settled in the run, one while the daemon is away, and one goes on: all agree', async () => {
  const near = { symbol: 'ETHUSDT_301227', product: 'futures', marginMode: 'cross' } as const;
  const middle = { symbol: 'ETHUSDT_301228', product: 'futures', marginMode: 'isolated' } as const;
  const far = { symbol: 'ETHUSDT_301229', product: 'futures', marginMode: 'cross' } as const;
  day = await Day.open(
    near,
    [near, middle, far].map(({ symbol }) => symbol),
  );
  const { scene, proxy, stage } = day;
  const { view } = stage.daemon.trader;
  await day.trade('buy', 7, 300_000);
  await day.trade('buy', 9, 300_100);
  day.traded = far;
  await day.trade('buy', 5, 300_100);
  await day.foreign('0.006', 6);
  day.traded = middle;
  await scene.puppet.turn(({ margin }) => margin.set(middle.symbol, { balance: '500' }));
  await scene.accountUntil(middle.symbol, 'isolated', (one) => one?.balance === parseAmount('500'));
  await day.trade('buy', 10, 300_000);
  await day.trade('buy', 20, 300_100);
  await day.liquidate();
  await day.agreed();
  day.expire(near.symbol, 299_777);
  await until('the settlement', () => view.netPosition(scene.instrument(near.symbol).id, 'cross') === 0);
  await day.agreed();
  const taken = await day.rests('sell', 6, 300_500);
  proxy.cut();
  await until('the outage', () => !view.sessionUp('trading'));
  day.parties.get(middle.symbol)?.take('buy', 300_500, 6);
  proxy.mend();
  await scene.puppet.received(taken, 'filled');
  await day.agreed();
  await day.killed(async () => day?.expire(middle.symbol, 300_333));
  await day.agreed();
  day.traded = far;
  await day.trade('buy', 9, 300_200);
  await day.followed.act({ act: 'flatten', strategy: null, why: 'enough' });
  const held = () =>
    stage.daemon.trader.view.position(scene.instrument(far.symbol).id, 'puppet', 'cross').quantity;
  await until('nothing held', () => held() === 0);
  await day.followed.act({ act: 'resume', strategy: null, why: 'once more' });
  await day.trade('buy', 4, 300_100);
  await day.agreed();
  await day.ended();
});
