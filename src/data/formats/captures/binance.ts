import { captureDecoder, isCaptureOf, readCaptureLines, tellLevels } from './lines.ts';
import type { VenueDecoder } from './lines.ts';
import type { Members } from '../../../core/base/members.ts';
import { isMembers } from '../../../core/base/members.ts';
import { integerOf, membersOf, millisOf, optionalText, parseJson, textOf } from '../fields.ts';
import { tapeFormat } from '../tape-recording.ts';
import type { Tape } from '../tape.ts';

/**
 * Binance spot, USD-M and COIN-M: depth, trades (single or aggregated), bookTicker, joined with REST depth replies
 * recorded beside them by the venue's rule: differences that end behind `lastUpdateId` are applied on top of it. `pu`
 * (futures) or `U` (spot) proves the sequence. Source: Binance, "How to manage a local order book correctly".
 */
export const binanceCapture = tapeFormat({
  name: 'binance-capture',
  looksLike:
    'text captures of wss://stream.binance.com, fstream or dstream and of the REST depth, given together',
  carries: 'books (joined with REST, sequence proved), trades, tickers',
  printing: 'fixed',
  joins: true,
  detects: (head) => isCaptureOf(head, /^[a-z0-9]+\.binance\.(com|us|vision)(:\d+)?$/),
  read: readCaptureLines,
  decoder: () => captureDecoder(decoder),
});

const decoder: VenueDecoder = {
  received: (body, tape) => {
    const message = parseJson(body);
    if (!isMembers(message)) return;
    const row = isMembers(message['data']) ? message['data'] : message;
    if (row['e'] === 'depthUpdate') readUpdate(row, tape);
    else if (row['e'] === 'trade' || row['e'] === 'aggTrade') readTrade(row, tape);
    else if (row['e'] === 'bookTicker' || (row['e'] === undefined && row['B'] !== undefined))
      readTop(row, tape);
  },
  reply: (body, tape, { url }) => {
    const symbol = /\/depth\?(?:.*&)?symbol=([A-Z0-9_]+)/.exec(url)?.[1];
    if (symbol !== undefined) readReply(membersOf(parseJson(body), 'the reply'), symbol, tape);
  },
};

function readUpdate(row: Members, tape: Tape): void {
  if (!tape.begin(textOf(row['s'], 'the symbol'))) return;
  tellLevels(row, 'b', 'a', tape);
  tape.update({
    time: millisOf(row['T'] ?? row['E'], 'the time of an update'),
    sequence: integerOf(row['u'], '"u"'),
    previous: row['pu'] === undefined ? integerOf(row['U'], '"U"') - 1 : integerOf(row['pu'], '"pu"'),
  });
}

function readReply(row: Members, symbol: string, tape: Tape): void {
  if (!tape.begin(symbol)) return;
  tellLevels(row, 'bids', 'asks', tape);
  tape.snapshot({
    time: row['T'] === undefined ? undefined : millisOf(row['T'], 'the time of a reply'),
    sequence: integerOf(row['lastUpdateId'], '"lastUpdateId"'),
  });
}

function readTrade(row: Members, tape: Tape): void {
  tape.trades(textOf(row['s'], 'the symbol'), false, [
    {
      id: textOf(row['t'] ?? row['a'], 'the id of a trade'),
      price: textOf(row['p'], 'the price of a trade'),
      quantity: textOf(row['q'], 'the quantity of a trade'),
      // `m`: the buyer was the maker.
      side: row['m'] === true ? 'sell' : 'buy',
      time: millisOf(row['T'], 'the time of a trade'),
    },
  ]);
}

function readTop(row: Members, tape: Tape): void {
  tape.ticker(textOf(row['s'], 'the symbol'), {
    time: row['T'] === undefined ? undefined : millisOf(row['T'], 'the time of a ticker'),
    bid: optionalText(row['b'], '"b"'),
    bidQuantity: optionalText(row['B'], '"B"'),
    ask: optionalText(row['a'], '"a"'),
    askQuantity: optionalText(row['A'], '"A"'),
  });
}
