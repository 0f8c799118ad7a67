import type { Amount } from '../../core/base/amount.ts';
import { add, formatAmount, zero } from '../../core/base/amount.ts';
import type { Micros } from '../../core/base/clock.ts';
import { later, seconds, timeText } from '../../core/base/clock.ts';
import type { Event, OwnTrade, RunStarted } from '../../core/model/event.ts';
import type { InstrumentId, Instruments } from '../../core/model/instrument.ts';
import type { WalletName } from '../../core/model/difference.ts';
import { executionKey, walletKey } from '../../core/model/difference.ts';
import type { MarginAccountView } from '../../core/model/margin.ts';
import type { Balance } from '../../core/model/market.ts';
import { sentinelText } from '../../core/model/operator.ts';
import type { MarginProductName } from '../../core/model/product.ts';
import {
  chargedFee,
  entryOfMove,
  reportedBalances,
  exchangedBy,
  walletOf,
  walletPaying,
  wallets,
} from '../../core/ledger/index.ts';
import type { LedgerEntry, ReportedBalances } from '../../core/ledger/index.ts';
import { SessionFold } from '../live/index.ts';
import type { Reach } from './before-opening.ts';
import { BeforeOpening } from './before-opening.ts';

/** Money by wallet and currency, as `walletKey` writes it. */
export type Sums = Map<string, Amount>;

export function addTo(sums: Sums, key: string, amount: Amount): void {
  sums.set(key, add(sums.get(key) ?? zero, amount));
}

/** One session by its journal: what it traded, and what the account held. */
export interface SessionAccount {
  readonly started: RunStarted;
  /** Up to when the journal goes, by the venue's clock. */
  readonly end: Micros;
  readonly running: boolean;
  readonly instruments: Instruments;
  /** Every execution of the account that the session booked, once each. */
  readonly fills: readonly OwnTrade[];
  /** When the first balances of a wallet were taken, by the venue's clock. */
  readonly openedAt: ReadonlyMap<WalletName, Micros>;
  /** Sums of wallets and margin accounts, then and at the end. */
  readonly opening: Sums;
  readonly closing: Sums;
  /** When a currency was last reported. */
  readonly seenAt: ReadonlyMap<string, Micros>;
  readonly margin: MarginSums;
  /**
   * Moves that were heard of after the opening balances of their wallet: the clock of the venue is known to a second or so, and what happened within
   * that time of them may be in them or not.
   */
  readonly heard: { readonly fills: ReadonlySet<string>; readonly margin: MarginSums };
  /** Amounts that moved without a trade or a charge after the opening balances, as they were booked. */
  readonly moved: Sums;
  /** Reaches of closing balances beside what is expected, by money of before the opening balances that was booked together with later money. */
  readonly before: ReadonlyMap<string, Reach>;
  /** Entries that no message of the venue made: each explains what would differ without it, in words. */
  readonly explained: readonly string[];
  /** Acts of sentinels that its journal tells of, in words. */
  readonly acts: readonly string[];
  readonly notes: readonly string[];
}

/** Sums that positions of margin accounts brought, losses that the venue bore left out, and what funding and interest took of them. */
export interface MarginSums {
  readonly realized: Sums;
  /** Part of it from lots that were taken over from the venue: it may have moved before the session. */
  readonly adopted: Sums;
  readonly charges: Sums;
  /** Part of it that looks alone showed, of about the time of the opening balances: it may be in them. */
  readonly derived: Sums;
  /** How many of these were read from amounts that the venue prints cut. */
  readonly cuts: Map<string, number>;
}

/** Margin of what the clock of the venue is known to. */
export const clockSlack = seconds(1);

/** Folds the records of one session, from its `runStarted` on. */
export function sessionAccountOf(
  records: Iterable<{ readonly event: Event }>,
  instruments: Instruments,
): Omit<SessionAccount, 'started' | 'running' | 'notes'> {
  const fold = new AccountFold(instruments);
  for (const { event } of records) fold.observe(event);
  return { ...fold.result(), instruments };
}

/** Events that may book something. */
const bookingKinds: ReadonlySet<Event['kind']> = new Set([
  'orderReport',
  'readAnswered',
  'marginAccount',
  'marginFound',
  'executionCorrected',
  'moneyMoved',
  'chargeFound',
]);

class AccountFold {
  readonly #instruments: Instruments;
  readonly #session: SessionFold;
  readonly #entries: LedgerEntry[] = [];
  readonly #openedAt = new Map<WalletName, Micros>();
  readonly #opening: Sums = new Map();
  readonly #seenAt = new Map<string, Micros>();
  readonly #marginRead = new Set<MarginProductName>();
  /** Entries that were heard of after the opening balances of their wallet. */
  readonly #heard = new Set<LedgerEntry>();
  readonly #acts: string[] = [];
  readonly #before: BeforeOpening;
  #last = 0 as Micros;

