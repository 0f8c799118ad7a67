import type { Amount } from '../../src/core/base/amount.ts';
import { add, zero } from '../../src/core/base/amount.ts';
import type { Clock } from '../../src/core/base/clock.ts';
import { Random } from '../../src/core/base/random.ts';
import type { AccountId } from '../../src/exchange/matching/accounts/command.ts';
import { futuresAccountOf, marginAccountOf } from '../../src/exchange/matching/accounts/command.ts';
import type { OrderHistoryEntry, OwnFill } from '../../src/exchange/base/order-log.ts';
import type { VenueOrder } from '../../src/core/model/order.ts';
import { Instruments } from '../../src/core/model/instrument.ts';
import type { ExchangeOptions } from '../../src/exchange/server/options.ts';
import { exchangeOptions } from '../../src/exchange/server/options.ts';
import type { Flushable } from '../../src/exchange/sockets/connection.ts';
import { WriteQueue } from '../../src/exchange/sockets/connection.ts';
import { Faults } from '../../src/exchange/base/faults.ts';
import { Publisher } from '../../src/exchange/sockets/publisher.ts';
import { restApi } from '../../src/exchange/server/routes.ts';
import { socketLocations } from '../../src/exchange/server/locations.ts';
import type { Location } from '../../src/exchange/sockets/sockets.ts';
import { RateLimiter } from '../../src/exchange/base/rate-limits.ts';
import type { World } from '../../src/exchange/server/world.ts';
import { makeWorld } from '../../src/exchange/server/world.ts';
import type { ApiKey } from '../../src/exchange/base/accounts.ts';
import { fail } from '../../src/core/base/assert.ts';
import type { ExchangeTrade } from './exchange-money.ts';
import { RestServer } from './sim-http.ts';
import type { Traded } from './traded.ts';
import { contractSymbol, feeSymbol, marginSymbol, secondContractSymbol, symbols } from './traded.ts';

/** Gathers what one step sends, and lets it go when the step is over. */
export class StepOutbox extends WriteQueue {
  #waiting: Flushable[] = [];

  override add(connection: Flushable): void {
    this.#waiting.push(connection);
  }

  leave(): void {
    if (this.#waiting.length === 0) return;
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const connection of waiting) connection.flush();
  }
}

export const tradingAccount = 'demo';

export interface SimExchangeParts {
  readonly clock: Clock;
  readonly seed: number;
  /** What the limit per address on sockets counts: the documents leave it open. */
  readonly socketsCount: 'connections' | 'messages';
  /** Whether the account has hardly more than its orders need. */
  readonly isPoor: boolean;
  /** Whether the account has money of a currency that nobody trades. */
  readonly hasSpare?: boolean;
  readonly traded: Traded;
  /** Close codes reach every open socket. */
  readonly closeSockets: (code: number, reason: string) => void;
  /** Markets, accounts and limits; those of the simulation when left out. */
  readonly options?: ExchangeOptions | undefined;
}

/** The embedded exchange without its network: core, seeded market, sessions and REST routes. */
export class SimExchange {
  readonly world: World;
  readonly faults: Faults;
  readonly publisher: Publisher;
  readonly outbox = new StepOutbox();
  readonly http: RestServer;
  readonly key: ApiKey;
  readonly account: AccountId;
  /** Executions that were reported and never were, by `keyOfTrade`. */
  readonly invented = new Map<string, ExchangeTrade>();
  readonly #traded: Traded;
  readonly #locations: ReadonlyMap<string, Location>;

  constructor({ seed, traded, ...parts }: SimExchangeParts) {
    const { hasSpare = false, isPoor, socketsCount } = parts;
    const options = parts.options ?? optionsOf({ socketsCount, isPoor, hasSpare, traded });
    this.#traded = traded;
    this.faults = new Faults(parts.clock, parts.closeSockets);
    const { clock } = this.faults;
    this.world = makeWorld(options, clock, new Random(`simulation/${seed}`));
    let isInventing = false;
    this.world.reports.misreportBy({
      takeInventedFill: () => (isInventing = this.faults.takeInventedFill()),
      tellReport: (receiver, send) => this.faults.tellReport(receiver, send),
    });
    this.world.core.listen({
      onReport: ({ order: { instrument, side, clientOrderId, price, quantity, venueOrderId } }) => {
        if (!isInventing || price === undefined) return;
        isInventing = false;
        const tradeId = `9${venueOrderId}`;
        const fill = { tradeId, price, quantity, fee: zero, taker: false, time: clock.now() };
        const trade = { instrument, side, clientOrderId, account: 'spot', fill, pnl: undefined } as const;
        this.invented.set(`${instrument}/${side}/${tradeId}`, { ...trade, number: 0 });
      },
      onBalance() {},
      onSettled() {},
    });
    this.publisher = new Publisher({
      core: this.world.core,
      clock,
      faults: this.faults,
      options: options.publish,
    });
    const throttle = new RateLimiter(clock, options.limits.enabled);
    const setup = {
      world: this.world,
      publisher: this.publisher,
      throttle,
      faults: this.faults,
      options,
      clock,
    };
    this.#locations = new Map(socketLocations(setup).map((location) => [location.path, location]));
    this.http = new RestServer({ ...restApi(setup), clock, faults: this.faults });
    const { id, keys } = this.world.accounts.get(tradingAccount);
    this.account = id;
    this.key = keys[0] ?? fail('the account has no key');
  }

