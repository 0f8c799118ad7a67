import type { Micros } from '../base/clock.ts';
import { openRecording } from '../feed/recording.ts';
import type { Event } from '../model/event.ts';
import { exitCodes } from './exit-codes.ts';
import type { Output } from './output.ts';

/** Reads a recording through and tells what is in it. */
export async function inspectRecording(
  files: readonly string[],
  json: boolean,
  output: Output,
): Promise<number> {
  const recording = await openRecording(files);
  const counts = new Map<Event['kind'], number>();
  let from: Micros | undefined;
  let till: Micros | undefined;
  for await (const batch of recording.events()) {
    for (const event of batch) {
      counts.set(event.kind, (counts.get(event.kind) ?? 0) + 1);
      from ??= event.receiveTime;
      till = event.receiveTime;
    }
  }
  const told = {
    format: recording.format,
    grade: recording.grade,
    from: isoOf(from),
    till: isoOf(till),
    symbols: recording.instruments.all.map((instrument) => instrument.symbol),
    events: Object.fromEntries(counts),
    notes: recording.notes,
    findings: recording.findings,
  };
  if (json) {
    output.data(JSON.stringify(told));
    return exitCodes.done;
  }
  output.data(`format   ${told.format}, grade ${told.grade}`);
  output.data(`period   ${told.from ?? '-'} to ${told.till ?? '-'}`);
  output.data(`symbols  ${told.symbols.join(', ')}`);
  for (const [kind, count] of counts) output.data(`${kind.padEnd(16)} ${count}`);
  for (const note of [...told.notes, ...told.findings]) output.data(`note     ${note}`);
  return exitCodes.done;
}

function isoOf(time: Micros | undefined): string | undefined {
  return time === undefined ? undefined : new Date(time / 1_000).toISOString();
}
