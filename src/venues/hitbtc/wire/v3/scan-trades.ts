import type { MarketTrade } from '../../../../core/model/market.ts';
import type { Side } from '../../../../core/model/order.ts';
import { microsOfMillis } from '../formats.ts';
import type { MarketSink } from '../market-sink.ts';
import { ascii, cursor, scanInteger, scanUnits, standsAt } from '../../../../core/base/scan-bytes.ts';
import type { SymbolTable } from '../../../../core/model/symbol-table.ts';

const updateHead = ascii('{"ch":"trades","update":{"');
const snapshotHead = ascii('{"ch":"trades","snapshot":{"');
const listHead = ascii('":[');
const rowHead = ascii('{"t":');
const idHead = ascii(',"i":');
const priceHead = ascii(',"p":"');
const quantityHead = ascii(',"q":"');
const sideHead = ascii(',"s":"');
const buyTail = ascii('buy"}');
const sellTail = ascii('sell"}');
const tail = ascii('}}');
/** Where `update` and `snapshot` differ. */
const kindAt = 16;

/** Reads a `trades` frame in the one form the service sends; false on anything else, without a call of the sink. */
export function scanV3Trades(bytes: Uint8Array, symbols: SymbolTable, sink: MarketSink): boolean {
  const snapshot = bytes[kindAt] === 0x73;
  const head = snapshot ? snapshotHead : updateHead;
  const last = bytes.length - tail.length;
  if (!standsAt(bytes, last, tail) || !standsAt(bytes, 0, head)) return false;
  const instrument = symbols.find(bytes, head.length);
  if (instrument === undefined || !standsAt(bytes, symbols.end, listHead)) return false;
  const trades: MarketTrade[] = [];
  let at = symbols.end + listHead.length;
  for (;;) {
    if (!standsAt(bytes, at, rowHead)) return false;
    const time = microsOfMillis(scanInteger(bytes, at + rowHead.length));
    if (!(time >= 0) || !standsAt(bytes, cursor.at, idHead)) return false;
    const id = scanInteger(bytes, cursor.at + idHead.length);
    if (id < 0 || !standsAt(bytes, cursor.at, priceHead)) return false;
    const priceUnits = scanUnits(bytes, cursor.at + priceHead.length, instrument.priceDecimals);
    const price = instrument.ticksOfUnits(priceUnits);
    if (!(price > 0) || !standsAt(bytes, cursor.at, quantityHead)) return false;
    const quantityUnits = scanUnits(bytes, cursor.at + quantityHead.length, instrument.quantityDecimals);
    const quantity = instrument.lotsOfUnits(quantityUnits);
    if (!(quantity > 0) || !standsAt(bytes, cursor.at, sideHead)) return false;
    const sideAt = cursor.at + sideHead.length;
    const side: Side = bytes[sideAt] === 0x62 ? 'buy' : 'sell';
    const sideTail = side === 'buy' ? buyTail : sellTail;
    if (!standsAt(bytes, sideAt, sideTail)) return false;
    trades.push({ tradeId: String(id), price, quantity, side, time });
    at = sideAt + sideTail.length;
    const next = bytes[at];
    at += 1;
    if (next === 0x5d) break;
    if (next !== 0x2c) return false;
  }
  if (at !== last) return false;
  sink.trades(instrument, snapshot, trades);
  return true;
}
