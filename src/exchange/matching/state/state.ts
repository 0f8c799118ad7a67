import type { Amount } from '../../../core/base/amount.ts';
import { zero } from '../../../core/base/amount.ts';
import type { Micros } from '../../../core/base/clock.ts';
import { NumberText } from '../../../core/base/number-text.ts';
import type { ReportType } from '../../../core/model/event.ts';
import type { InstrumentId, Instruments, Lots, Ticks } from '../../../core/model/instrument.ts';
import type { MarginReport } from '../../../core/model/margin.ts';
import type { Fill } from '../../../core/model/order.ts';
import type {
  AccountPort,
  AccountId,
  Execution,
  MarginOutcome,
  RefusalCode,
  Wallet,
  AccountInstrument,
  IntegerBalances,
} from '../accounts/index.ts';
import { Wallets, spotAccountOf } from '../accounts/index.ts';
import { Account, UserOrders, MarginAccounts } from './accounts.ts';
import type { MatchingOptions } from './options.ts';
import { Expiries, OrderRecords } from './live.ts';
import type { ExchangeOutcome } from './outcome.ts';
import { OrderOutcome, OutcomeBuffer } from './outcome.ts';
import type { Fills, OrderRecord } from './record.ts';
import { LevelNotes, ExchangeMarket } from './market.ts';
import { noOwner, OrderPool } from '../book/index.ts';

/** Opens the fill model of a market. */
export type OpenFills = (exchange: ExchangeState, market: ExchangeMarket) => Fills;

/** What every operation of the exchange works on, and the outcomes of the command under way. */
export class ExchangeState {
  readonly instruments: Instruments;
  readonly options: MatchingOptions;
  readonly pool = new OrderPool();
  readonly wallets = new Wallets();
  readonly expiries = new Expiries();
  readonly levelNotes: LevelNotes;
  readonly orders = new OrderRecords();
  readonly margin = new MarginAccounts();
  readonly accounts = new Map<AccountId, Account>();
  /** Orders whose trigger has fired, or whose primary is filled, and that wait for their turn in this command. */
  readonly fired: OrderRecord[] = [];
  /** How many lists of orders exclude each other now, and orders may only reduce: without any, walks are simple. */
  exclusiveCount = 0;
  /** Time of the command under way. */
  now = 0 as Micros;
  readonly outcomes: OutcomeBuffer;
  readonly #tradeText = new NumberText();
  #orderNumber = 0;
  #tradeNumber = 0;
  /** The account that was asked for last. */
  #account: Account | undefined = undefined;
  readonly #markets: (ExchangeMarket | undefined)[] = [];
  readonly #openFills: OpenFills;
  readonly #port: AccountPort | undefined;

  /** `port`: the account that pays for spot orders instead of the wallets. */
  constructor(instruments: Instruments, options: MatchingOptions, openFills: OpenFills, port?: AccountPort) {
    this.#openFills = openFills;
    this.#port = port;
    this.instruments = instruments;
    this.options = options;
    this.outcomes = new OutcomeBuffer(!options.publicOutcomes && !options.spotFunds);
    this.levelNotes = new LevelNotes(options.publicOutcomes);
    this.#orderNumber = options.orderNumberStart;
    this.#tradeNumber = options.tradeNumberStart;
  }

  beginCommand(now: Micros): void {
    this.now = now;
    this.outcomes.beginCommand();
  }

  /** Adds the changed levels and balances; everything that came of the command. */
  finishCommand(): readonly ExchangeOutcome[] {
    this.levelNotes.flush(this.outcomes);
    this.wallets.flush(this.outcomes);
    if (this.margin.touched.size > 0) this.#pushMargin();
    this.orders.reclaim();
    return this.outcomes.endCommand();
  }

