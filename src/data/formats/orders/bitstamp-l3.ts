import type { Micros } from '../../../core/base/clock.ts';
import { BadInput } from '../../../core/base/errors.ts';
import { BitstampOrders } from './bitstamp.ts';
import type { OpenOptions } from '../format.ts';
import { membersOf, parseJson } from '../fields.ts';
import { itemsOfLines } from '../line-items.ts';
import { tapeFormat } from '../tape-recording.ts';
import type { TapeDecoder, TapeItem } from '../tape.ts';

interface LogItem extends TapeItem {
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
export const bitstampLog = tapeFormat({
  name: 'bitstamp-l3',
  looksLike: 'lines "<13 digits> order_created|order_changed|order_deleted|trade|order_book {...}"',
  carries: 'orders as books (no sequence, no first book), trades',
  printing: 'fixed',
  notes: [
    'the log begins without a book: orders older than it are missing',
    'the log has only local times of milliseconds; sides of trades are inferred from the book',
  ],
  sniff: (head) => /^\d{13} (order_created|order_changed|order_deleted|trade|order_book) \{/.test(head.line),
  read: readLog,
  decoder: (options: OpenOptions): TapeDecoder<LogItem> => {
    const orders = new BitstampOrders(options.symbol ?? defaultSymbol);
    return {
      accept: ({ event, body, receiveTime }, tape) => {
        orders.accept(event, membersOf(parseJson(body), 'the event'), receiveTime, tape);
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
