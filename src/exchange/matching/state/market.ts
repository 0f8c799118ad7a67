import type { Amount } from '../../../core/base/amount.ts';
import { zero } from '../../../core/base/amount.ts';
import type { Instrument, InstrumentStatus, Ticks, Lots } from '../../../core/model/instrument.ts';
import type { Side } from '../../../core/model/order.ts';
import type { Fills } from './record.ts';
import type { FeeBox, MarginAccount } from '../accounts/index.ts';
import { Terms } from '../accounts/index.ts';
import type { OrderPool } from '../book/index.ts';
import { OrderBook, priceOf } from '../book/index.ts';
import { Triggers } from './live.ts';
import type { OutcomeBuffer } from './outcome.ts';

/** One instrument inside the exchange: book, suspended orders, last price, status. */
export class ExchangeMarket {
  readonly instrument: Instrument;
  readonly book: OrderBook;
  readonly triggers: Triggers;
  readonly fills: Fills;
  status: InstrumentStatus;
  /** Price of the last trade. */
  last: Ticks | undefined = undefined;
  /** The price positions are valued at instead of the last one, where there is such a price. */
  mark: Ticks | undefined = undefined;
  /** Margin accounts with a position here. */
  readonly exposed = new Set<MarginAccount>();
  /** Where its fees go that are counted in units. */
  fees: FeeBox | undefined = undefined;
  readonly #terms: Terms;

  constructor(
    instrument: Instrument,
    pool: OrderPool,
    windowTicks: number,
    openFills: (market: ExchangeMarket) => Fills,
  ) {
    this.instrument = instrument;
    this.book = new OrderBook(pool, windowTicks);
    this.triggers = new Triggers(pool);
    this.status = instrument.spec.status;
    this.#terms = new Terms(instrument, zero, zero);
    this.fills = openFills(this);
  }

  terms(takeMarkup: Amount, makeMarkup: Amount): Terms {
    if (takeMarkup <= zero && makeMarkup <= zero) return this.#terms;
    return new Terms(this.instrument, takeMarkup, makeMarkup, this.#terms);
  }
}

interface Note {
  market: ExchangeMarket;
  side: Side;
  key: number;
  before: number;
}

/** Remembers the totals of the levels that a command touches, so that each is reported once, if it changed. */
export class LevelNotes {
  /** Used again by every command: emptying an array would give its memory back. */
  readonly #notes: Note[] = [];
  #count = 0;
  readonly #isOn: boolean;

  /** Levels are reported only when `isOn`. */
  constructor(isOn: boolean) {
    this.#isOn = isOn;
  }

  /** To be called before a level changes. */
  noteLevel(market: ExchangeMarket, side: Side, key: number): void {
    if (!this.#isOn) return;
    const count = this.#count;
    if (count > 0) {
      const last = this.#notes[count - 1] as Note;
      if (last.key === key && last.side === side && last.market === market) return;
    }
    const before = totalAt(market, side, key);
    const note = this.#notes[count];
    this.#count = count + 1;
    if (note === undefined) {
      this.#notes.push({ market, side, key, before });
      return;
    }
    note.market = market;
    note.side = side;
    note.key = key;
    note.before = before;
  }

  /** Appends one outcome per level whose total differs from before, in the order of first touch. */
  flush(outcomes: OutcomeBuffer): void {
    const count = this.#count;
    if (count === 0) return;
    const seen = count > 16 ? new Set<string>() : undefined;
    for (let index = 0; index < count; index++) {
      const { market, side, key, before } = this.#notes[index] as Note;
      if (seen === undefined ? this.#isRepeated(index) : isIn(seen, market, side, key)) continue;
      const quantity = totalAt(market, side, key);
      if (quantity === before) continue;
      const instrument = market.instrument.id;
      outcomes.push({ kind: 'level', instrument, side, price: priceOf(side, key), quantity });
    }
    this.#count = 0;
  }

  #isRepeated(index: number): boolean {
    const { market, side, key } = this.#notes[index] as Note;
    for (let i = 0; i < index; i++) {
      const note = this.#notes[i] as Note;
      if (note.key === key && note.side === side && note.market === market) return true;
    }
    return false;
  }
}

function totalAt(market: ExchangeMarket, side: Side, key: number): Lots {
  return market.book.queue(side).levels.totalAt(key) as Lots;
}

/** Whether the level is in the set; it is afterwards. */
function isIn(seen: Set<string>, market: ExchangeMarket, side: Side, key: number): boolean {
  const name = `${market.instrument.id} ${side} ${key}`;
  if (seen.has(name)) return true;
  seen.add(name);
  return false;
}
