import type { Event } from '../../model/event.ts';
import type { Frame } from '../../model/frame.ts';
import { Instruments } from '../../model/instrument.ts';
import { readCapture } from './capture-text.ts';
import { FeedOwners } from './feed-owners.ts';
import { FrameReplay, findingsOf, sumCounters } from '../frames/frame-replay.ts';
import { findCaptureSpecs } from './infer-instruments.ts';
import type { IntakeCounters } from '../intake.ts';
import { mergeEvents, mergeOrdered } from '../merge.ts';
import type { Recording, RecordingOptions } from '../recording-contract.ts';

/** Text captures as a recording. Several are read side by side; what parallel sockets repeat is told once. */
export async function openCaptureRecording(
  paths: readonly string[],
  options: RecordingOptions,
): Promise<Recording> {
  const found =
    options.instruments === undefined
      ? await findCaptureSpecs(paths, options.partial === true)
      : { specs: options.instruments, source: 'symbols', notes: [] };
  return new CaptureRecording(paths, new Instruments(found.specs), options, {
    grade: found.source === 'symbols' ? 'A' : 'B',
    notes: found.notes,
  });
}

class CaptureRecording implements Recording {
  readonly format = 'capture-text';
  readonly paths: readonly string[];
  readonly instruments: Instruments;
  readonly grade: 'A' | 'B';
  readonly notes: readonly string[];
  readonly frames: () => AsyncGenerator<readonly Frame[], void, undefined>;
  readonly #options: RecordingOptions;
  #findings: readonly string[] = [];
  #counters: IntakeCounters | undefined;

  constructor(
    paths: readonly string[],
    instruments: Instruments,
    options: RecordingOptions,
    quality: Pick<Recording, 'grade' | 'notes'>,
  ) {
    this.paths = paths;
    this.instruments = instruments;
    this.grade = quality.grade;
    this.notes = quality.notes;
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

  get counters(): IntakeCounters | undefined {
    return this.#counters;
  }

  async *events(): AsyncGenerator<readonly Event[], void, undefined> {
    const replays = this.paths.map(() => new FrameReplay(this.instruments, this.#options.policy));
    const streams = replays.map((replay, index) => replay.readAll(readCapture(this.paths[index] as string)));
    const [only] = streams;
    try {
      if (only !== undefined && streams.length === 1) yield* only;
      else yield* this.#merged(streams);
    } finally {
      this.#findings = replays.flatMap(({ intake }, index) =>
        findingsOf(this.paths[index] as string, intake.counters, intake.lastMalformed),
      );
      this.#counters = sumCounters(replays.map(({ intake }) => intake.counters));
    }
  }

  #merged(
    streams: readonly AsyncGenerator<readonly Event[], void, undefined>[],
  ): AsyncGenerator<readonly Event[], void, undefined> {
    const owners = new FeedOwners();
    return mergeEvents(streams, 'receiveTime', {
      keep: (event, source) => owners.keep(event, source),
      onEnd: (source) => owners.release(source),
    });
  }
}
