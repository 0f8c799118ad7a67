import { existsSync, readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import type { InstrumentSpec } from '../../../../src/core/model/instrument.ts';
import { Instruments } from '../../../../src/core/model/instrument.ts';
import { decodeV2Symbols, decodeV3Symbols } from '../../../../src/venues/hitbtc/wire/resources/symbol.ts';

// Recordings of sockets beside the repository; tests that need them are skipped when they are not there.

const folder = new URL('../../../../../shared/data/hitbtc/', import.meta.url);

/** Whether the recordings are there; says so once when they are not. */
export const recorded = existsSync(folder);
if (!recorded) process.stderr.write('recordings are absent: tests against them are skipped\n');

/** The lines of a recording. */
export function linesOf(name: string): readonly string[] {
  return gunzipSync(readFileSync(new URL(name, folder)))
    .toString()
    .split('\n')
    .filter((line) => line !== '');
}

/** The frames a recording received. */
export function framesOf(name: string): readonly Buffer[] {
  return linesOf(name)
    .map((line) => /^\d+\.\d+: (.*)$/.exec(line)?.[1])
    .filter((text) => text !== undefined)
    .map((text) => Buffer.from(text));
}

/** The instruments of a recorded symbol list, for version 2 or 3. */
export function instrumentsOf(name: string, version: 2 | 3): Instruments {
  const line = linesOf(name).find((one) => one.startsWith('https://'));
  const json: unknown = JSON.parse(line?.replace(/^.*? -> [\d.]+: /, '') ?? '');
  const specs: readonly InstrumentSpec[] = version === 3 ? decodeV3Symbols(json) : decodeV2Symbols(json);
  return new Instruments(specs);
}
