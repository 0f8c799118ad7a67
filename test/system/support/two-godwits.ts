import { filter } from 'rxjs';
import { z } from 'zod';
import { micros } from '../../../src/core/base/clock.ts';
import { VirtualClock } from '../../../src/core/base/virtual-clock.ts';
import { MemoryJournal } from '../../../src/core/journal/records/run-digest.ts';
import type { Event } from '../../../src/core/model/event.ts';
import type { VenueOrder } from '../../../src/core/model/order.ts';
import type { OrderOptions } from '../../../src/core/orders/options.ts';
import type { StrategyContext } from '../../../src/core/strategy/context.ts';
import { defineStrategy } from '../../../src/core/strategy/define.ts';
import { millisLong } from '../../../src/core/strategy/duration.ts';
import { PartyClock } from '../../../src/app/virtual/party-clock.ts';
import { SimExchange } from '../../simulation/sim-exchange.ts';
import { SimNetwork } from '../../../src/app/virtual/sim-network.ts';
import { SimTrader } from '../../simulation/sim-trader.ts';
import { contractSymbol, marginSymbol } from '../../simulation/traded.ts';

export type SceneProduct = 'spot' | 'margin' | 'futures';

export interface SceneParts {
  readonly seed: number;
  readonly product: SceneProduct;
  /** Reports of orders of the other one are lost on the way: only reads show them. */
  readonly losesReports?: boolean;
  readonly options?: Partial<Pick<OrderOptions, 'others' | 'limits' | 'cancelTogether'>>;
}

const beginning = 1_750_032_060_000_000;
const symbolOf = { spot: 'BTCUSDT', margin: marginSymbol, futures: contractSymbol } as const;

/** Two daemons of this program on one account of one exchange, each on a machine of its own, in one virtual time. */
export class TwoGodwits {
  readonly time = new VirtualClock(micros(beginning));
  readonly exchange: SimExchange;
  readonly #parts: SceneParts;
  readonly #clock: PartyClock;
  #touched = false;

  constructor(parts: SceneParts) {
    this.#parts = parts;
    this.#clock = new PartyClock(this.time, { offset: 0, rate: 1 });
    this.exchange = new SimExchange({
      clock: this.#clock,
      seed: parts.seed,
      socketsCount: 'connections',
      isPoor: false,
      traded: {
        margin: parts.product === 'margin',
        futures: parts.product === 'futures',
        lists: false,
        crossMargin: false,
        secondContract: false,
        feesInBase: false,
        api: 'v3',
      },
      closeSockets: () => {},
    });
    this.exchange.start();
  }

