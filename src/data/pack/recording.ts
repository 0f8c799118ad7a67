import { BadInput } from '../../core/base/errors.ts';
import type { Event } from '../../core/model/event.ts';
import { Instruments } from '../../core/model/instrument.ts';
import type { EventPack } from './event.ts';
import { openPack } from './event.ts';
import { EventPool } from './event-pool.ts';
import { mergeFiles, givenSpecs } from '../recording/index.ts';
import type { Recording, RecordingOptions } from '../recording/index.ts';

/** A batch of this size, its levels included, stays in the second-level cache through all stages. */
const batchMessages = 256;

/**
 * Packs as a recording; several must hold the same instruments and are merged by receive time. `options.instruments` count
 * instead of those of the packs; on the same grid, unless they hold bars alone.
 */
export function openPackRecording(
  paths: readonly string[],
  options: Pick<RecordingOptions, 'instruments'> = {},
): Recording {
  const packs = paths.map(headOfPack);
  const [first] = packs;
  if (first === undefined) throw new BadInput('expected the path of a pack, found none');
  const specs = JSON.stringify(first.header.instruments);
  const other = packs.findIndex((pack) => JSON.stringify(pack.header.instruments) !== specs);
  if (other > 0) {
    throw new BadInput(`${paths[other]}: expected the same instruments as in ${paths[0]}, found others`);
  }
  const given = givenSpecs(first.header.instruments, options.instruments, paths.join(', '));
  if (given.refusal !== undefined && !paths.every(holdsBarsAlone)) throw given.refusal;
  const instruments = new Instruments(given.specs);
  const known = packs.flatMap((pack) => pack.header.findings ?? []);
  const findings: string[] = [...known];
  return {
    format: 'event-pack',
    paths,
    instruments,
    grade: packs.some((pack) => pack.header.grade === 'B') ? 'B' : 'A',
    notes: [...new Set(packs.flatMap((pack) => pack.header.notes))],
    findings,
    counters: undefined,
    printing: first.header.printing,
    orders: packs.every((pack) => pack.hasOrders),
    proof: packs.length === 1 ? first.header.proof : undefined,
    measures: packs.length === 1 && options.instruments === undefined ? first.measures : undefined,
    frames: undefined,
    events: async function* (heard) {
      findings.length = 0;
      findings.push(...known);
      // A merge holds events of all its streams back, so there nothing is overwritten.
      const pool = heard === undefined || paths.length > 1 ? undefined : new EventPool(heard);
      const streams = paths.map((path) => readPack(path, findings, pool));
      yield* mergeFiles(streams, paths, instruments);
    },
  };
}

function* readPack(
  path: string,
  findings: string[],
  pool: EventPool | undefined,
): Generator<readonly Event[], void, undefined> {
  const pack = openPack(path);
  try {
    yield* pack.batches(batchMessages, pool);
    const ending = pack.ending;
    if (ending?.kind === 'torn') findings.push(`${path}: torn tail, ${ending.lostBytes} bytes lost`);
    // A pack gets its name when it is whole: one without its end was cut behind a block.
    if (ending?.kind === 'unfinished') findings.push(`${path}: torn tail, its end is missing`);
  } finally {
    pack.close();
  }
}

/** The head of a pack, and the measures in it where all is there that was measured. */
function headOfPack(path: string): Pick<EventPack, 'header' | 'hasOrders'> & { readonly measures: unknown } {
  const pack = openPack(path);
  try {
    const { header, hasOrders } = pack;
    return { header, hasOrders, measures: pack.isFinished ? header.measures : undefined };
  } finally {
    pack.close();
  }
}

function holdsBarsAlone(path: string): boolean {
  const pack = openPack(path);
  try {
    for (const events of pack.batches(batchMessages))
      if (events.some(({ kind }) => kind !== 'candles')) return false;
    return true;
  } finally {
    pack.close();
  }
}
