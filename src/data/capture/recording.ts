import type { Event } from '../../core/model/event.ts';
import type { Frame } from '../../core/model/frame.ts';
import { Instruments } from '../../core/model/instrument.ts';
import { captureFormatOf, readCapture } from './text.ts';
import { FeedOwners } from './feed-owners.ts';
import { chainsOf } from './file-chains.ts';
import type { FileChain } from './file-chains.ts';
import { FrameReplay, findingsOf, sumCounters } from '../frames/index.ts';
import { endsOfCaptures, findCaptureSpecs } from './infer-instruments.ts';
import type { FoundSpecs } from './infer-instruments.ts';
import type { FrameCounters, FrameFormat } from '../../core/model/frame-format.ts';
import { mergeEvents, mergeOrdered } from '../recording/index.ts';
import type { Recording, RecordingOptions } from '../recording/index.ts';

/**
 * Text captures as a recording. Files that follow one another in time are read as one; those that lie side by side are
 * merged, and what parallel sockets repeat is kept once.
 */
export async function openCaptureRecording(
  paths: readonly string[],
  options: RecordingOptions,
): Promise<Recording> {
  const { instruments, partial = false, quote } = options;
  const found: FoundSpecs =
    instruments === undefined
      ? await findCaptureSpecs(paths, { partial, ...(quote === undefined ? {} : { quote }) })
      : {
          specs: instruments,
          source: 'symbols',
          notes: [],
          files: paths.length === 1 ? [] : await endsOfCaptures(paths, partial),
        };
  return new CaptureRecording(paths, new Instruments(found.specs), options, {
    format: await captureFormatOf(paths[0] as string),
    grade: found.source === 'symbols' ? 'A' : 'B',
    notes: found.notes,
    files: found.files,
  });
}

class CaptureRecording implements Recording {
  readonly format = 'capture-text';
  readonly paths: readonly string[];
  readonly instruments: Instruments;
  readonly grade: 'A' | 'B';
  readonly notes: readonly string[];
  readonly frames: () => AsyncGenerator<readonly Frame[], void, undefined>;
  readonly #venueFormat: FrameFormat;
  readonly #options: RecordingOptions;
  readonly #chains: readonly FileChain[];
  #findings: readonly string[] = [];
  #counters: FrameCounters | undefined;

  constructor(
    paths: readonly string[],
    instruments: Instruments,
    options: RecordingOptions,
    found: Pick<Recording, 'grade' | 'notes'> & Pick<FoundSpecs, 'files'> & { readonly format: FrameFormat },
  ) {
    this.paths = paths;
    this.instruments = instruments;
    this.grade = found.grade;
    this.notes = found.notes;
    this.#venueFormat = found.format;
    this.#chains = paths.length === 1 ? [{ files: [0], continued: [] }] : chainsOf(found.files);
    this.#options = options;
    this.frames = () =>
      mergeOrdered(
        paths.map((path) => readCapture(path)),
        (frame) => frame.receiveTime,
      );
  }

  get findings(): readonly string[] {
    return this.#findings;
  }

  get counters(): FrameCounters | undefined {
    return this.#counters;
  }

  async *events(): AsyncGenerator<readonly Event[], void, undefined> {
    const replays = this.#chains.map(
      () => new FrameReplay(this.#venueFormat, this.instruments, this.#options.policy),
    );
    const streams = replays.map((replay, index) => this.#chained(replay, this.#chains[index] as FileChain));
    const [only] = streams;
    try {
      if (only !== undefined && streams.length === 1) yield* only;
      else yield* this.#merged(streams);
    } finally {
      this.#findings = replays.flatMap(({ decoder }, index) => {
        const names = this.#chains[index]?.files.map((file) => this.paths[file] as string) ?? [];
        return findingsOf(names.join(', '), decoder.counters, decoder.lastMalformed);
      });
      this.#counters = sumCounters(replays.map(({ decoder }) => decoder.counters));
    }
  }

  /** Files one behind the other. Books that do not go on in the next file are stale from the end of the one before. */
  async *#chained(replay: FrameReplay, chain: FileChain): AsyncGenerator<readonly Event[], void, undefined> {
    for (const [index, file] of chain.files.entries()) {
      const stale = index === 0 ? [] : replay.disconnect(chain.continued[index]);
      if (stale.length > 0) yield stale;
      yield* replay.readAll(readCapture(this.paths[file] as string));
    }
  }

  #merged(
    streams: readonly AsyncGenerator<readonly Event[], void, undefined>[],
  ): AsyncGenerator<readonly Event[], void, undefined> {
    const owners = new FeedOwners(streams.length);
    return mergeEvents(streams, 'receiveTime', {
      keep: (event, source) => owners.keep(event, source),
      onEnd: (source) => owners.release(source),
    });
  }
}