  #pushMargin(): void {
    const outcomes: MarginOutcome[] = [];
    this.margin.flush(outcomes);
    for (const outcome of outcomes) this.outcomes.push(outcome);
  }

  /** The order of an account behind a handle in use; `undefined` when that is anonymous quantity. */
  recordAt(handle: number): OrderRecord | undefined {
    const owner = this.pool.ownerOf(handle);
    return owner === noOwner ? undefined : this.orders.all[owner];
  }

  nextOrderNumber(): number {
    return this.#orderNumber++;
  }

  /** The next execution. */
  execution(price: Ticks, quantity: Lots): Execution {
    const number = this.#tradeNumber;
    this.#tradeNumber = number + 1;
    return { number, tradeId: this.#tradeText.of(number), price, quantity };
  }

  /** The market of an instrument, made at its first use. */
  market(id: InstrumentId): ExchangeMarket {
    const known = this.#markets[id];
    if (known !== undefined) return known;
    const { windowTicks } = this.options;
    const open = (made: ExchangeMarket): Fills => this.#openFills(this, made);
    const market = new ExchangeMarket(this.instruments.at(id), this.pool, windowTicks, open);
    this.#markets[id] = market;
    return market;
  }

  /** The account of that number, opened at its first use. */
  account(id: AccountId): Account {
    const last = this.#account;
    if (last !== undefined && last.id === id) return last;
    const account = this.accounts.get(id) ?? this.#open(id);
    this.#account = account;
    return account;
  }

  #open(id: AccountId): Account {
    const owner = spotAccountOf(id);
    const user = owner === id ? new UserOrders(this.options, this.orders) : this.account(owner).user;
    const account = new Account(id, user, this.orders);
    this.accounts.set(id, account);
    return account;
  }

  wallet(account: Account, currency: string): Wallet {
    const known = account.wallets.get(currency);
    if (known !== undefined) return known;
    const wallet = this.wallets.open(account.id, currency);
    account.wallets.set(currency, wallet);
    return wallet;
  }

  /** What orders of the account on the market share. */
  context(
    account: Account,
    market: ExchangeMarket,
    takeMarkup: Amount,
    makeMarkup: Amount,
  ): AccountInstrument {
    const { id, spec } = market.instrument;
    const known = account.contexts[id];
    const plain = (takeMarkup === zero && makeMarkup === zero) || (takeMarkup <= zero && makeMarkup <= zero);
    if (known !== undefined && plain) return known;
    const terms = market.terms(takeMarkup, makeMarkup);
    const context: AccountInstrument = {
      account: account.id,
      base: this.wallet(account, spec.baseCurrency),
      quote: this.wallet(account, spec.quoteCurrency),
      third: terms.feesInThird ? this.wallet(account, spec.feeCurrency) : undefined,
      terms,
      margin: undefined,
      port: this.#port,
      isFree: !this.options.spotFunds,
      integers:
        terms.isWhole && this.options.spotFunds && this.#port === undefined
          ? this.#integers(account, market, terms.unit)
          : undefined,
    };
    if (plain) account.contexts[id] = context;
    return context;
  }

  /** The account's integer balances for a market. */
  #integers(account: Account, market: ExchangeMarket, unit: Amount): IntegerBalances {
    const { instrument } = market;
    const { baseCurrency, quoteCurrency } = instrument.spec;
    const known = account.integers[instrument.id];
    if (known !== undefined) return known;
    market.fees ??= this.wallets.feeBox(quoteCurrency, unit);
    const integers = {
      base: this.wallet(account, baseCurrency).integer(instrument.quantityAmount(1 as Lots)),
      quote: this.wallet(account, quoteCurrency).integer(unit),
      fees: market.fees,
    };
    account.integers[instrument.id] = integers;
    return integers;
  }

  report(
    record: OrderRecord,
    reportType: ReportType,
    fill: Fill | undefined,
    booked?: { readonly positionId: number; readonly pnl: Amount },
  ): void {
    const margin = record.context.margin === undefined ? undefined : this.#marginReport(record, booked);
    this.outcomes.push(new OrderOutcome(record, reportType, fill, margin));
  }

  #marginReport(
    record: OrderRecord,
    booked: { readonly positionId: number; readonly pnl: Amount } | undefined,
  ): MarginReport {
    const { margin: mark, context, liquidates } = record;
    if (context.margin !== undefined && booked === undefined)
      this.margin.noteReport(context.margin, 'updated', 'updated');
    return {
      mode: mark?.mode ?? 'isolated',
      reduceOnly: mark?.reduceOnly ?? false,
      closePosition: mark?.closePosition ?? false,
      auto: mark?.auto ?? false,
      positionId: booked?.positionId,
      pnl: booked?.pnl,
      liquidation: liquidates,
    };
  }

  refuse(account: AccountId, clientOrderId: string | undefined, code: RefusalCode, why: string): void {
    this.outcomes.push({ kind: 'refused', account, clientOrderId, code, why });
  }
}
