import type { Members } from '../../../core/base/members.ts';
import { isMembers } from '../../../core/base/members.ts';
import { listOf, membersOf, millisOf, parseJson, sideOf, textOf } from '../fields.ts';
import { decodedFormat } from '../decoded-recording.ts';
import type { MarketWriter, Decoder, WrittenTrade, SourceItem } from '../market-writer.ts';
import type { Micros } from '../../../core/base/clock.ts';
import { BadInput } from '../../../core/base/errors.ts';
import type { LocalTime } from '../../binance/index.ts';
import { readLocalTime } from '../../binance/index.ts';
import { itemsOfLines } from '../line-items.ts';

/**
 * Raw lines of Hyperliquid: every `l2Book` is the whole book of 20 levels a side, so nothing can be lost unseen between two
 * of them; there is no sequence number. Source: Hyperliquid, "WebSocket subscriptions: l2Book, trades".
 */
export const hyperliquidRaw = decodedFormat({
  name: 'hyperliquid-raw',
  looksLike: 'lines "<local time> {"channel":"l2Book",...}"',
  carries: 'books (20 levels, each whole), trades',
  printing: 'fixed',
  // A coin alone is its perpetual contract.
  pairOf: (symbol) => (symbol.includes('/') ? undefined : { base: symbol, quote: 'USDC' }),
  notes: ['the books of Hyperliquid are 20 levels a side, sent whole: nothing is known beyond'],
  detects: (head) => /^(\d{16}|\d{19}) \{"channel":"(l2Book|trades|subscriptionResponse)"/.test(head.line),
  read: readStampedLines,
  decoder: (): Decoder<StampedItem> => ({ accept }),
});

function accept({ body }: StampedItem, writer: MarketWriter): void {
  const message = parseJson(body);
  if (!isMembers(message)) return;
  if (message['channel'] === 'l2Book') readBook(membersOf(message['data'], '"data"'), writer);
  if (message['channel'] !== 'trades') return;
  for (const one of listOf(message['data'], '"data"')) {
    const row = membersOf(one, 'a trade');
    writer.trades(textOf(row['coin'], 'the coin'), false, [tradeOf(row)]);
  }
}

function readBook(row: Members, writer: MarketWriter): void {
  if (!writer.begin(textOf(row['coin'], 'the coin'))) return;
  for (const [side, levels] of listOf(row['levels'], '"levels"').entries()) {
    for (const one of listOf(levels, 'a side')) {
      const level = membersOf(one, 'a level');
      writer.level(side === 0 ? 0 : 1, textOf(level['px'], 'a price'), textOf(level['sz'], 'a size'));
    }
  }
  writer.snapshot({ time: millisOf(row['time'], 'the time of a book') });
}

function tradeOf(row: Members): WrittenTrade {
  return {
    id: textOf(row['tid'], 'the id of a trade'),
    price: textOf(row['px'], 'the price of a trade'),
    quantity: textOf(row['sz'], 'the size of a trade'),
    side: sideOf(row['side'], 'the side of a trade'),
    time: millisOf(row['time'], 'the time of a trade'),
  };
}

/** A line `<local time> <JSON>`; the time has 16 (microseconds) or 19 digits (nanoseconds). */
export interface StampedItem extends SourceItem {
  readonly path: string;
  readonly number: number;
  readonly receiveTime: Micros;
  readonly body: Uint8Array;
}

/** The lines of a raw stream file. Throws `BadInput` with file, line and expectation. */
export async function* readStampedLines(
  path: string,
): AsyncGenerator<readonly StampedItem[], void, undefined> {
  const time: LocalTime = { micros: 0, nanos: 0 };
  yield* itemsOfLines(path, (line, number) => {
    const from = readLocalTime(line, time);
    if (from === 0) {
      const found = JSON.stringify(Buffer.from(line.subarray(0, 60)).toString('utf8'));
      throw new BadInput(
        `${path}:${number}: expected a local time of 16 or 19 digits and a message, found ${found}`,
      );
    }
    const receiveTime = (time.micros + (time.nanos > 0 ? 1 : 0)) as Micros;
    return { path, number, receiveTime, body: line.subarray(from) };
  });
}
