import type { Event } from '../../core/model/event.ts';
import { BadInput } from '../../core/base/errors.ts';
import type { InstrumentSpec } from '../../core/model/instrument.ts';
import { Instruments } from '../../core/model/instrument.ts';
import { BinanceEvents } from './events.ts';
import { LeftOut } from './message.ts';
import { BinancePlayback } from './playback.ts';
import { BinanceReader } from './raw.ts';
import { FileSeams, FinerSizes, readLines, thrownBy } from '../recording/index.ts';
import type { BinanceSurvey } from './survey.ts';
import { surveyBinance } from './survey.ts';
import { inverseNotes } from './inverse-contracts.ts';
import type { PackedPiece } from './packed-lines.ts';
import type { Recording, RecordingOptions } from '../recording/index.ts';

/** Most memory for what the files say: an hour of a busy futures market. */
const packedBytesMax = 64 * 1024 * 1024;

/** Binance raw files as a recording: consecutive files are one stream, the book carries over. */
export async function openBinanceRecording(
  paths: readonly string[],
  options: RecordingOptions,
): Promise<Recording> {
  const isShifted = options.clockShift !== 'none';
  const survey: BinanceSurvey =
    options.instruments !== undefined && !isShifted
      ? {
          specs: options.instruments,
          files: paths.map((path) => ({ path, lines: 0, shiftNanos: 0 })),
          packed: undefined,
          leftOut: new LeftOut(),
        }
      : await surveyBinance(paths, {
          packedBytesMax: options.instruments === undefined ? packedBytesMax : 0,
          isPartial: options.partial === true,
          instruments: options.instruments,
          quote: options.quote,
        });
  const instruments = new Instruments(withOthers(paths, options.instruments, survey.specs));
  const files = survey.files.map((file) => ({
    path: file.path,
    shiftNanos: isShifted ? file.shiftNanos : 0,
  }));
  let findings: readonly string[] = [];
  const notes = [
    ...inverseNotes('binance-raw', instruments),
    ...(options.instruments === undefined
      ? ['tick sizes and increments are inferred from the decimals seen, fee rates are assumed']
      : []),
    ...(isShifted
      ? files.map(
          (file) =>
            `${file.path}: local times shifted by ${file.shiftNanos} ns so that no message arrives early`,
        )
      : []),
  ];
  return {
    format: 'binance-raw',
    paths,
    instruments,
    grade: 'B',
    notes,
    get findings() {
      return findings;
    },
    counters: undefined,
    frames: undefined,
    async *events() {
      findings = [];
      const { packed, leftOut } = survey;
      const hear = {
        files,
        instruments,
        tickers: options.tickers ?? true,
        onFindings: (found: readonly string[]) => (findings = found),
      };
      yield* packed === undefined ? readBinance(hear) : playBinance(packed, leftOut, hear);
    },
  };
}

/**
 * The specs that are given, and what was learnt of the symbols besides: files hold whatever streams were recorded. Throws
 * `BadInput` where they hold none of those that are given.
 */
export function withOthers(
  paths: readonly string[],
  given: readonly InstrumentSpec[] | undefined,
  seen: readonly InstrumentSpec[],
): readonly InstrumentSpec[] {
  if (given === undefined) return seen;
  const named = new Set(given.map(({ symbol }) => symbol));
  const listed = (specs: readonly InstrumentSpec[]): string =>
    specs
      .map(({ symbol }) => symbol)
      .join(', ')
      .slice(0, 200);
  if (!seen.some(({ symbol }) => named.has(symbol)))
    throw new BadInput(
      `${paths.join(', ')}: expected messages of ${listed(given)}, found those of ${listed(seen)}`,
    );
  return [...given, ...seen.filter(({ symbol }) => !named.has(symbol))];
}

interface Hearing {
  readonly files: readonly ShiftedFile[];
  readonly instruments: Instruments;
  readonly tickers: boolean;
  /** Called at the end of a pass, also of one that damage ends. */
  readonly onFindings: (findings: readonly string[]) => void;
}

type Played = AsyncGenerator<readonly Event[], void, undefined>;

/** The events of a copy in memory, as `readBinance` makes them of the files. */
async function* playBinance(
  packed: readonly PackedPiece[],
  leftOut: LeftOut,
  { files, instruments, tickers, onFindings }: Hearing,
): Played {
  let batch: Event[] = [];
  const events = new BinanceEvents(instruments, (event) => batch.push(event), seamsOf(files));
  const shifts = files.map(({ shiftNanos }) => shiftNanos);
  const playback = new BinancePlayback(events, { instruments, shifts, tickers });
  for (const piece of packed) {
    playback.play(piece);
    if (batch.length === 0) continue;
    yield batch;
    batch = [];
  }
  onFindings([...events.findings(instruments), ...leftOut.sentences()]);
}

/** One file has no seam. */
function seamsOf(files: readonly ShiftedFile[]): FileSeams | undefined {
  return files.length > 1 ? new FileSeams(files.map(({ path }) => path)) : undefined;
}

interface ShiftedFile {
  readonly path: string;
  readonly shiftNanos: number;
}

async function* readBinance({ files, instruments, tickers, onFindings }: Hearing): Played {
  // Of an increment that is inferred, book tickers alone may be finer.
  const finer = new FinerSizes();
  let batch: Event[] = [];
  const publish = (event: Event): void => void batch.push(event);
  const sink = new BinanceEvents(instruments, publish, seamsOf(files));
  const reader = new BinanceReader({ instruments, tickers, publish, finer }, sink);
  try {
    for (const file of files) {
      reader.startFile(file.path, file.shiftNanos);
      for await (const { number, lines } of readLines(file.path)) {
        const refusal = thrownBy(() => {
          for (let i = 0; i < lines.length; i++) {
            const line = lines[i] as Uint8Array;
            if (line.length > 0) reader.accept(line, number + i);
          }
        });
        // Events before a refused line are delivered before the refusal.
        if (batch.length > 0) yield batch;
        if (refusal !== undefined) throw refusal.error;
        batch = [];
      }
    }
  } finally {
    finer.sizes = sink.sizes;
    onFindings([...sink.findings(instruments), ...reader.leftOut.sentences(), ...finer.sentences()]);
  }
}
