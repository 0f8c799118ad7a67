import type { Event } from '../../core/model/event.ts';
import type { Frame } from '../../core/model/frame.ts';
import type { InstrumentSpec } from '../../core/model/instrument.ts';
import { isSameStep, onCommonGrid } from '../../core/model/joint-grid.ts';
import { Instruments } from '../../core/model/instrument.ts';
import type { Ending, Recording, RecordingOptions } from '../recording/index.ts';
import { FileSeams } from '../recording/index.ts';
import { FrameReplay, findingsOf } from './replay.ts';
import { readFrameLog, readFrameLogHeader, segmentsOf } from './log.ts';
import type { FrameCounters, FrameFormat } from '../../core/model/frame-format.ts';
import { frameFormatOf } from './formats.ts';

/** Frame logs as a recording: files and folders in the given order, segments of a folder by name. */
export function openFrameLogRecording(paths: readonly string[], options: RecordingOptions): Recording {
  const segments = paths.flatMap((path) => segmentsOf(path));
  const specs = new Map<string, InstrumentSpec>();
  const channels = new Set<string>();
  const regridded = new Set<string>();
  for (const segment of segments) {
    const header = readFrameLogHeader(segment);
    for (const spec of header.instruments) {
      const before = specs.get(spec.symbol);
      if (before !== undefined && !hasGridOf(before, spec)) regridded.add(spec.symbol);
      specs.set(spec.symbol, before === undefined ? spec : onCommonGrid(spec, before));
    }
    for (const channel of header.channels) channels.add(channel);
  }
  const format = frameFormatOf([...channels], paths.join(', '));
  const instruments = new Instruments(options.instruments ?? [...specs.values()]);
  const notes = [...regridded].flatMap((symbol) => {
    const spec = specs.get(symbol);
    return spec === undefined || options.instruments !== undefined
      ? []
      : `the tick size or quantity increment of ${symbol} changed between the runs of the recording: all of it is read in steps of ${spec.tickSize} and ${spec.quantityIncrement}`;
  });
  return new FrameLogRecording({ paths, segments, format, notes }, instruments, options);
}

function hasGridOf(one: InstrumentSpec, other: InstrumentSpec): boolean {
  return (
    isSameStep(one.tickSize, other.tickSize) && isSameStep(one.quantityIncrement, other.quantityIncrement)
  );
}

interface LogFiles {
  readonly paths: readonly string[];
  readonly segments: readonly string[];
  readonly format: FrameFormat;
  readonly notes: readonly string[];
}

class FrameLogRecording implements Recording {
  readonly format = 'frame-log';
  readonly paths: readonly string[];
  readonly instruments: Instruments;
  readonly grade = 'A';
  readonly notes: readonly string[];
  readonly frames: () => AsyncGenerator<readonly Frame[], void, undefined>;
  readonly #segments: readonly string[];
  readonly #venueFormat: FrameFormat;
  readonly #options: RecordingOptions;
  #findings: readonly string[] = [];
  #counters: FrameCounters | undefined;

  constructor(
    { paths, segments, format, notes }: LogFiles,
    instruments: Instruments,
    options: RecordingOptions,
  ) {
    this.paths = paths;
    this.notes = notes;
    this.instruments = instruments;
    this.#segments = segments;
    this.#venueFormat = format;
    this.#options = options;
    this.frames = () => this.#readFrames();
  }

  get findings(): readonly string[] {
    return this.#findings;
  }

  get counters(): FrameCounters | undefined {
    return this.#counters;
  }

  async *events(): AsyncGenerator<readonly Event[], void, undefined> {
    const replay = new FrameReplay(this.#venueFormat, this.instruments, this.#options.policy);
    const tails: string[] = [];
    const onEnding = (path: string, ending: Ending) => tails.push(...tailOf(path, ending));
    const seams = new FileSeams(this.#segments);
    let runStart: number | undefined;
    try {
      for (const segment of this.#segments) {
        const run = readFrameLogHeader(segment).runStart;
        // Another run means other sockets: what the books were is no base for what they will be.
        const stale = runStart !== undefined && run !== runStart ? replay.disconnect() : [];
        if (stale.length > 0) yield stale;
        runStart = run;
        seams.startFile();
        yield* replay.readAll(watchedSeams(readFrameLog(segment, { onEnding }), seams));
      }
    } finally {
      const { counters, lastMalformed } = replay.decoder;
      this.#counters = { ...counters };
      this.#findings = [...tails, ...findingsOf(this.paths.join(', '), counters, lastMalformed)];
    }
  }

  async *#readFrames(): AsyncGenerator<readonly Frame[], void, undefined> {
    const tails: string[] = [];
    const onEnding = (path: string, ending: Ending) => tails.push(...tailOf(path, ending));
    for (const segment of this.#segments) yield* readFrameLog(segment, { onEnding });
    this.#findings = tails;
  }
}

/** Frames, of which the first and the last of each batch are held against the file before: what they say may be known already. */
async function* watchedSeams(
  batches: AsyncIterable<readonly Frame[]>,
  seams: FileSeams,
): AsyncGenerator<readonly Frame[], void, undefined> {
  for await (const frames of batches) {
    const [first] = frames;
    const last = frames.at(-1);
    if (first !== undefined) seams.note(first);
    if (last !== undefined) seams.note(last);
    yield frames;
  }
}

/** Faults of the end of a file, if it has any. */
function tailOf(path: string, ending: Ending): readonly string[] {
  if (ending.kind === 'torn') return [`${path}: torn tail, ${ending.lostBytes} bytes lost`];
  if (ending.kind === 'unfinished') return [`${path}: not ended properly, nothing lost inside`];
  return [];
}
