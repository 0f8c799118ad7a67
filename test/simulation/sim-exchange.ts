import type { Amount } from '../../src/core/base/amount.ts';
import { add, zero } from '../../src/core/base/amount.ts';
import type { Clock } from '../../src/core/base/clock.ts';
import { Random } from '../../src/core/base/random.ts';
import type { AccountId } from '../../src/exchange/matching/accounts/command.ts';
import { futuresAccountOf, marginAccountOf } from '../../src/exchange/matching/accounts/command.ts';
import type { ExchangeOptions } from '../../src/exchange/server/options.ts';
import { exchangeOptions } from '../../src/exchange/server/options.ts';
import type { ExchangeTrade } from './exchange-money.ts';
import type { Traded } from './traded.ts';
import { VirtualExchange } from '../../src/app/virtual/exchange.ts';
import { contractSymbol, feeSymbol, marginSymbol, secondContractSymbol, symbols } from './traded.ts';

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

/** The exchange of the simulation: it counts executions that it reported and that never were. */
export class SimExchange extends VirtualExchange {
  /** Executions that were reported and never were, by `keyOfTrade`. */
  readonly invented = new Map<string, ExchangeTrade>();
  readonly #traded: Traded;

  constructor({ clock, seed, traded, closeSockets, ...parts }: SimExchangeParts) {
    const { hasSpare = false, isPoor, socketsCount } = parts;
    const options = parts.options ?? optionsOf({ socketsCount, isPoor, hasSpare, traded });
    const random = new Random(`simulation/${seed}`);
    super({ clock, random, options, closeSockets, account: tradingAccount });
    this.#traded = traded;
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
        const time = this.faults.clock.now();
        const fill = { tradeId, price, quantity, fee: zero, taker: false, time };
        const trade = { instrument, side, clientOrderId, account: 'spot', fill, pnl: undefined } as const;
        this.invented.set(`${instrument}/${side}/${tradeId}`, { ...trade, number: 0 });
      },
      onBalance() {},
      onSettled() {},
    });
  }

  override start(): void {
    super.start(this.#traded);
  }

  /** The numbers of the trading account: for spot, and for what else the seed trades. */
  override get accounts(): readonly AccountId[] {
    const { account } = this;
    const { margin, futures } = this.#traded;
    return [
      account,
      ...(margin ? [marginAccountOf(account)] : []),
      ...(futures ? [futuresAccountOf(account)] : []),
    ];
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