  /** A daemon starts, on a machine whose clock is `offsetMs` ahead. */
  start(offsetMs = 0): OneGodwit {
    const touched = (): void => void (this.#touched = true);
    const clock = new PartyClock(this.time, { offset: offsetMs * 1_000, rate: 1 }, touched);
    const network = new SimNetwork({
      time: this.time,
      seed: this.#parts.seed,
      exchange: () => this.exchange,
      exchangeClock: this.#clock,
      tap: { sent() {}, arrives() {}, connects() {} },
      touched,
      mark() {},
    });
    return new OneGodwit({ ...this.#parts, clock, network, exchange: this.exchange });
  }

  /** Lets time go on by `ms`, or until something holds. Returns how many milliseconds that took; throws when it never held. */
  async run(ms: number, until?: () => boolean): Promise<number> {
    const begun = this.time.now();
    const end = begun + ms * 1_000;
    for (;;) {
      if (until?.() === true) break;
      const next = this.time.nextTime();
      if (next === undefined || next > end) {
        if (until !== undefined) throw new Error(`it did not come to be within ${ms} ms`);
        this.time.advanceTo(micros(end));
        break;
      }
      this.time.advanceTo(next);
      this.exchange.outbox.leave();
      if (!this.#touched) continue;
      this.#touched = false;
      await new Promise((resolve) => void setImmediate(resolve));
      this.exchange.outbox.leave();
    }
    return (this.time.now() - begun) / 1_000;
  }

  /** Ids of live orders that begin with `head`. */
  live(head: string): readonly string[] {
    return this.exchange.activeOrders
      .map(({ clientOrderId }) => clientOrderId as string)
      .filter((id) => id.startsWith(head));
  }

  /** How an order of that id stands at the exchange, if it came to be. */
  record(id: string): VenueOrder | undefined {
    return this.exchange.records.find(({ order }) => order.clientOrderId === id)?.order;
  }
}

type Context = StrategyContext<Record<string, never>>;

interface OneParts extends SceneParts {
  readonly clock: PartyClock;
  readonly network: SimNetwork;
  readonly exchange: SimExchange;
}

/** One of the two daemons, whose strategy does what a test asks it to. */
export class OneGodwit {
  readonly trader: SimTrader['trader'];
  readonly events: Event[] = [];
  readonly #product: SceneProduct;
  readonly #acts: ((context: Context) => void)[] = [];
  #run = '';

  constructor({ seed, product, losesReports = false, options, clock, network, exchange }: OneParts) {
    this.#product = product;
    const sim = new SimTrader({
      clock,
      seed,
      instruments: exchange.instruments(),
      network: network.asClient(),
      credentials: exchange.key,
      journal: new MemoryJournal(),
      history: [],
      strategies: [{ definition: this.#strategy(), tag: 'rest', params: {} }],
      socketsCount: 'connections',
      unknownOrdersMax: 20,
      losses: { account: {}, strategy: {} },
      api: 'v3',
      carryEvery: 1_000,
      hooks: {
        run: (run) => (this.#run = run),
        options: (own) => ({ ...own, ...options }),
        ...(losesReports && {
          venue: (venue) => ({
            ...venue,
            events: venue.events.pipe(filter((event) => this.#arrives(event))),
          }),
        }),
      },
      clearHalt: false,
      watch: ({ event }) => void this.events.push(event),
    });
    this.trader = sim.trader;
    sim.start();
  }

  /** How its order ids begin. */
  get head(): string {
    return `gw-${this.#run}-`;
  }

  /** How many lists of active orders were answered. */
  get looks(): number {
    return this.events.filter((event) => event.kind === 'readAnswered' && event.what.of === 'activeOrders')
      .length;
  }

  /** Rows that tell of another one on the account. */
  get others(): readonly string[] {
    return this.trader.differences.filter(({ kind }) => kind === 'otherGodwit').map(({ cause }) => cause);
  }

  /** Rests an order of so many lots below the market. */
  rest(lots = 100): void {
    const product = this.#product;
    const symbol = symbolOf[product];
    this.#acts.push((context) => {
      const bid = context.market.book(symbol).bestBid ?? 0;
      const price = Math.round(bid * 0.98);
      const margin = product === 'spot' ? {} : ({ product, marginMode: 'isolated' } as const);
      context.orders.place({ symbol, side: 'buy', quantity: lots, price, ...margin });
    });
  }

  /** Puts money into its isolated account. */
  fund(): void {
    this.#acts.push(({ margin }) =>
      margin.set(symbolOf[this.#product], { marginMode: 'isolated', balance: '500' }),
    );
  }

  cancelAll(): void {
    this.trader.act({ act: 'cancelAll', strategy: undefined, instrument: undefined }, 'test', '');
  }

  #strategy() {
    const symbol = symbolOf[this.#product];
    const product = this.#product;
    return defineStrategy({
      name: 'rester',
      params: z.strictObject({}),
      feeds: () => [{ symbol, book: true, trades: true, contract: product === 'futures' }],
      products: () => (product === 'spot' ? ['spot'] : ['spot', product]),
      create: (context) => ({
        onStart: () => void context.timers.every(millisLong(50), 'act'),
        onTimer: () => {
          for (const act of this.#acts.splice(0)) act(context);
        },
      }),
    });
  }

  #arrives(event: Event): boolean {
    return event.kind !== 'orderReport' || event.order.clientOrderId.startsWith(this.head);
  }
}
