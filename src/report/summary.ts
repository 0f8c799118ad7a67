import type { Amount } from '../base/amount.ts';
import { add, zero } from '../base/amount.ts';
import type { Micros } from '../base/clock.ts';
import { microsPerSecond } from '../base/clock.ts';
import type { Event } from '../model/event.ts';
import type { InstrumentId, Instruments } from '../model/instrument.ts';
import type { BookView } from '../model/market.ts';
import type { ClientOrderId, Fill } from '../model/order.ts';
import { EquityCurve } from './equity-curve.ts';
import { FillLedger } from './fill-ledger.ts';
import type { Mark } from './marks.ts';
import { Marks } from './marks.ts';
import { OrderTally } from './order-tally.ts';

export interface SummarySetting {
  readonly instruments: Instruments;
  /** Live books to mark positions with, such as `StateView.book`; without them the last trade serves. */
  readonly book?: ((instrument: InstrumentId) => BookView | undefined) | undefined;
}

/** How much came past. */
export interface MessageCounts {
  readonly events: number;
  /** Book, trade, ticker and candle messages. */
  readonly market: number;
  /** Reports, refusals, balances and answers of the venue. */
  readonly account: number;
  readonly gaps: number;
}

/**
 * Folds the event stream of a run into what a report says, live or from a journal. Only orders that our own
 * controls accepted count; fills of other orders on the account are counted apart.
 */
export class Summary {
  readonly instruments: Instruments;
  readonly tally = new OrderTally();
  readonly #marks: Marks;
  readonly #ledgers = new Map<InstrumentId, FillLedger>();
  readonly #curves = new Map<string, EquityCurve>();
  #start: Micros | undefined;
  #time = 0 as Micros;
  #nextSample = Number.POSITIVE_INFINITY;
  #events = 0;
  #market = 0;
  #account = 0;
  #gaps = 0;
  #externalFills = 0;

  constructor(setting: SummarySetting) {
    this.instruments = setting.instruments;
    this.#marks = new Marks(setting.instruments, setting.book);
  }

  /** One event, after it was applied to the state whose books are used. */
  observe(event: Event): void {
    if (event.receiveTime >= this.#nextSample) this.#sampleAt(event.receiveTime);
    if (this.#start === undefined) this.#begin(event.receiveTime);
    this.#time = event.receiveTime;
    this.#events += 1;
    switch (event.kind) {
      case 'bookUpdate':
      case 'bookSnapshot':
      case 'ticker':
      case 'candles':
        this.#market += 1;
        return;
      case 'trades':
        this.#market += 1;
        this.#marks.observe(event);
        return;
      case 'bookStale':
        if (event.reason === 'gap') this.#gaps += 1;
        return;
      case 'orderReport':
        this.#account += 1;
        this.tally.observe(event);
        if (event.fill !== undefined) {
          const { clientOrderId, instrument } = event.order;
          if (!this.#fill(event.fill, clientOrderId, instrument)) this.#externalFills += 1;
        }
        return;
      case 'readAnswered':
        this.#account += 1;
        for (const fill of event.fills) this.#fill(fill, fill.clientOrderId, fill.instrument);
        this.tally.observe(event);
        return;
      case 'orderRejected':
      case 'cancelRejected':
      case 'balances':
      case 'commandSettled':
        this.#account += 1;
        this.tally.observe(event);
        return;
      default:
        this.tally.observe(event);
    }
  }

  /** Takes a last sample, so that the curve ends where the run did. */
  finish(): void {
    if (this.#start !== undefined) this.#sample(this.#time);
  }

  /** Wall time of the first and the latest event, or `undefined` before any. */
  get span(): { readonly start: Micros; readonly end: Micros } | undefined {
    return this.#start === undefined ? undefined : { start: this.#start, end: this.#time };
  }

  get messages(): MessageCounts {
    return { events: this.#events, market: this.#market, account: this.#account, gaps: this.#gaps };
  }

  /** Reported fills on the account that came from orders which are not ours. */
  get externalFills(): number {
    return this.#externalFills;
  }

  /** Instruments with fills of ours, in order of their first. */
  ledgers(): readonly FillLedger[] {
    return [...this.#ledgers.values()];
  }

  ledger(instrument: InstrumentId): FillLedger | undefined {
    return this.#ledgers.get(instrument);
  }

  mark(instrument: InstrumentId): Mark | undefined {
    return this.#marks.of(instrument);
  }

  /** Equity by quote currency, in order of the first fill. */
  curves(): ReadonlyMap<string, EquityCurve> {
    return this.#curves;
  }

  /** Profit now, marked to market, over all instruments quoted in `currency`. */
  profit(currency: string): Amount {
    let sum: Amount = zero;
    for (const ledger of this.#ledgers.values()) {
      if (ledger.instrument.spec.quoteCurrency !== currency) continue;
      const mark = this.#marks.of(ledger.instrument.id);
      if (mark !== undefined) sum = add(sum, ledger.equity(mark.price));
    }
    return sum;
  }

  #begin(time: Micros): void {
    this.#start = time;
    this.#nextSample = nextSecond(time);
  }

  /** The first event of a new second takes the sample of its beginning; silent seconds in between get none. */
  #sampleAt(time: Micros): void {
    this.#sample(this.#nextSample as Micros);
    this.#nextSample = nextSecond(time);
  }

  #sample(time: Micros): void {
    for (const [currency, curve] of this.#curves) curve.sample(time, this.profit(currency));
  }

  /** Books a fill of one of our orders; returns whether it was one. */
  #fill(fill: Fill, id: ClientOrderId, instrumentId: InstrumentId): boolean {
    const known = this.tally.fill(id);
    if (known === undefined) return false;
    const instrument = this.instruments.at(instrumentId);
    let ledger = this.#ledgers.get(instrumentId);
    if (ledger === undefined) {
      ledger = new FillLedger(instrument);
      this.#ledgers.set(instrumentId, ledger);
      const { quoteCurrency } = instrument.spec;
      if (!this.#curves.has(quoteCurrency)) this.#curves.set(quoteCurrency, new EquityCurve());
    }
    if (ledger.book(fill, known.side)) this.#marks.filled(instrumentId, instrument.priceAmount(fill.price));
    return true;
  }
}

function nextSecond(time: number): number {
  return (Math.floor(time / microsPerSecond) + 1) * microsPerSecond;
}