  start(): void {
    this.world.flow?.start();
    this.world.expiries.start();
    if (this.#traded.futures) this.world.futures.start();
    if (this.#traded.margin) this.world.interest.start();
    this.publisher.start();
  }

  /** The numbers of the trading account: for spot, and for what else the seed trades. */
  get accounts(): readonly AccountId[] {
    const { account } = this;
    const { margin, futures } = this.#traded;
    return [
      account,
      ...(margin ? [marginAccountOf(account)] : []),
      ...(futures ? [futuresAccountOf(account)] : []),
    ];
  }

  /** Orders of all products, oldest first in each. */
  get records(): readonly OrderHistoryEntry[] {
    return this.accounts.flatMap((account) => this.world.core.log(account).records);
  }

  /** Trades of all products, oldest first in each. */
  get trades(): readonly OwnFill[] {
    return this.accounts.flatMap((account) => {
      const { trades } = this.world.core.log(account);
      return Array.from({ length: trades.size }, (_, index) => trades.at(index) as OwnFill);
    });
  }

  get activeOrders(): readonly VenueOrder[] {
    return this.accounts.flatMap((account) => this.world.core.exchange.activeOrders(account));
  }

  /** All there is of each currency, wherever it lies: in accounts of all participants, in fees, and at the exchange itself. */
  totals(): ReadonlyMap<string, Amount> {
    const { core, accounts } = this.world;
    const sums = new Map<string, Amount>();
    const count = (currency: string, amount: Amount): void =>
      void sums.set(currency, add(sums.get(currency) ?? zero, amount));
    for (const { id } of accounts.all)
      for (const owner of [id, marginAccountOf(id), futuresAccountOf(id)]) {
        for (const { currency, available, reserved } of core.exchange.balances(owner))
          count(currency, add(available, reserved));
        for (const { currency, balance } of core.exchange.marginAccounts(owner)) count(currency, balance);
      }
    for (const currency of sums.keys())
      count(currency, add(core.exchange.collectedFees(currency), core.exchange.exchangeFunds(currency)));
    return sums;
  }

  /** Whether an order of that id ever came to be. */
  has(id: string): boolean {
    return this.records.some(({ order }) => order.clientOrderId === id);
  }

  /** Whether an order of that id is live. */
  isActive(id: string): boolean {
    return this.accounts.some((account) => this.world.core.exchange.order(account, id) !== undefined);
  }

  location(path: string): Location {
    return this.#locations.get(path) ?? fail('nothing is spoken there', { path });
  }

  /** The symbols as a client reads them. */
  instruments(): Instruments {
    return new Instruments(this.world.core.instruments.all.map(({ spec }) => spec));
  }
}

const rich = { USDT: '1000000', BTC: '20', ETH: '400' };
/** Less than all orders that may be open at once could need, so that funds are refused now and then. */
const poor = { USDT: '900', BTC: '0.012', ETH: '0.25' };

/** A currency that nobody trades. */
export const spareCurrency = 'XMR';

function optionsOf({
  socketsCount,
  isPoor,
  hasSpare,
  traded,
}: Required<Pick<SimExchangeParts, 'socketsCount' | 'isPoor' | 'hasSpare' | 'traded'>>): ExchangeOptions {
  const balances = isPoor ? poor : rich;
  const { margin, futures, secondContract, feesInBase } = traded;
  return exchangeOptions.parse({
    currencies: [
      { code: 'BTC', fullName: 'Bitcoin', price: '64000' },
      { code: 'ETH', fullName: 'Ethereum', price: '3200' },
      { code: 'USDT', fullName: 'Tether', stable: true, price: '1', transferPrecision: '0.000001' },
      ...(hasSpare ? [{ code: spareCurrency, fullName: 'Monero', price: '150' }] : []),
    ],
    symbols: symbols.map((symbol, index) => ({
      symbol,
      baseCurrency: symbol.slice(0, 3),
      quoteCurrency: 'USDT',
      tickSize: '0.01',
      quantityIncrement: index === 0 ? '0.0001' : '0.00001',
      ...(feesInBase && symbol === feeSymbol && { feeCurrency: symbol.slice(0, 3) }),
      ...(margin && symbol === marginSymbol && { marginTrading: true, maxInitialLeverage: '10' }),
    })),
    accounts: [
      {
        name: tradingAccount,
        keys: [{}],
        balances: { ...balances, ...(hasSpare && { [spareCurrency]: '5' }) },
        ...(futures && { derivatives: { USDT: isPoor ? '200' : '100000' } }),
      },
      { name: 'other', keys: [{}], balances: rich, ...(futures && { derivatives: { USDT: '1000000' } }) },
    ],
    flow: { eventsPerSecond: 3, ordersMax: 40, takerShare: 0.3, orderValue: '400' },
    limits: { socketsCount: socketsCount === 'messages' ? 'messages' : 'messagesButOrders' },
    publish: { bookMs: 200 },
    margin: { interestMinutes: 1, interestRate: '0.0003' },
    futures: {
      contracts: [...(futures ? [contract] : []), ...(secondContract ? [secondContractTerms] : [])],
      fundingMinutes: 1,
    },
  });
}

const contract = {
  symbol: contractSymbol,
  underlying: 'ETH',
  quoteCurrency: 'USDT',
  tickSize: '0.01',
  quantityIncrement: '0.0001',
};

const secondContractTerms = {
  symbol: secondContractSymbol,
  underlying: 'BTC',
  quoteCurrency: 'USDT',
  tickSize: '0.01',
  quantityIncrement: '0.00001',
};
