import type { Micros } from '../../../core/base/clock.ts';
import { isMembers } from '../../../core/base/members.ts';
import { integerOf, membersOf, millisOf, parseJson, textOf } from '../fields.ts';
import { itemsOfLines } from '../line-items.ts';
import { quotedIn } from '../../../core/model/pair.ts';
import { decodedFormat } from '../decoded-recording.ts';
import type { MarketWriter, Decoder, SourceItem } from '../market-writer.ts';
import { writeLevels } from './lines.ts';

interface BybitItem extends SourceItem {
  readonly message: unknown;
}

/**
 * Bybit's public order book archive (`..._ob500.data.zip`): one JSON message a line. `u` counts by one, which proves the
 * sequence. These lines have no arrival: the venue's sending time `ts` stands in for the arrival, `cts` (matching engine)
 * is the exchange time. Source: Bybit API v5, "Orderbook".
 */
export const bybitOrderBook = decodedFormat({
  name: 'bybit-ob',
  looksLike: 'lines {"topic":"orderbook.500.SYMBOL",...}, mostly in a zip',
  carries: 'books (sequence proved)',
  printing: 'fixed',
  // Contracts in USDC name none: BTCPERP, BTC-29SEP23.
  pairOf: (symbol) => quotedIn(/USD[A-Z]\d{2}$/.test(symbol) ? 'USD' : 'USDC')(symbol),
  notes: ['the archive has no local times: arrivals are the sending times of the venue'],
  detects: (head) => head.line.startsWith('{"topic":"orderbook.'),
  read: readItems,
  decoder: (): Decoder<BybitItem> => ({ accept }),
});

function readItems(path: string): AsyncGenerator<readonly BybitItem[], void, undefined> {
  return itemsOfLines(path, (line, number) => itemOf(line, path, number));
}

function itemOf(line: Uint8Array, path: string, number: number): BybitItem {
  const message = parseJson(line, `${path}:${number}: `);
  const stamp = isMembers(message) ? message['ts'] : undefined;
  // What has no time fails in `accept`, which can say where.
  const receiveTime = (typeof stamp === 'number' ? stamp * 1_000 : 0) as Micros;
  return { path, number, receiveTime, message };
}

function accept({ message }: BybitItem, writer: MarketWriter): void {
  const body = membersOf(message, 'the line');
  const { topic } = body;
  // Recorders of the socket write other topics and answers to subscriptions between the books.
  if (typeof topic === 'string' ? !topic.startsWith('orderbook.') : body['op'] !== undefined) return;
  const row = membersOf(body['data'], '"data"');
  const sent = millisOf(body['ts'], '"ts"');
  if (!writer.begin(textOf(row['s'], 'the symbol'))) return;
  writeLevels(row, 'b', 'a', writer);
  const sequence = integerOf(row['u'], '"u"');
  const time = body['cts'] === undefined ? sent : millisOf(body['cts'], '"cts"');
  // The documents: an update numbered 1 is a whole book again, after a restart of the service.
  if (body['type'] === 'snapshot' || sequence === 1) writer.snapshot({ time, sequence });
  else writer.update({ time, sequence, previous: sequence - 1 });
}
