import { formatAmount } from '../../core/base/amount.ts';
import type { Micros } from '../../core/base/clock.ts';
import type { Printing } from '../recording/index.ts';
import { printPrice, printQuantity } from '../recording/index.ts';
import type { Event } from '../../core/model/event.ts';
import type { Instrument, Instruments, Lots, Ticks } from '../../core/model/instrument.ts';
import { levelStride } from '../../core/model/level-buffer.ts';

/** One row of an export: a level, a trade, a side of a ticker, or a stale book. */
export interface ExportRow {
  readonly receiveTime: Micros;
  readonly exchangeTime: Micros;
  readonly symbol: string;
  readonly kind: 'snapshot' | 'update' | 'trade' | 'ticker' | 'stale';
  /** `bid`, `ask`, `buy`, `sell`; empty for a stale book. */
  readonly side: string;
  readonly price: string;
  readonly quantity: string;
  /** Sequence of a book, id of a trade, reason of a stale book. */
  readonly id: string;
}

/** The columns of a CSV, in order. */
export const exportColumns: readonly (keyof ExportRow)[] = [
  'receiveTime',
  'exchangeTime',
  'symbol',
  'kind',
  'side',
  'price',
  'quantity',
  'id',
];

/** The rows of one event, prices and quantities as the venue printed them. Events that are no market data have none. */
export function rowsOfEvent(
  event: Event,
  instruments: Instruments,
  printing: Printing,
): readonly ExportRow[] {
  if (!('instrument' in event) || typeof event.instrument !== 'number') return [];
  const instrument = instruments.at(event.instrument);
  const { receiveTime, exchangeTime } = event;
  const common = { receiveTime, exchangeTime, symbol: instrument.symbol };
  const words = new Printer(instrument, printing);
  switch (event.kind) {
    case 'bookSnapshot':
    case 'bookUpdate': {
      const rows: ExportRow[] = [];
      const kind = event.kind === 'bookSnapshot' ? 'snapshot' : 'update';
      for (let at = event.start; at < event.end; at += levelStride) {
        const side = event.levels[at] === 0 ? 'bid' : 'ask';
        const price = words.price(event.levels[at + 1] as Ticks);
        const quantity = words.quantity(event.levels[at + 2] as Lots);
        rows.push({ ...common, kind, side, price, quantity, id: String(event.sequence) });
      }
      return rows;
    }
    case 'trades':
      return event.trades.map((trade) => ({
        ...common,
        kind: 'trade',
        exchangeTime: trade.time,
        side: trade.side,
        price: words.price(trade.price),
        quantity: words.quantity(trade.quantity),
        id: trade.tradeId,
      }));
    case 'ticker': {
      const { bid, bidQuantity, ask, askQuantity, last } = event.ticker;
      const id = last === undefined ? '' : formatAmount(last);
      const kind = 'ticker';
      return [
        { ...common, kind, side: 'bid', price: words.price(bid), quantity: words.quantity(bidQuantity), id },
        { ...common, kind, side: 'ask', price: words.price(ask), quantity: words.quantity(askQuantity), id },
      ];
    }
    case 'bookStale':
      return [{ ...common, kind: 'stale', side: '', price: '', quantity: '', id: event.reason }];
    default:
      return [];
  }
}

class Printer {
  readonly #instrument: Instrument;
  readonly #printing: Printing;

  constructor(instrument: Instrument, printing: Printing) {
    this.#instrument = instrument;
    this.#printing = printing;
  }

  price(ticks: Ticks | undefined): string {
    return ticks === undefined ? '' : printPrice(this.#instrument, ticks, this.#printing);
  }

  quantity(lots: Lots | undefined): string {
    return lots === undefined ? '' : printQuantity(this.#instrument, lots, this.#printing);
  }
}
