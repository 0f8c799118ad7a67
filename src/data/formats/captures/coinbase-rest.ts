import type { Micros } from '../../../core/base/clock.ts';
import { isMembers } from '../../../core/base/members.ts';
import { integerOf, isoTimeOf, membersOf, misfit, parseJson, listRows, textOf } from '../fields.ts';
import { readWhole } from '../opened-file.ts';
import { decodedFormat } from '../decoded-recording.ts';
import type { MarketWriter, Decoder, SourceItem } from '../market-writer.ts';
import { writeLevels } from './lines.ts';

interface BookItem extends SourceItem {
  readonly document: unknown;
}

const bytesMax = 256 * 1024 * 1024;

/**
 * One REST book of Coinbase, level 2, as JSON with the time it was fetched: a single snapshot. Source: Coinbase Exchange,
 * "Get product book".
 */
export const coinbaseRest = decodedFormat({
  name: 'coinbase-rest-l2',
  looksLike: 'one JSON document {"product":"BTC-USD","level":2,"captured_at":...,"bids":[...],"asks":[...]}',
  carries: 'one book',
  printing: 'trimmed',
  detects: (head) => /^\{"product":"[^"]+","level":2,/.test(head.line),
  read: readDocument,
  decoder: (): Decoder<BookItem> => ({ accept }),
});

async function* readDocument(path: string): AsyncGenerator<readonly BookItem[], void, undefined> {
  const document = parseJson(await readWhole(path, bytesMax), `${path}:1: `);
  const stamp = isMembers(document) ? document['captured_at'] : undefined;
  const receiveTime = typeof stamp === 'string' ? isoTimeOf(stamp, 'the time of capture') : (0 as Micros);
  yield [{ path, number: 1, receiveTime, document }];
}

function accept({ document }: BookItem, writer: MarketWriter): void {
  const body = membersOf(document, 'the document');
  if (body['truncated'] === true) throw misfit('the book', 'whole ("truncated": false)', true);
  if (body['level'] !== undefined && body['level'] !== 2) throw misfit('"level"', levelTwo, body['level']);
  for (const name of ['bids', 'asks']) checkLevels(listRows(body[name], `"${name}"`));
  if (!writer.begin(textOf(body['product'], 'the product'))) return;
  writeLevels(body, 'bids', 'asks', writer);
  writer.snapshot({
    time: isoTimeOf(body['captured_at'], 'the time of capture'),
    sequence: integerOf(body['sequence'], '"sequence"'),
  });
}

const levelTwo = '2, a book of levels, each price once with its number of orders';

/** Books of level 3 have an order with its id in each row, and a price as often as orders stand there. */
function checkLevels(levels: readonly (readonly unknown[])[]): void {
  let last: unknown;
  for (const level of levels) {
    const [price, , orders] = level;
    const isOrder = orders !== undefined && !/^\d+$/.test(textOf(orders, 'the number of orders'));
    if (isOrder || price === last) throw misfit('the level of the book', levelTwo, level);
    last = price;
  }
}
