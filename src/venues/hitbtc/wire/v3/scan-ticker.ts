import type { Amount } from '../../../../core/base/amount.ts';
import { amountDecimals } from '../../../../core/base/amount.ts';
import type { Lots, Ticks } from '../../../../core/model/instrument.ts';
import { microsOfMillis } from '../formats.ts';
import type { MarketSink } from '../market-sink.ts';
import {
  ascii,
  cursor,
  lastFraction,
  scanInteger,
  scanUnits,
  scanWhole,
} from '../../../../core/base/scan-bytes.ts';
import { skipDecimal, standsAt } from '../../../../core/base/scan-bytes.ts';
import type { SymbolTable } from '../../../../core/model/symbol-table.ts';

const heads = ['1s', '3s'].map((speed) => ascii(`{"ch":"ticker/${speed}","data":{"`));
const timeHead = ascii('":{"t":');
const memberHeads = ['a', 'A', 'b', 'B', 'o', 'c', 'h', 'l', 'v', 'q', 'p', 'P'].map((name) =>
  ascii(`,"${name}":"`),
);
const lastIdHead = ascii(',"L":');
const tail = ascii('}}}');

/** 10^(24 - digits) by digits behind the point. */
const scales = Array.from({ length: 16 }, (_, digits) => 10n ** BigInt(amountDecimals - digits));
/** The six 24-hour values in wire order, reused between calls: open, close, high, low, base and quote volume. */
const values: Amount[] = [0n, 0n, 0n, 0n, 0n, 0n] as Amount[];

/** Reads a `ticker/*` frame of one symbol with every member in place; false on anything else, without a call of the sink. */
export function scanV3Ticker(bytes: Uint8Array, symbols: SymbolTable, sink: MarketSink): boolean {
  const head = bytes[14] === 0x31 ? heads[0] : heads[1];
  const last = bytes.length - tail.length;
  if (head === undefined || !standsAt(bytes, last, tail) || !standsAt(bytes, 0, head)) return false;
  const instrument = symbols.find(bytes, head.length);
  if (instrument === undefined || !standsAt(bytes, symbols.end, timeHead)) return false;
  const time = microsOfMillis(scanInteger(bytes, symbols.end + timeHead.length));
  if (!(time >= 0)) return false;
  const { priceDecimals, quantityDecimals } = instrument;
  const ask = instrument.ticksOfUnits(scanMember(bytes, 0, priceDecimals));
  if (!(ask > 0)) return false;
  const askQuantity = instrument.lotsOfUnits(scanMember(bytes, 1, quantityDecimals));
  if (!(askQuantity >= 0)) return false;
  const bid = instrument.ticksOfUnits(scanMember(bytes, 2, priceDecimals));
  if (!(bid > 0)) return false;
  const bidQuantity = instrument.lotsOfUnits(scanMember(bytes, 3, quantityDecimals));
  if (!(bidQuantity >= 0)) return false;
  if (!scanValues(bytes) || cursor.at !== last) return false;
  sink.ticker(instrument, {
    instrument: instrument.id,
    time,
    bid: bid as Ticks,
    bidQuantity: bidQuantity as Lots,
    ask: ask as Ticks,
    askQuantity: askQuantity as Lots,
    last: values[1],
    open: values[0],
    high: values[2],
    low: values[3],
    volume: values[4],
    volumeQuote: values[5],
  });
  return true;
}

/** The decimal of the member with this place in `memberHeads`, at the cursor, in units of 10^-decimals; or -1. */
function scanMember(bytes: Uint8Array, place: number, decimals: number): number {
  const head = memberHeads[place];
  if (head === undefined || !standsAt(bytes, cursor.at, head)) return -1;
  return scanUnits(bytes, cursor.at + head.length, decimals);
}

/** Reads o, c, h, l, v, q into `values` and steps over p, P and L. */
function scanValues(bytes: Uint8Array): boolean {
  for (let i = 0; i < 8; i++) {
    const head = memberHeads[i + 4];
    if (head === undefined || !standsAt(bytes, cursor.at, head)) return false;
    const at = cursor.at + head.length;
    if (i < 6) {
      const whole = scanWhole(bytes, at);
      const scale = scales[lastFraction.digits];
      if (whole < 0 || scale === undefined) return false;
      values[i] = (BigInt(whole) * scale) as Amount;
    } else if (!skipDecimal(bytes, at)) {
      return false;
    }
  }
  if (!standsAt(bytes, cursor.at, lastIdHead)) return false;
  return scanInteger(bytes, cursor.at + lastIdHead.length) >= 0;
}
