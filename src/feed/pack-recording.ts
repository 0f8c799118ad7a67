import { BadInput } from '../base/errors.ts';
import type { Event } from '../model/event.ts';
import type { EventPack } from './event-pack.ts';
import { openPack } from './event-pack.ts';
import { mergeEvents } from './merge.ts';
import type { Recording } from './recording-contract.ts';

/** Packs as a recording; several must hold the same instruments and are merged by receive time. */
export function openPackRecording(paths: readonly string[]): Recording {
  const packs = paths.map(headOfPack);
  const [first] = packs;
  if (first === undefined) throw new BadInput('expected the path of a pack, found none');
  const specs = JSON.stringify(first.header.instruments);
  const other = packs.findIndex((pack) => JSON.stringify(pack.header.instruments) !== specs);
  if (other > 0) {
    throw new BadInput(`${paths[other]}: expected the same instruments as in ${paths[0]}, found others`);
  }
  const findings: string[] = [];
  return {
    format: 'event-pack',
    paths,
    instruments: first.instruments,
    grade: packs.some((pack) => pack.header.grade === 'B') ? 'B' : 'A',
    notes: packs.flatMap((pack) => pack.header.notes),
    findings,
    counters: undefined,
    frames: undefined,
    events: async function* () {
      findings.length = 0;
      const streams = paths.map((path) => readPack(path, findings));
      const [only] = streams;
      if (only !== undefined && streams.length === 1) yield* only;
      else yield* mergeEvents(streams, 'receiveTime');
    },
  };
}

function* readPack(path: string, findings: string[]): Generator<readonly Event[], void, undefined> {
  const pack = openPack(path);
  try {
    yield* pack.batches();
    const ending = pack.ending;
    if (ending?.kind === 'torn') findings.push(`${path}: torn tail, ${ending.lostBytes} bytes lost`);
    if (ending?.kind === 'unfinished') findings.push(`${path}: not ended properly, nothing lost inside`);
  } finally {
    pack.close();
  }
}

/** A pack opened for its head alone. */
function headOfPack(path: string): EventPack {
  const pack = openPack(path);
  pack.close();
  return pack;
}
