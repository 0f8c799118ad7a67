import type { Amount } from '../../../core/base/amount.ts';
import { add, lastDigit, subtract, zero } from '../../../core/base/amount.ts';
import {
  Holding,
  profitAt,
  unrealizedAt,
  externalStrategy,
  hasSameTerms,
} from '../../../core/ledger/index.ts';
import type { Position, CorrectionEntry, FillEntry, ChargeEntry } from '../../../core/ledger/index.ts';
import { executionKey } from '../../../core/model/difference.ts';
import type { OwnTrade, ReadAnswered, MarginAccountChanged, Event } from '../../../core/model/event.ts';
import type { Instrument, InstrumentId, Lots, Instruments } from '../../../core/model/instrument.ts';
import type { PositionAccount, MarginAccountView, Charge } from '../../../core/model/margin.ts';
import type { Fill, Side, ClientOrderId } from '../../../core/model/order.ts';
import { isLiquidation } from '../../../core/model/liquidation.ts';
import { EquityCurve } from './equity.ts';
import type { Micros } from '../../../core/base/clock.ts';
import type { ExactTrip } from '../../statistics/index.ts';
import type { BookedFill, BookedTrip } from './trade-book.ts';

/** What a session did with one instrument in one account, all strategies together, and how its fees came about. */
export class SessionHolding {
  readonly instrument: Instrument;
  readonly account: PositionAccount;
  /** Part of the fees that the venue paid us, in the fee currency, positive. */
  rebates: Amount = zero;
  /** What rounding of fees took, in the fee currency; negative where it gave. */
  feeRounding: Amount = zero;
  makerFills = 0;
  readonly #holding: Holding;
  /** The last digit of the finest fee so far; 0 before one was charged. */
  #feeUnit: Amount = zero;

  constructor(instrument: Instrument, account: PositionAccount = 'spot') {
    this.instrument = instrument;
    this.account = account;
    this.#holding = new Holding(instrument, account, '');
  }

  /** Signed lots. */
  get quantity(): number {
    return this.#holding.quantity;
  }

  /** As the ledger has it. */
  get position(): Position {
    return this.#holding.position();
  }

  /** `open`: the key of an execution that may be corrected until `confirm`. */
  book(fill: Fill, side: Side, open?: string): void {
    const { price, quantity, fee } = fill;
    this.#holding.book({ price, quantity, fee, side }, open);
    this.#count(fill);
  }

  /** An open execution is final. */
  confirm(key: string): void {
    this.#holding.confirm(key);
  }

  /** Books an execution as it is, `undefined` where it never was, in place of what was booked of it. */
  correct(booked: OwnTrade, holds: OwnTrade | undefined): void {
    this.#holding.correct(executionKey(booked), booked, holds);
    if (!booked.taker) this.makerFills -= 1;
    if (booked.fee < 0n) this.rebates = add(this.rebates, booked.fee);
    if (holds !== undefined) this.#count(holds);
  }

