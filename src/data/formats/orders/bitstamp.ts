import type { Micros } from '../../../core/base/clock.ts';
import { printDecimal, scanDecimal } from '../../../core/base/scan.ts';
import { LevelBuffer, levelStride } from '../../../core/model/level-buffer.ts';
import { Book } from '../../../core/book/book.ts';
import type { InstrumentId } from '../../../core/model/instrument.ts';
import type { Members } from '../../../core/base/members.ts';
import { integerOf, misfit, listRows, textOf, membersOf, parseJson } from '../fields.ts';
import type { BookSide } from '../order-levels.ts';
import { OrderLevels } from '../order-levels.ts';
import type { MarketWriter, Decoder, SourceItem } from '../market-writer.ts';
import { BadInput } from '../../../core/base/errors.ts';
import type { OpenOptions } from '../format.ts';
import { itemsOfLines } from '../line-items.ts';
import { decodedFormat } from '../decoded-recording.ts';

/** Decimals of prices and amounts of the venue at most. */
const priceDecimals = 5;
const amountDecimals = 8;

/** Folds Bitstamp's order events into book messages, and counts what a sound log would not hold. */
export class BitstampOrders {
  readonly #symbol: string;
  readonly #orders = new OrderLevels();
  readonly #buffer = new LevelBuffer();
  /** Book that the orders come to, to see crossed instants and the sides of trades. */
  readonly #book = new Book(0 as InstrumentId);
  readonly #deleted = new Set<number>();
  /** Orders whose last word came after their delete. */
  readonly #ghosts = new Map<number, ReportedOrder>();
  #lastTrade = 0;
  #lastSide: 'buy' | 'sell' = 'buy';
  #lastPrice = 0;
  #isBegun = false;

  constructor(symbol: string) {
    this.#symbol = symbol;
  }

  accept(event: string, row: Members, now: Micros, writer: MarketWriter): void {
    switch (event) {
      case 'order_created':
      case 'order_changed':
      case 'order_deleted':
        this.#order(event, row, writer);
        this.#emit(now, writer);
        break;
      case 'trade':
        this.#trade(row, now, writer);
        break;
      case 'order_book':
        this.#compare(row, writer);
        break;
      default:
        writer.anomaly(`events "${event.slice(0, 30)}" passed over`);
    }
  }

  #order(event: string, row: Members, writer: MarketWriter): void {
    const id = integerOf(row['id'], 'the id of an order');
    const price = unitsOf(row['price'], priceDecimals, 'a price');
    const amount = unitsOf(row['amount'], amountDecimals, 'an amount');
    const side = row['order_type'] === 0 ? 0 : 1;
    if (event === 'order_created') {
      // Ids are never used twice: the delete overtook the creation.
      if (this.#deleted.has(id)) writer.anomaly('re-created ids of orders left out');
      else if (this.#orders.add(id, side, price, amount) === 'known')
        writer.anomaly('ids of orders created twice');
      return;
    }
    if (event === 'order_changed') this.#change(id, { side, price, amount }, writer);
    else this.#delete(id, writer);
  }

  /** An order older than the log shows itself by its change; one that was deleted already does not come back. */
  #change(id: number, { side, price, amount }: ReportedOrder, writer: MarketWriter): void {
    const outcome = this.#orders.changeOrder(id, price, amount);
    if (outcome === 'moved') writer.anomaly('prices of orders changed in place');
    if (outcome !== 'unknown') return;
    if (this.#deleted.has(id)) {
      writer.anomaly('changes of deleted orders left out');
      this.#ghosts.set(id, { side, price, amount });
      return;
    }
    writer.anomaly('changes of orders created before the log');
    this.#orders.add(id, side, price, amount);
  }

  #delete(id: number, writer: MarketWriter): void {
    if (this.#orders.remove(id) === 'unknown') {
      writer.anomaly('deletes of orders that do not rest');
      if (this.#deleted.has(id)) writer.anomaly('of them repeated deletes');
    }
    this.#ghosts.delete(id);
    this.#deleted.add(id);
  }

