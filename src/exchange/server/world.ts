import type { Clock, Micros } from '../../core/base/clock.ts';
import { microsPerSecond } from '../../core/base/clock.ts';
import type { Random } from '../../core/base/random.ts';
import type { Amount } from '../../core/base/amount.ts';
import { parseAmount, zero } from '../../core/base/amount.ts';
import { BadInput } from '../../core/base/errors.ts';
import type { MatchingOptions as CoreOptions, AccountId, Outcome } from '../matching/index.ts';
import { Exchange, futuresAccountOf, marginAccountOf } from '../matching/index.ts';
import type { Instrument, InstrumentSpec } from '../../core/model/instrument.ts';
import { Instruments } from '../../core/model/instrument.ts';
import type { Faults, Matching } from '../base/index.ts';
import { Accounts, Core } from '../base/index.ts';
import type { TroubledExchange } from '../chaos/index.ts';
import { ExpiryTimer, InterestTimer } from './timers.ts';
import { Flow, Rates } from '../market/index.ts';
import { contractSpec, contractsOf, FuturesMarket } from '../futures/index.ts';
import type { SymbolOptions } from '../base/index.ts';
import type { ExchangeOptions } from './options.ts';
import { OrderService, Reports } from '../orders/index.ts';
import { MarginService, marginRules, V2Orders } from '../margin/index.ts';
import { divide } from '../../core/model/margin-math.ts';
import { BuyCryptoService } from '../buy-crypto/index.ts';
import type { SubAccountService, SubAccountAccess } from '../sub-accounts/index.ts';
import { makeSubAccounts } from '../sub-accounts/index.ts';
import { currencyOf, WalletService } from '../wallet/index.ts';
import type { Currency } from '../../venues/hitbtc/wire/resources/index.ts';

/**
 * Order and trade numbers of live hosts lie above 2^40; clients must cope, so ours do too. They lie above the milliseconds
 * of the years to 2100 as well, which a bound of a history without `by` is taken for. Source: v3-gaps, sections 2.3 and 7.
 */
const orderNumberStart = 7_000_000_000_001;
const tradeNumberStart = 10_000_000_000_001;
/** An exchange that is started anew numbers its trades above those of before, so that no client takes them for known. */
const tradesPerSecondMax = 1_000;

/** The exchange without HTTP and sockets: accounts, core, market flow, and the services that turn requests into commands. */
export interface World {
  readonly accounts: Accounts;
  readonly currencies: readonly Currency[];
  readonly currencyCodes: ReadonlySet<string>;
  readonly core: Core;
  readonly orders: OrderService;
  readonly rates: Rates;
  readonly reports: Reports;
  readonly flow: Flow | undefined;
  readonly expiries: ExpiryTimer;
  readonly futures: FuturesMarket;
  readonly wallet: WalletService;
  readonly subAccounts: SubAccountService;
  readonly subAccountAccess: SubAccountAccess;
  readonly buyCrypto: BuyCryptoService;
  readonly marginService: MarginService;
  readonly v2Orders: V2Orders;
  readonly interest: InterestTimer;
}

/** Market that orders meet in place of each other alone: its order keeping, which reads see, and its receiver of commands. */
export interface OutsideMarket extends Matching {
  readonly exchange: Exchange;
}

/** Opens such a market for an exchange with these rules. It calls `happened` with what happens to orders without a command. */
export type OpenOutsideMarket = (setup: {
  readonly instruments: Instruments;
  readonly rules: Partial<CoreOptions>;
  readonly happened: (outcomes: readonly Outcome[], now: Micros) => void;
}) => OutsideMarket;

/**
 * Builds the exchange as the options say, with opening balances paid in. Nothing runs yet. Without a `market` the orders of its
 * accounts and of the seeded flow meet each other.
 */
export function makeWorld(
  options: ExchangeOptions,
  clock: Clock,
  random: Random,
  market?: OpenOutsideMarket,
): World {
  const { currencies } = options;
  const contracts = contractsOf(options, clock.now());
  const instruments = instrumentsOf(options, contracts, clock.now());
  const accounts = new Accounts(options.accounts, random.fork('keys'));
  const rules = marginRules(instruments, options.margin);
  const thirdRate = thirdRates(options, instruments, () => rates);
  const matching = coreOptions(options, rules, thirdRate, clock);
  const core = openCore(options, { instruments, accounts, clock }, matching, market);
  const rates = new Rates(core);
  const reports = new Reports(clock, options.publish.balanceBatchMs);
  core.listen(reports);
  const flow = options.flow.enabled
    ? new Flow({ core, accounts, clock, random: random.fork('flow'), currencies, options: options.flow })
    : undefined;
  const wallet = new WalletService(
    { core, accounts, clock, random: random.fork('wallet'), currencies, options: options.wallet },
    rates,
  );
  const orders = new OrderService(core, random.fork('order ids'));
  const currencyCodes = new Set(currencies.map(({ code }) => code));
  const marginService = new MarginService({ core, orders, currencies: currencyCodes, rules });
  return {
    accounts,
    currencies: currencies.map(currencyOf),
    currencyCodes,
    core,
    orders,
    marginService,
    v2Orders: new V2Orders({ core, orders, margin: marginService.margin }),
    interest: new InterestTimer(core, clock, options.margin.interestMinutes),
    rates,
    reports,
    flow,
    expiries: new ExpiryTimer(core, clock),
    futures: new FuturesMarket({
      core,
      rates,
      clock,
      contracts,
      options: options.futures,
      candlesMax: options.history.candlesMax,
    }),
    wallet,
    ...makeSubAccounts({
      accounts,
      options: options.accounts,
      core,
      wallet,
      marginService,
      random: random.fork('sub-accounts'),
    }),
    buyCrypto: new BuyCryptoService({
      options: options.buyCrypto,
      currencies,
      rates,
      wallet: wallet.context,
      clock,
      random: random.fork('buy-crypto'),
    }),
  };
}

