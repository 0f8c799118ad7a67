import { fileURLToPath } from 'node:url';
import { foldBookStates } from '../../src/data/recording/book-states.ts';
import type { Recording } from '../../src/data/recording/contract.ts';
import { openData } from '../../src/data/open/market-data.ts';
import type { Event } from '../../src/core/model/event.ts';

/** The folder of recorded data beside the repository. */
export const data = fileURLToPath(new URL('../../../shared/data/', import.meta.url));

/** Opens files of that folder as one recording. */
export async function openRecorded(names: readonly string[]): Promise<Recording> {
  return await openData(names.map((name) => data + name));
}

/** The books files of that folder end in, as `data books` tells them. */
export async function statesOf(names: readonly string[]): Promise<Readonly<Record<string, unknown>>> {
  const recording = await openRecorded(names);
  return (await foldBookStates(recording.instruments, recording.events(), recording.printing)).toJSON();
}

/** Throws an error that names the place and both values unless they are equal as JSON. */
export function checkEqual(what: string, found: unknown, expected: unknown): void {
  const [a, b] = [JSON.stringify(found), JSON.stringify(expected)];
  if (a !== b) throw new Error(`${what}: expected ${b}, found ${a}`);
}

/** Messages of a recording by kind; trades and candles one by one. */
export interface Counts {
  readonly l2_book: number;
  readonly ticker: number;
  readonly trades: number;
  readonly candles: number;
  /** Trades that were no history. */
  readonly live: number;
}

/** Reads a recording through and counts. */
export async function countsOf(recording: Recording): Promise<Counts> {
  const counts = { l2_book: 0, ticker: 0, trades: 0, candles: 0, live: 0 };
  for await (const batch of recording.events()) for (const event of batch) count(event, counts);
  return counts;
}

function count(event: Event, counts: { -readonly [Name in keyof Counts]: number }): void {
  if (event.kind === 'bookSnapshot' || event.kind === 'bookUpdate') counts.l2_book += 1;
  if (event.kind === 'ticker') counts.ticker += 1;
  if (event.kind === 'candles') counts.candles += event.candles.length;
  if (event.kind !== 'trades') return;
  counts.trades += event.trades.length;
  if (!event.snapshot) counts.live += event.trades.length;
}
