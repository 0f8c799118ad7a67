import type { Micros } from '../../../core/base/clock.ts';
import { BadInput } from '../../../core/base/errors.ts';
import type { Event } from '../../../core/model/event.ts';
import type { Instrument, Lots, Ticks } from '../../../core/model/instrument.ts';
import { LevelBuffer } from '../../../core/model/level-buffer.ts';
import { orderActions } from '../../../core/model/order-changes.ts';
import type { AnomalyCounts } from '../grade-anomaly.ts';
import { counted } from '../grade-anomaly.ts';
import { OrderLevels } from '../order-levels.ts';
import { OrderWriter } from '../order-writer.ts';

/** Prices are in ten-thousandths. */
export const lobsterPriceDecimals = 4;

/** One message. Types: 1 new, 2 cut, 3 deleted, 4 executed, 5 hidden execution, 6 cross trade, 7 halt. */
export interface LobsterRow {
  /** The line it stands in. */
  readonly number: number;
  /** Since midnight. */
  readonly micros: number;
  readonly type: number;
  readonly order: number;
  readonly size: number;
  readonly price: number;
  /** Side of the resting order. */
  readonly isBuy: boolean;
}

const shape = /^(\d{1,5}(?:\.\d{1,20})?),([1-7]),(\d{1,15}),(\d{1,12}),(-?\d{1,12}),(-?[01])$/;

/** Reads one line. Throws `BadInput` with file and line. */
export function readLobsterRow(line: Uint8Array, path: string, number: number): LobsterRow {
  const text = Buffer.from(line.buffer, line.byteOffset, line.byteLength).toString('latin1');
  const match = shape.exec(text);
  if (match === null) {
    throw new BadInput(
      `${path}:${number}: expected "seconds,type 1-7,order,size,price,1 or -1", found ${JSON.stringify(text.slice(0, 80))}`,
    );
  }
  const [, seconds = '', type = '', order = '', size = '', price = '', direction = ''] = match;
  const isHalt = type === '7';
  if (!isHalt && (Number(price) <= 0 || direction === '0')) {
    throw new BadInput(
      `${path}:${number}: expected a price above 0 and a direction of 1 or -1, found ${text}`,
    );
  }
  return {
    number,
    // Some rows carry the noise of binary fractions; rounding keeps their order.
    micros: Math.round(Number(seconds) * 1_000_000),
    type: Number(type),
    order: Number(order),
    size: Number(size),
    price: Number(price),
    isBuy: direction === '1',
  };
}

export interface LobsterBookOptions {
  readonly instrument: Instrument;
  readonly counts: AnomalyCounts;
  readonly path: string;
  readonly midnight: Micros;
  /** Orders and trades of the file are numbered from here on. */
  readonly firstOrder: number;
}

/**
 * Folds messages into levels and single orders: an empty book first, then one update a message that changes it. What
 * executed without a change of the book (hidden orders, and those older than the file) comes with its trade; of cross
 * trades nothing is known but the trade.
 */
export class LobsterBook {
  readonly #options: LobsterBookOptions;
  readonly #writer: OrderWriter;
  readonly #orders: OrderLevels;
  readonly #levelBuffer = new LevelBuffer();
  #events: Event[] = [];
  #sequence = 0;
  #trades = 0;
  #last = Number.NEGATIVE_INFINITY;

  constructor(options: LobsterBookOptions) {
    this.#options = options;
    this.#writer = new OrderWriter(options.firstOrder);
    this.#orders = new OrderLevels(this.#writer);
  }

  accept(row: LobsterRow): void {
    const { path, midnight } = this.#options;
    const { number } = row;
    const time = (midnight + row.micros) as Micros;
    if (time < this.#last) {
      throw new BadInput(
        `${path}:${number}: expected messages in the order of time, found one ${this.#last - time} us before the one above it`,
      );
    }
    this.#last = time;
    if (this.#sequence === 0) this.#publish('bookSnapshot', time);
    if (row.type === 7) return;
    const price = this.#ticks(row);
    if (row.type >= 4) this.#trade(row, price, time);
    if (this.#changeOrder(row, price)) this.#publish('bookUpdate', time);
  }

  takeEvents(): readonly Event[] {
    const events = this.#events;
    this.#events = [];
    return events;
  }

  /** Whether a message changed the book. Orders older than the file cannot be changed; they are counted. */
  #changeOrder(row: LobsterRow, price: Ticks): boolean {
    const { counts } = this.#options;
    switch (row.type) {
      case 1:
        if (this.#orders.add(row.order, row.isBuy ? 0 : 1, price, row.size) === 'known') {
          counts.add(
            'repeatedOrders',
            1,
            (count) => `${counted(count, 'order')} placed again under a known id`,
          );
        }
        return true;
      case 2:
        return this.#known(this.#orders.reduce(row.order, row.size), 'unknownCancels', 'partial cancel');
      case 3:
        return this.#known(this.#orders.remove(row.order), 'unknownDeletes', 'delete');
      case 4:
        this.#orders.executed(row.order, row.size);
        return this.#known(this.#orders.reduce(row.order, row.size), 'unknownExecutions', 'execution');
      default:
        return false;
    }
  }

  #known(
    answer: string,
    name: 'unknownCancels' | 'unknownDeletes' | 'unknownExecutions',
    noun: string,
  ): boolean {
    if (answer !== 'unknown') return true;
    this.#options.counts.add(name, 1, (count) => `${counted(count, noun)} of orders older than the file`);
    return false;
  }

  /** The taker stands against the resting order. */
  #trade(row: LobsterRow, price: Ticks, time: Micros): void {
    this.#trades += 1;
    const isUnseen = row.type === 5 || (row.type === 4 && !this.#orders.has(row.order));
    if (isUnseen) {
      this.#writer.write(row.type === 5 ? orderActions.hidden : orderActions.executes, {
        order: 0,
        side: row.isBuy ? 0 : 1,
        price,
        lots: row.size,
      });
    }
    this.#events.push({
      kind: 'trades',
      instrument: this.#options.instrument.id,
      snapshot: false,
      trades: [
        {
          tradeId: String(this.#options.firstOrder - 1 + this.#trades),
          price,
          quantity: row.size as Lots,
          side: row.isBuy ? 'sell' : 'buy',
          time,
        },
      ],
      exchangeTime: time,
      receiveTime: time,
      ...(isUnseen ? { orders: this.#writer.take() } : {}),
    });
  }

  #publish(kind: 'bookSnapshot' | 'bookUpdate', time: Micros): void {
    this.#sequence += 1;
    this.#levelBuffer.beginMessage();
    if (kind === 'bookUpdate') this.#orders.drain(this.#levelBuffer);
    this.#events.push({
      kind,
      instrument: this.#options.instrument.id,
      sequence: this.#sequence,
      levels: this.#levelBuffer.chunk,
      start: this.#levelBuffer.start,
      end: this.#levelBuffer.end,
      exchangeTime: time,
      receiveTime: time,
      orders: this.#writer.take(),
    });
  }

  #ticks(row: LobsterRow): Ticks {
    const { instrument, path } = this.#options;
    const unit = 10 ** (lobsterPriceDecimals - instrument.priceDecimals);
    const ticks = instrument.ticksOfUnits(row.price / unit);
    if (Number.isInteger(ticks)) return ticks;
    throw new BadInput(
      `${path}:${row.number}: expected a price on the tick ${instrument.spec.tickSize}, found ${row.price / 10_000}`,
    );
  }
}