  constructor(instruments: Instruments) {
    this.#instruments = instruments;
    this.#session = new SessionFold(instruments);
    this.#before = new BeforeOpening(instruments);
  }

  observe(event: Event): void {
    const { state } = this.#session;
    this.#session.observe(event);
    this.#last = event.receiveTime;
    const reported = reportedBalances(event);
    if (reported !== undefined)
      this.#reported(
        reported,
        event.kind === 'readAnswered' ? this.#byVenue(event.askedAt) : event.exchangeTime,
      );
    if (event.kind === 'operatorActed' && event.act.act === 'sentinel')
      this.#acts.push(sentinelText(event.act, event.why));
    if (event.kind === 'readAnswered' && event.what.of === 'marginAccounts')
      this.#marginOpened(event.what.product, event.marginAccounts ?? []);
    this.#before.observe(event, state.entries, this.#openedAt);
    if (!bookingKinds.has(event.kind)) return;
    // What an operator has accepted at the start stands before the state that is carried.
    for (const entry of event.kind === 'moneyMoved' ? [entryOfMove(event)] : state.entries) {
      this.#entries.push(entry);
      if (this.#openedAt.has(this.#walletOf(entry))) this.#heard.add(entry);
    }
  }

  result(): Omit<SessionAccount, 'started' | 'running' | 'instruments' | 'notes'> {
    const { state } = this.#session;
    const closing: Sums = new Map();
    for (const wallet of wallets)
      addBalances(closing, wallet, state.balances(wallet === 'futures' ? wallet : undefined));
    for (const { product, account } of state.marginAccounts()) addAccount(closing, product, account);
    return {
      end: this.#byVenue(this.#last),
      fills: executionsOf(this.#entries),
      openedAt: this.#openedAt,
      opening: this.#opening,
      closing,
      seenAt: this.#seenAt,
      margin: this.#marginOf(
        (entry) => timeOf(entry) > (this.#openedAt.get(this.#walletOf(entry)) ?? Infinity),
      ),
      heard: {
        fills: new Set(
          [...this.#heard].flatMap((entry) => ('trade' in entry ? [executionKey(entry.trade)] : [])),
        ),
        margin: this.#marginOf((entry) => this.#heard.has(entry)),
      },
      moved: this.#movedOf(),
      before: this.#before.result(),
      explained: this.#entries.flatMap((entry) => explanationOf(entry, this.#instruments) ?? []),
      acts: this.#acts,
    };
  }

  /** Sums of the entries of margin accounts that are not in the opening balances. */
  #marginOf(isAfter: (entry: LedgerEntry) => boolean): MarginSums {
    const margin: MarginSums = {
      realized: new Map(),
      adopted: new Map(),
      charges: new Map(),
      derived: new Map(),
      cuts: new Map(),
    };
    for (const entry of this.#entries) {
      if (entry.kind === 'transfer' || entry.kind === 'unexplained') continue;
      if (entry.account === 'spot' || !isAfter(entry)) continue;
      const { quoteCurrency } = this.#instruments.at(instrumentOf(entry)).spec;
      const wallet = this.#walletOf(entry);
      const key = walletKey(wallet, quoteCurrency);
      const begin = this.#openedAt.get(wallet) ?? Infinity;
      const isDerived = 'derived' in entry && entry.derived === true;
      if (isDerived && entry.time < begin + clockSlack) addTo(margin.derived, key, entry.amount);
      margin.cuts.set(key, (margin.cuts.get(key) ?? 0) + 1);
      if (entry.kind === 'opening') addTo(margin.adopted, key, entry.realized);
      if ('realized' in entry) addTo(margin.realized, key, entry.realized);
      else addTo(entry.kind === 'liquidation' ? margin.realized : margin.charges, key, entry.amount);
    }
    return margin;
  }

  #walletOf(entry: LedgerEntry): WalletName {
    return 'wallet' in entry ? entry.wallet : walletPaying(this.#instruments.at(instrumentOf(entry)));
  }

  #movedOf(): Sums {
    const moved: Sums = new Map();
    for (const entry of this.#entries) {
      if (entry.kind !== 'transfer' && entry.kind !== 'unexplained') continue;
      const { wallet, currency, amount, time } = entry;
      if (time > (this.#openedAt.get(wallet) ?? Infinity)) addTo(moved, walletKey(wallet, currency), amount);
    }
    return moved;
  }

  #byVenue(time: Micros): Micros {
    return later(time, this.#session.state.clockOffset ?? (0 as Micros));
  }

  #reported({ wallet, balances, complete }: ReportedBalances, at: Micros): void {
    for (const { currency } of balances) this.#seenAt.set(walletKey(wallet, currency), at);
    if (!complete || this.#openedAt.has(wallet)) return;
    this.#openedAt.set(wallet, at);
    addBalances(this.#opening, wallet, balances);
  }

  #marginOpened(product: MarginProductName, accounts: readonly MarginAccountView[]): void {
    if (this.#marginRead.has(product)) return;
    this.#marginRead.add(product);
    for (const account of accounts) addAccount(this.#opening, product, account);
  }
}

type TradingEntry = Exclude<LedgerEntry, { readonly wallet: WalletName }>;

function instrumentOf(entry: TradingEntry): InstrumentId {
  return 'trade' in entry ? entry.trade.instrument : entry.instrument;
}

function timeOf(entry: LedgerEntry): Micros {
  return 'trade' in entry ? entry.trade.time : entry.time;
}

/** Executions as they hold, once each: corrected ones in the place of what was booked, and none that was withdrawn. */
function executionsOf(entries: readonly LedgerEntry[]): readonly OwnTrade[] {
  const held = new Map<string, OwnTrade>();
  for (const entry of entries) {
    if (!('trade' in entry)) continue;
    const holds = entry.kind === 'correction' ? entry.holds : entry.trade;
    if (holds === undefined) held.delete(executionKey(entry.trade));
    else held.set(executionKey(holds), holds);
  }
  return [...held.values()];
}

/** Explanation by an entry that no message of the venue told of; `undefined` of all others. */
function explanationOf(entry: LedgerEntry, instruments: Instruments): string | undefined {
  if (entry.kind === 'transfer' || entry.kind === 'unexplained') {
    const { kind, wallet, currency, amount, time } = entry;
    return `${kind} of ${formatAmount(amount)} ${currency}, ${wallet} wallet, ${timeText(time)}`;
  }
  if (entry.kind === 'correction') {
    const { cause, strategy, trade } = entry;
    const { symbol } = instruments.at(trade.instrument);
    return `correction (${cause}) of trade ${trade.tradeId} of strategy ${strategy}, ${symbol}, ${timeText(trade.time)}`;
  }
  if (entry.kind === 'opening') {
    const { account, strategy, lots, time } = entry;
    const { symbol } = instruments.at(entry.instrument);
    return `${lots} lots of ${symbol}, ${account}, of strategy ${strategy}, ${timeText(time)}: taken over from the venue`;
  }
  if (entry.kind === 'liquidation') {
    const { account, strategy, amount, time } = entry;
    const { symbol, spec } = instruments.at(entry.instrument);
    return `${formatAmount(amount)} ${spec.quoteCurrency} of the loss of strategy ${strategy}, ${symbol}, ${account}, ${timeText(time)}: borne by the venue`;
  }
  if (!('derived' in entry) || entry.derived !== true) return undefined;
  const { kind, account, strategy, amount, time } = entry;
  const { symbol, spec } = instruments.at(entry.instrument);
  return `${kind} of ${formatAmount(amount)} ${spec.quoteCurrency} of strategy ${strategy}, ${symbol}, ${account}, ${timeText(time)}: derived, no report told of it`;
}

export function addBalances(sums: Sums, wallet: WalletName, balances: readonly Balance[]): void {
  for (const { currency, available, reserved } of balances)
    addTo(sums, walletKey(wallet, currency), add(available, reserved));
}

/** Adds what a margin account holds to the wallet that it was paid from. */
export function addAccount(sums: Sums, product: MarginProductName, account: MarginAccountView): void {
  addTo(sums, walletKey(walletOf(product), account.currency), account.balance);
}

/** Amounts that trades moved between the currencies of the spot wallet, and what all of them cost, by currency. */
export function tradeMoves(
  trades: readonly OwnTrade[],
  instruments: Instruments,
): { readonly traded: Sums; readonly fees: Sums } {
  const traded: Sums = new Map();
  const fees: Sums = new Map();
  for (const trade of trades) {
    const instrument = instruments.at(trade.instrument);
    const fee = chargedFee(instrument, trade);
    addTo(fees, walletKey(walletPaying(instrument), instrument.spec.feeCurrency), fee);
    for (const { currency, amount } of exchangedBy(trade, instrument))
      addTo(traded, walletKey('spot', currency), amount);
  }
  return { traded, fees };
}