  #count(fill: Fill): void {
    if (!fill.taker) this.makerFills += 1;
    if (fill.fee < 0n) this.rebates = subtract(this.rebates, fill.fee);
    this.#round(fill);
  }

  /** Funding or interest was paid; a negative amount was received. */
  charge(amount: Amount): void {
    this.#holding.charge(amount);
  }

  /** A loss of its fills that the venue did not take. */
  forgive(amount: Amount): void {
    this.#holding.forgive(amount);
  }

  /** What closing the open position at `price` would gain, fees left out. */
  unrealized(price: Amount): Amount {
    return unrealizedAt(this.position, this.instrument, price);
  }

  /** Profit with the position at `price`: fees and charges counted, but fees in a third currency. */
  profit(price: Amount): Amount {
    return profitAt(this.position, this.instrument, price) ?? zero;
  }

  /** A fee that is off the rate of the symbol list by less than its last digit was rounded; further off is another rate. */
  #round({ price, quantity, fee, taker }: Fill): void {
    const { instrument } = this;
    if (fee !== zero && (this.#feeUnit === zero || fee % this.#feeUnit !== 0n))
      this.#feeUnit = lastDigit(fee);
    const rate = taker ? instrument.takeRate : instrument.makeRate;
    if (instrument.feesInThird) return;
    const away = subtract(fee, instrument.fee(price, quantity, rate));
    if (away < this.#feeUnit && -away < this.#feeUnit) this.feeRounding = add(this.feeRounding, away);
  }
}

/** As many as the ledger keeps open. */
const openMax = 10_000;

/** Sums over the accounts of one instrument. */
export interface HeldTotals {
  /** Signed lots. */
  readonly position: number;
  /** Signed, exact. */
  readonly held: Amount;
  readonly fills: number;
  readonly funding: Amount;
}

/** Where an execution is booked, and its key where it may be corrected. */
interface Booked {
  readonly holding: SessionHolding;
  readonly open: string | undefined;
}

/** Holdings of a session by instrument and account, and a timeline of equity for each currency they are quoted in. */
export class SessionHoldings {
  readonly #all: SessionHolding[] = [];
  readonly #byAccount: Readonly<Record<PositionAccount, (SessionHolding | undefined)[]>> = {
    spot: [],
    isolated: [],
    cross: [],
  };
  /** By quote currency, in order of the first holding. */
  readonly curves = new Map<string, EquityCurve>();

  /** Executions that no trade history has shown yet. */
  readonly #open = new Map<string, { readonly trade: OwnTrade; readonly holding: SessionHolding }>();

  /** Books an execution; one that no history has shown yet may be corrected, and has a key. */
  book({ trade, account, open }: FillEntry, instrument: Instrument): Booked {
    const holding = this.of(instrument, account);
    if (open !== true || this.#open.size >= openMax) {
      holding.book(trade, trade.side);
      return { holding, open: undefined };
    }
    const key = executionKey(trade);
    this.#open.set(key, { trade, holding });
    holding.book(trade, trade.side, key);
    return { holding, open: key };
  }

  /** Rows of the trade history make open executions of the same terms final. Returns their keys. */
  confirm({ what, fills: rows }: ReadAnswered): readonly string[] {
    if (this.#open.size === 0 || what.of !== 'tradeHistory') return [];
    const final: string[] = [];
    for (const row of rows) {
      const key = executionKey(row);
      const open = this.#open.get(key);
      if (open === undefined || !hasSameTerms(open.trade, row)) continue;
      this.#open.delete(key);
      open.holding.confirm(key);
      final.push(key);
    }
    return final;
  }

  /** Takes a correction. Returns how many lots more were executed; below 0 where it was fewer. */
  correct({ trade, holds, account }: CorrectionEntry): Lots {
    const key = executionKey(trade);
    const { holding } = this.#open.get(key) ?? { holding: this.find(trade.instrument, account) };
    this.#open.delete(key);
    holding?.correct(trade, holds);
    holding?.confirm(key);
    return ((holds?.quantity ?? 0) - trade.quantity) as Lots;
  }

  /** In order of their beginning. */
  all(): readonly SessionHolding[] {
    return this.#all;
  }

  find(instrument: InstrumentId, account: PositionAccount): SessionHolding | undefined {
    return this.#byAccount[account][instrument];
  }

  /** Signed lots of an instrument, over its accounts. */
  position(instrument: InstrumentId): number {
    let sum = 0;
    for (const holding of this.#all) if (holding.instrument.id === instrument) sum += holding.quantity;
    return sum;
  }

  held(instrument: InstrumentId): HeldTotals {
    let amount: Amount = zero;
    let fills = 0;
    let funding: Amount = zero;
    for (const holding of this.#all) {
      if (holding.instrument.id !== instrument) continue;
      const { held, fillCount, charges } = holding.position;
      amount = add(amount, held);
      fills += fillCount;
      funding = add(funding, charges);
    }
    return { position: this.position(instrument), held: amount, fills, funding };
  }

  /** Begun when first asked for. */
  of(instrument: Instrument, account: PositionAccount): SessionHolding {
    const holdings = this.#byAccount[account];
    const known = holdings[instrument.id];
    if (known !== undefined) return known;
    const holding = new SessionHolding(instrument, account);
    holdings[instrument.id] = holding;
    this.#all.push(holding);
    const { quoteCurrency } = instrument.spec;
    if (!this.curves.has(quoteCurrency)) this.curves.set(quoteCurrency, new EquityCurve());
    return holding;
  }
}

/** Whether what executed was of ours, or closed a position of ours that its margin no longer bore. */
export function isOwn({ strategy, trade }: Pick<FillEntry, 'strategy' | 'trade'>): boolean {
  return strategy !== externalStrategy || isLiquidation(trade.clientOrderId);
}

/** Something that happened to a margin account. */
export interface MarginIncident {
  readonly what: 'marginCall' | 'liquidation';
  readonly time: Micros;
  readonly product: MarginAccountChanged['product'];
  /** As the report showed it. */
  readonly account: MarginAccountView;
}

/** What was charged for positions of one instrument in one account. */
export interface ChargeSum {
  readonly kind: ChargeEntry['kind'];
  readonly instrument: InstrumentId;
  readonly account: PositionAccount;
  readonly count: number;
  /** In the currency of the margin; below zero it was received. */
  readonly amount: Amount;
}

const incidentsMax = 1_000;

/** What margin accounts of a run came to: margin calls and liquidations, funding and interest. */
export class MarginTally {
  /** The first thousand. */
  readonly incidents: MarginIncident[] = [];
  /** Whether a margin account was ever reported. */
  isSeen = false;
  calls = 0;
  liquidations = 0;
  readonly #sums = new Map<string, ChargeSum>();
  /** Accounts on which a margin call stands. */
  readonly #called = new Set<string>();

  /** In order of their first. */
  get charges(): readonly ChargeSum[] {
    return [...this.#sums.values()];
  }

  observe(event: MarginAccountChanged): void {
    this.isSeen = true;
    this.#watch(event);
  }

  /** The ledger booked funding or interest. */
  charged({ kind, instrument, account, amount }: ChargeEntry): void {
    const key = `${kind} ${instrument} ${account}`;
    const known = this.#sums.get(key) ?? { kind, instrument, account, count: 0, amount: zero };
    this.#sums.set(key, { ...known, count: known.count + 1, amount: add(known.amount, amount) });
  }

  #watch({ product, reason, account, exchangeTime: time }: MarginAccountChanged): void {
    const { mode, instrument, currency, called } = account;
    const name = `${product} ${mode} ${instrument ?? currency}`;
    if (reason === 'liquidated') {
      this.liquidations += 1;
      this.#note({ what: 'liquidation', time, product, account });
    }
    if (called && !this.#called.has(name)) {
      this.#called.add(name);
      this.calls += 1;
      this.#note({ what: 'marginCall', time, product, account });
    } else if (!called) this.#called.delete(name);
  }

  #note(incident: MarginIncident): void {
    if (this.incidents.length < incidentsMax) this.incidents.push(incident);
  }
}

/** A fill that was booked, with the holding that has taken it in. */
export interface RowFill extends BookedFill {
  readonly id: ClientOrderId;
  /** When the run heard of it. */
  readonly reported: number;
  readonly holding: SessionHolding;
}

/** Funding or interest of one holder of a position. */
export interface RowCharge {
  readonly kind: Charge['kind'];
  readonly instrument: Instrument;
  readonly account: PositionAccount;
  /** `undefined` where several hold the position and the venue names none. */
  readonly strategy: string | undefined;
  /** In quote currency; below 0 it was received. */
  readonly amount: Amount;
  readonly time: Micros;
}

/** A holding at a sample. */
export interface RowHolding {
  readonly holding: SessionHolding;
  /** `undefined` before a price was seen. */
  readonly price: Amount | undefined;
}

/** Takes what a run makes, row by row, as it goes on: an export. */
export interface RunRows {
  /** An event that is no market data, after it was folded. */
  observe(event: Event, instruments: Instruments): void;
  filled(fill: RowFill): void;
  charged(charge: RowCharge): void;
  closed(trip: BookedTrip, exact: ExactTrip, instrument: Instrument): void;
  /** `profits` by quote currency, of those traded so far. A second sample of one time takes the place of the first. */
  sampled(
    time: number,
    profits: readonly (readonly [currency: string, profit: Amount])[],
    holdings: readonly RowHolding[],
  ): void;
}
