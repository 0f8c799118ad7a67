import { existsSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { formatAmount } from '../../../../src/core/base/amount.ts';
import type { Recording } from '../../../../src/data/recording/contract.ts';
import type { Candle } from '../../../../src/core/model/market.ts';
import type { Event } from '../../../../src/core/model/event.ts';

const folder = fileURLToPath(new URL('../../../../../shared/data/', import.meta.url));

/** Whether the recorded data stands beside the repository; tests that need it are skipped otherwise. */
export const hasShared = existsSync(folder);
if (!hasShared) process.stderr.write(`tests on recorded data are skipped: there is no ${folder}\n`);

/** The path of a file of the recorded data. */
export function shared(name: string): string {
  return join(folder, name);
}

const scratch = mkdtempSync(join(tmpdir(), 'godwit-tables-'));

/** A path in a folder of this test run. */
export function scratchPath(name: string): string {
  return join(scratch, name);
}

/** Writes a file for one test and answers its path. */
export function written(name: string, content: string | Uint8Array): string {
  const path = scratchPath(name);
  writeFileSync(path, content);
  return path;
}

/** All events of a recording. */
export async function eventsOf(recording: Recording): Promise<Event[]> {
  const events: Event[] = [];
  for await (const batch of recording.events()) events.push(...batch);
  return events;
}

/** All candles of a recording, each with the time it was reported at. */
export async function candlesOf(recording: Recording): Promise<(Candle & { readonly noted: number })[]> {
  return (await eventsOf(recording)).flatMap((event) =>
    event.kind === 'candles' ? event.candles.map((candle) => ({ ...candle, noted: event.receiveTime })) : [],
  );
}

/** A candle as `time open high low close volume`, the time in ISO. */
export function candleLine({ time, open, max, min, close, volume }: Candle): string {
  return [isoOf(time), ...[open, max, min, close, volume].map(formatAmount)].join(' ');
}

export function isoOf(micros: number): string {
  return new Date(micros / 1_000).toISOString();
}

/** Levels out of the shared array, so that events can be compared. */
export function comparable(event: Event): unknown {
  if (event.kind !== 'bookSnapshot' && event.kind !== 'bookUpdate') return event;
  const { levels, start, end, ...rest } = event;
  return { ...rest, levels: [...levels.subarray(start, end)] };
}
