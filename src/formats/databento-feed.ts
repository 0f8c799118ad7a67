import type { Instrument, Ticks } from '../model/instrument.ts';
import type { Side } from '../model/order.ts';
import { OrderLevels } from './order-levels.ts';
import { OrderTape } from './order-tape.ts';

/** What is known of one instrument of a DBN file while it is read. */
export interface Feed {
  readonly instrument: Instrument;
  readonly orders: OrderLevels;
  readonly tape: OrderTape;
  sequence: number;
  trades: number;
  lastTrade: Ticks | undefined;
  lastSide: Side;
  /** Whether orders changed since the last event of the book. */
  isTouched: boolean;
  /** Whether the next event of the book tells all of it: at the start and after a clear. */
  isWhole: boolean;
  /** Whether the records that rebuild a book are still coming. */
  isRebuilding: boolean;
  exchangeTime: number;
  receiveTime: number;
}

/** A feed of which nothing was told yet; its orders are numbered from `firstOrder` on. */
export function newFeed(instrument: Instrument, firstOrder: number): Feed {
  const tape = new OrderTape(firstOrder);
  return {
    instrument,
    orders: new OrderLevels(tape),
    tape,
    sequence: 0,
    trades: 0,
    lastTrade: undefined,
    lastSide: 'buy',
    isTouched: false,
    isWhole: true,
    isRebuilding: false,
    exchangeTime: 0,
    receiveTime: 0,
  };
}