/** The core on orders of its accounts alone, or on a market from outside, with opening balances paid in. */
function openCore(
  options: ExchangeOptions,
  parts: Pick<ConstructorParameters<typeof Core>[0], 'instruments' | 'accounts' | 'clock'>,
  rules: Partial<CoreOptions>,
  market: OpenOutsideMarket | undefined,
): Core {
  const { instruments } = parts;
  const { history } = options;
  const outside = market?.({
    instruments,
    rules,
    happened: (outcomes, now) => core.happened(outcomes, now),
  });
  const exchange = outside?.exchange ?? new Exchange({ instruments, options: rules });
  const core = new Core({ ...parts, exchange, matching: outside, history });
  payOpeningBalances(options, parts.accounts, core);
  return core;
}

/** The symbols of the options, then the contracts. */
function instrumentsOf(
  { symbols, currencies }: ExchangeOptions,
  contracts: ReturnType<typeof contractsOf>,
  now: Micros,
): Instruments {
  return new Instruments([
    ...symbols.map((symbol) => specOf(symbol, currencies)),
    ...contracts.map((contract) => contractSpec(contract, now)),
  ]);
}

/** What the options say about orders and margin, as the core has it. */
function coreOptions(
  { orders }: ExchangeOptions,
  rules: ReturnType<typeof marginRules>,
  thirdRate: CoreOptions['thirdRate'],
  clock: Clock,
): Partial<CoreOptions> {
  return {
    orderNumberStart,
    tradeNumberStart: tradeNumberStart + Math.floor(clock.now() / microsPerSecond) * tradesPerSecondMax,
    marginRule: ({ id }) => rules.get(id),
    thirdRate,
    ordersPerSymbolMax: orders.perSymbolMax,
    ordersPerAccountMax: orders.perAccountMax,
    fatFingerFraction: orders.fatFingerFraction,
  };
}

function payOpeningBalances(options: ExchangeOptions, accounts: Accounts, core: Core): void {
  const pay = (account: AccountId, balances: Readonly<Record<string, string>>): void => {
    for (const [currency, amount] of Object.entries(balances))
      core.handle({ kind: 'adjustBalance', account, currency, change: parseAmount(amount) });
  };
  for (const { name, balances, derivatives } of options.accounts) {
    const { id } = accounts.get(name);
    pay(id, balances);
    pay(futuresAccountOf(id), derivatives);
  }
}

/**
 * What one of the quote currency is worth in the third currency that fees are in: by the market, and before it has a price by the
 * opening prices of both. Throws `BadInput` where one of them has none.
 */
function thirdRates(
  { currencies }: ExchangeOptions,
  { all }: Instruments,
  rates: () => Rates,
): (instrument: Instrument) => Amount {
  const prices = new Map(currencies.map(({ code, price }) => [code, parseAmount(price)]));
  const first = new Map<string, Amount>();
  for (const { symbol, spec, feesInThird } of all) {
    if (!feesInThird) continue;
    const [from, to] = [spec.quoteCurrency, spec.feeCurrency].map((code) => prices.get(code) ?? zero);
    if (!from || !to)
      throw new BadInput(
        `exchange option symbols: fees of ${symbol} are in ${spec.feeCurrency}: expected ${from ? spec.feeCurrency : spec.quoteCurrency} among the currencies, with a price above 0`,
      );
    first.set(symbol, divide(from, to));
  }
  return ({ symbol, spec }) =>
    rates().rate(spec.quoteCurrency, spec.feeCurrency) ?? first.get(symbol) ?? zero;
}

/** A symbol of a delisted currency is not traded. Source: API v2, "Currency", delisted. */
function specOf(symbol: SymbolOptions, currencies: ExchangeOptions['currencies']): InstrumentSpec {
  const { maxInitialLeverage, status, ...rest } = symbol;
  const { baseCurrency, quoteCurrency } = symbol;
  const isDelisted = currencies.some(
    ({ code, delisted }) => delisted && (code === baseCurrency || code === quoteCurrency),
  );
  return {
    ...rest,
    status: isDelisted && status === 'working' ? 'suspended' : status,
    type: 'spot',
    feeCurrency: symbol.feeCurrency ?? symbol.quoteCurrency,
    ...(maxInitialLeverage !== undefined && { maxInitialLeverage }),
  };
}

/** The exchange as troubles meet it. */
export function troubledExchange({ core, accounts }: World, faults: Faults): TroubledExchange {
  const owners = (): readonly AccountId[] =>
    accounts.all
      .filter(({ keys }) => keys.length > 0)
      .flatMap(({ id }) => [id, marginAccountOf(id), futuresAccountOf(id)]);
  const has = (symbol: string, status: string): boolean =>
    core.exchange.status(core.instruments.get(symbol).id) === status;
  return {
    faults,
    symbols: () => {
      const ordered = owners().flatMap((owner) =>
        core.log(owner).records.map(({ order }) => core.instruments.at(order.instrument).symbol),
      );
      const all = core.instruments.all.map(({ symbol }) => symbol);
      return [...new Set(ordered.length > 0 ? ordered : all)].filter((symbol) => has(symbol, 'working'));
    },
    setStatus: (symbol, status) => {
      const { id } = core.instruments.get(symbol);
      // A contract that has expired meanwhile stays so.
      if (has(symbol, status === 'working' ? 'suspended' : 'working'))
        core.handle({ kind: 'setStatus', instrument: id, status });
    },
    cancelAll: () => {
      for (const account of owners()) core.handle({ kind: 'cancelAll', account, instrument: undefined });
    },
  };
}