  #emit(now: Micros, writer: MarketWriter): void {
    const buffer = this.#buffer;
    buffer.beginMessage();
    this.#orders.drain(buffer);
    const { chunk, start, end } = buffer;
    const kind = this.#isBegun ? 'bookUpdate' : 'bookSnapshot';
    const sequence = this.#book.sequence + 1;
    const times = { exchangeTime: now, receiveTime: now };
    this.#book.apply({
      kind,
      instrument: this.#book.instrument,
      sequence,
      levels: chunk,
      start,
      end,
      ...times,
    });
    this.#isBegun = true;
    if (start === end || !writer.begin(this.#symbol)) return;
    for (let at = start; at < end; at += levelStride) {
      const price = printDecimal(chunk[at + 1] as number, priceDecimals);
      writer.level(chunk[at] === 0 ? 0 : 1, price, printDecimal(chunk[at + 2] as number, amountDecimals));
    }
    if (kind === 'bookSnapshot') writer.snapshot({ time: undefined });
    else writer.update({ time: undefined });
  }

  #trade(row: Members, now: Micros, writer: MarketWriter): void {
    const id = integerOf(row['id'], 'the id of a trade');
    if (id <= this.#lastTrade) writer.anomaly('ids of trades that do not increase');
    else if (this.#lastTrade > 0 && id !== this.#lastTrade + 1) writer.anomaly('gaps between ids of trades');
    this.#lastTrade = id;
    const price = unitsOf(row['price'], priceDecimals, 'a price');
    const amount = unitsOf(row['amount'], amountDecimals, 'an amount');
    writer.trades(this.#symbol, false, [
      {
        id: String(id),
        price: printDecimal(price, priceDecimals),
        quantity: printDecimal(amount, amountDecimals),
        side: this.#sideOf(price),
        time: now,
      },
    ]);
  }

  /** Above the middle of the book a trade was bought, below it sold; in the middle the last move decides. */
  #sideOf(price: number): 'buy' | 'sell' {
    const { bestBid, bestAsk } = this.#book;
    const middle = bestBid === undefined || bestAsk === undefined ? this.#lastPrice : (bestBid + bestAsk) / 2;
    const base = price === middle ? this.#lastPrice : middle;
    if (price !== base) this.#lastSide = price > base ? 'buy' : 'sell';
    this.#lastPrice = price;
    return this.#lastSide;
  }

  #isHaunted(): boolean {
    const { bestBid = 0, bestAsk = Number.POSITIVE_INFINITY } = this.#book;
    for (const { side, price } of this.#ghosts.values()) {
      if (side === 0 ? price >= bestAsk : price <= bestBid) return true;
    }
    return false;
  }

  /** Compares the best levels with those the venue sent, and sees whether ours are crossed. */
  #compare(row: Members, writer: MarketWriter): void {
    if (this.#book.crossed) writer.anomaly('books of the venue at which ours is crossed');
    if (this.#isHaunted()) writer.anomaly('books of the venue that a left-out change would have crossed');
    for (const [name, side] of [
      ['bids', 'buy'],
      ['asks', 'sell'],
    ] as const) {
      const [sent] = listRows(row[name], `"${name}"`);
      if (sent === undefined) continue;
      const [best] = this.#book.levels(side, 1);
      const isSame =
        best?.price === unitsOf(sent[0], priceDecimals, 'a price') &&
        best.quantity === unitsOf(sent[1], amountDecimals, 'an amount');
      if (!isSame) writer.anomaly('best levels other than those of the venue');
    }
  }
}

interface ReportedOrder {
  readonly side: BookSide;
  readonly price: number;
  readonly amount: number;
}

/** Old logs print doubles: "1.7885566900000001" is 1.78855669. */
function unitsOf(value: unknown, decimals: number, what: string): number {
  const text = typeof value === 'number' ? value.toFixed(decimals) : textOf(value, what);
  const units = scanDecimal(text, decimals);
  if (Number.isNaN(units)) throw misfit(what, `a decimal with at most ${decimals} digits`, value);
  return units;
}

interface LogItem extends SourceItem {
  readonly event: string;
  readonly body: Uint8Array;
}

const line = /^(\d{13}) ([a-z_]+) (?=\{)/;

/** The venue had one market when such logs were made. */
const defaultSymbol = 'BTCUSD';

/**
 * Logs of Bitstamp's live orders: `<local ms> <event> <JSON>` with single orders, trades and the venue's twenty best levels.
 * Orders are aggregated into levels. The log names no symbol (`--symbol`, else BTCUSD), has no exchange time that can be
 * trusted, and begins without a book. Source: Bitstamp (Pusher), "Live orders", "Live ticker", "Live order book".
 */
export const bitstampLog = decodedFormat({
  name: 'bitstamp-l3',
  looksLike: 'lines "<13 digits> order_created|order_changed|order_deleted|trade|order_book {...}"',
  carries: 'orders as books (no sequence, no first book), trades',
  printing: 'fixed',
  notes: [
    'the log begins without a book: orders older than it are missing',
    'the log has only local times of milliseconds; sides of trades are inferred from the book',
  ],
  detects: (head) =>
    /^\d{13} (order_created|order_changed|order_deleted|trade|order_book) \{/.test(head.line),
  read: readLog,
  decoder: (options: OpenOptions): Decoder<LogItem> => {
    const orders = new BitstampOrders(options.symbol ?? defaultSymbol);
    return {
      accept: ({ event, body, receiveTime }, writer) => {
        orders.accept(event, membersOf(parseJson(body), 'the event'), receiveTime, writer);
      },
    };
  },
});

function readLog(path: string): AsyncGenerator<readonly LogItem[], void, undefined> {
  return itemsOfLines(path, (bytes, number) => {
    const start = Buffer.from(bytes.subarray(0, 60)).toString('latin1');
    const match = line.exec(start);
    if (match === null) {
      throw new BadInput(
        `${path}:${number}: expected "<local ms> <event> <JSON>", found ${JSON.stringify(start)}`,
      );
    }
    return {
      path,
      number,
      receiveTime: (Number(match[1]) * 1_000) as Micros,
      event: match[2] ?? '',
      body: bytes.subarray(match[0].length),
    };
  });
}
