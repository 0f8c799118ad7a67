import { existsSync } from 'node:fs';
import { basename } from 'node:path';
import { BadInput } from '../../core/base/errors.ts';
import { SystemClock } from '../../core/base/system-clock.ts';
import type { PackedFile } from '../../data/pack/index.ts';
import { packMagic, writePackFile } from '../../data/pack/index.ts';
import { headOf } from '../../data/recording/index.ts';
import type { Recording } from '../../data/recording/index.ts';
import { openData } from '../../data/open/market-data.ts';
import { PartialRecording } from '../../data/formats/index.ts';
import { GradeCollector } from '../../data/grade/grade.ts';
import type { Measures } from '../../data/grade/measures.ts';
import { keptMeasures } from '../../data/grade/measures.ts';
import type { Event } from '../../core/model/event.ts';
import { EventCounts, futureWords, summaryJson } from './recording-summary.ts';
import { exitCodes } from '../process/exit-codes.ts';
import { prepareOutput } from '../process/output-file.ts';
import type { Output } from '../process/output.ts';
import type { DataOptions } from './open-options.ts';
import { openOptionsOf } from './open-options.ts';

export interface ImportRequest {
  readonly files: readonly string[];
  readonly options: DataOptions;
  /** The pack to write; beside the working folder, named for the first file, when not given. */
  readonly out: string | undefined;
  /** Whether a pack of that name may be replaced. */
  readonly force: boolean;
  readonly json: boolean;
  readonly output: Output;
}

/**
 * Turns recorded data of any known format into an event pack and reports its content. Of data that are damaged somewhere,
 * what comes before is kept and marked, and the exit code says that not all could be read.
 */
export async function importData(request: ImportRequest): Promise<number> {
  const { files, options, output } = request;
  const out = request.out ?? packNameOf(files[0] ?? '');
  prepareOutput(files, out);
  if (existsSync(out)) await checkReplaced(out, request.force);
  const recording = new PartialRecording(await openData(files, { ...openOptionsOf(options), partial: true }));
  const counts = new EventCounts(recording);
  const written = await packRecording(recording, out, {
    watch: (batches) => atLeastOne(recording, counts, batches),
    measures: () => counts.measures(),
  });
  const summary = { pack: out, bytes: written.bytes, ...summaryJson(recording, counts) };
  if (request.json) {
    output.data(JSON.stringify(summary));
  } else {
    for (const line of counts.lines(recording)) output.data(line);
    output.data(`pack     ${out}, ${written.bytes} bytes`);
  }
  const future = futureWords(counts, new SystemClock().now());
  if (future !== undefined) output.progress(`data: ${future}`);
  return recording.isPartial ? exitCodes.failed : exitCodes.done;
}

type Batches = AsyncGenerator<readonly Event[], void, undefined>;

interface Passing {
  /** Sees the events of a recording pass. */
  readonly watch?: (batches: Batches) => Batches;
  /** Measures of all events, where `watch` takes them. */
  readonly measures?: () => Measures;
}

/**
 * Writes a recording as a pack, with what is known of it, what was measured for its grade, and what was found once it was read through.
 * Rejects with `BadInput` when the disk refuses.
 */
export async function packRecording(
  recording: Recording,
  out: string,
  { watch = (batches) => batches, measures }: Passing = {},
): Promise<PackedFile> {
  const { instruments, notes, grade, printing, orders } = recording;
  const collector = measures === undefined ? new GradeCollector(instruments) : undefined;
  return await writePackFile(out, watch(measured(recording.events(), collector)), {
    instruments: instruments.all.map(({ spec }) => spec),
    codec: 'zstd',
    notes,
    grade,
    printing,
    orders,
    closing: () => {
      const found = measures?.() ?? collector?.measures();
      return {
        findings: recording.findings,
        proof: recording.proof,
        measures: found && keptMeasures(found),
      };
    },
  });
}

async function* measured(batches: Batches, collector: GradeCollector | undefined): Batches {
  for await (const batch of batches) {
    if (collector !== undefined) for (const event of batch) collector.add(event);
    yield batch;
  }
}

/** Only a pack may be replaced, and only with `--force`: another file may be an original. */
async function checkReplaced(out: string, force: boolean): Promise<void> {
  if (!force)
    throw new BadInput(
      `${out}: expected no file of that name, found one; name another with --out or replace it with --force`,
    );
  const head = Buffer.from(await headOf(out, packMagic.length)).toString('latin1');
  if (head !== packMagic)
    throw new BadInput(
      `${out}: expected a pack to replace, found another file; name another with --out, or remove it first`,
    );
}

/** The events of the recording; throws `BadInput` at the end when there were none: an empty pack has no use. */
async function* atLeastOne(
  recording: Recording,
  counts: EventCounts,
  batches: Batches,
): AsyncGenerator<readonly Event[], void, undefined> {
  yield* counts.watch(batches);
  if (counts.events.size === 0)
    throw new BadInput(`${recording.paths.join(', ')}: expected market events, found none`);
}

/** `dir/a.ws.txt.gz` becomes `a.ws.pack` in the working folder. */
function packNameOf(path: string): string {
  const stem = basename(path).replace(
    /(\.(txt|csv|json|jsonl|ndjson|log|data|dbn|parquet|gz|zst|xz|zip))+$/i,
    '',
  );
  return `${stem}.pack`;
}
