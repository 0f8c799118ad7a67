import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Micros } from '../../../../src/core/base/clock.ts';
import type { Event } from '../../../../src/core/model/event.ts';
import type { Channel, Direction, Frame } from '../../../../src/core/model/frame.ts';
import type { InstrumentSpec } from '../../../../src/core/model/instrument.ts';
import { Instruments } from '../../../../src/core/model/instrument.ts';

export function specOf(symbol: string, tickSize = '0.001', quantityIncrement = '0.01'): InstrumentSpec {
  return {
    symbol,
    type: 'spot',
    baseCurrency: symbol.slice(0, 3),
    quoteCurrency: symbol.slice(3),
    feeCurrency: symbol.slice(3),
    tickSize,
    quantityIncrement,
    takeRate: '0.0025',
    makeRate: '-0.0001',
    status: 'working',
    marginTrading: false,
  };
}

export const twoInstruments = new Instruments([specOf('ETHBTC'), specOf('EOSUSD')]);

export function frameOf(
  body: unknown,
  time: number,
  channel: Channel = 'v2/public',
  direction: Direction = 'in',
): Frame {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return { channel, direction, receiveTime: time as Micros, bytes: Buffer.from(text) };
}

type Levels = readonly (readonly [price: string, size: string])[];

/** A v2 book message. */
export function bookFrame(
  kind: 'snapshotOrderbook' | 'updateOrderbook',
  sequence: number,
  sides: { readonly bid?: Levels; readonly ask?: Levels; readonly symbol?: string },
): Frame {
  const rows = (levels: Levels = []) => levels.map(([price, size]) => ({ price, size }));
  const params = {
    ask: rows(sides.ask),
    bid: rows(sides.bid),
    symbol: sides.symbol ?? 'ETHBTC',
    sequence,
    timestamp: '2021-07-15T03:06:44.598Z',
  };
  return frameOf({ jsonrpc: '2.0', method: kind, params }, 1_626_318_404_700_000 + sequence);
}

/** A new empty folder of the operating system. */
export function newFolder(): string {
  return mkdtempSync(join(tmpdir(), 'godwit-feed-'));
}

/** All items of batches. */
export async function collect<Item>(
  batches: AsyncIterable<readonly Item[]> | Iterable<readonly Item[]>,
): Promise<Item[]> {
  const all: Item[] = [];
  for await (const batch of batches) for (const item of batch) all.push(item);
  return all;
}

/** An event with its levels as plain numbers, so that two can be compared. */
export function plain(event: Event): unknown {
  if (event.kind !== 'bookSnapshot' && event.kind !== 'bookUpdate') return event;
  const { levels, start, end, ...rest } = event;
  return { ...rest, levels: Array.from(levels.subarray(start, end)) };
}
