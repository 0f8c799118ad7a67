import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll } from 'vitest';
import type { Recording } from '../../../../src/data/recording/contract.ts';
import type { Event } from '../../../../src/core/model/event.ts';

/** A folder of this test file, removed after it. */
export function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'godwit-formats-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Writes lines, gzipped when the name says so; answers the path. */
export function writeLines(folder: string, name: string, lines: readonly string[]): string {
  const path = join(folder, name);
  const text = Buffer.from(`${lines.join('\n')}\n`, 'utf8');
  writeFileSync(path, name.endsWith('.gz') ? gzipSync(text) : text);
  return path;
}

/** All events of a recording. */
export async function eventsOf(recording: Recording): Promise<readonly Event[]> {
  const all: Event[] = [];
  for await (const batch of recording.events()) all.push(...batch);
  return all;
}

/** Kinds of events in order, such as "bookSnapshot bookUpdate trades". */
export function kindsOf(events: readonly Event[]): string {
  return events.map(({ kind }) => kind).join(' ');
}

/** The levels of a book event as "b 0.10 x 5" in the order of their report. */
export function levelsOf(event: Event | undefined, recording: Recording): readonly string[] {
  if (event?.kind !== 'bookSnapshot' && event?.kind !== 'bookUpdate') return [];
  const instrument = recording.instruments.at(event.instrument);
  const received: string[] = [];
  for (let at = event.start; at < event.end; at += 3) {
    const price = instrument.priceText(
      (event.levels[at + 1] ?? 0) as Parameters<typeof instrument.priceText>[0],
    );
    const size = instrument.quantityText(
      (event.levels[at + 2] ?? 0) as Parameters<typeof instrument.quantityText>[0],
    );
    received.push(`${event.levels[at] === 0 ? 'b' : 'a'} ${price} x ${size}`);
  }
  return received;
}

/** The message of the error a promise ends in. */
export async function wordsOfFailure(promise: Promise<unknown>): Promise<string> {
  try {
    await promise;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
  return 'no error';
}
