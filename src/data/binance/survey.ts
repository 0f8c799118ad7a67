import { BadInput } from '../../core/base/errors.ts';
import type { InstrumentSpec } from '../../core/model/instrument.ts';
import { TooManySymbols } from '../../core/model/symbols-max.ts';
import { BinanceDraft } from './draft.ts';
import type { LinePlace, LocalTime } from './line.ts';
import { badLine, latencyNanos, readLocalTime } from './line.ts';
import { LeftOut } from './message.ts';
import type { BinanceSymbols } from './symbols.ts';
import { adoptNameless, binanceSpec } from './symbols.ts';
import type { PackedPiece } from './packed-lines.ts';
import { readPieces } from '../recording/index.ts';

/** Findings of one pass over Binance raw files. */
export interface BinanceSurvey {
  readonly specs: readonly InstrumentSpec[];
  /** In the order the files were given. */
  readonly files: readonly SurveyedFile[];
  /** All that the lines said, where it was asked for and could be kept. */
  readonly packed: readonly PackedPiece[] | undefined;
  /** Contents of the lines that are not read. */
  readonly leftOut: LeftOut;
}

export interface SurveyedFile {
  readonly path: string;
  readonly lines: number;
  /**
   * Nanoseconds added to local times so that the smallest feed latency becomes 0. Book tickers and
   * trades that did not execute against the book do not count, as in hftbacktest's preparation.
   */
  readonly shiftNanos: number;
}

export interface SurveyOptions {
  /** Most bytes that a packed copy of the lines may take, so that the files are read once; 0 keeps none. */
  readonly packedBytesMax?: number;
  /** Whether a line that is refused ends the survey instead of throwing, when there are others before it. */
  readonly isPartial?: boolean;
  /** As in `RecordingOptions`: what of the specs need not be inferred. */
  readonly instruments?: readonly InstrumentSpec[] | undefined;
  readonly quote?: string | undefined;
}

/**
 * Surveys Binance raw files: instruments from the decimals seen, and the clock shift of each file. Throws `BadInput` with
 * file and line.
 */
export async function surveyBinance(
  paths: readonly string[],
  { packedBytesMax = 0, isPartial = false, instruments = [], quote }: SurveyOptions = {},
): Promise<BinanceSurvey> {
  const known = new Map(instruments.map((spec) => [spec.symbol, spec]));
  const symbols: BinanceSymbols = new Map();
  const files: SurveyedFile[] = [];
  const leftOut = new LeftOut();
  const draft = new BinanceDraft({ symbols, leftOut }, packedBytesMax);
  for (const path of paths) {
    const file = new FileSurvey(path, draft);
    try {
      await file.read();
    } catch (error) {
      if (!isPartial || symbols.size === 0 || !(error instanceof BadInput)) throw error;
      if (error instanceof TooManySymbols) throw error;
      // The second look meets the damage where it reads the lines.
      draft.giveUp();
    }
    files.push(file.result());
  }
  const packed = draft.finish();
  adoptNameless(symbols);
  if (symbols.size === 0) {
    const found = leftOut.sentences().join('; ') || 'none';
    throw new BadInput(
      `${paths.join(', ')}: expected depth, trade or bookTicker messages that name a symbol, found ${found}`,
    );
  }
  return {
    specs: [...symbols].map(([symbol, one]) => known.get(symbol) ?? binanceSpec(symbol, one, quote)),
    files,
    packed,
    leftOut,
  };
}

class FileSurvey {
  readonly #path: string;
  readonly #draft: BinanceDraft;
  #least = Number.POSITIVE_INFINITY;
  #lines = 0;

  constructor(path: string, draft: BinanceDraft) {
    this.#path = path;
    this.#draft = draft;
  }

  async read(): Promise<void> {
    const path = this.#path;
    const draft = this.#draft;
    const time: LocalTime = { micros: 0, nanos: 0 };
    const place: LinePlace = { start: 0, from: 0, end: 0 };
    draft.startFile();
    for await (const { number, bytes, bounds } of readPieces(path)) {
      for (let i = 0; i < bounds.length; i += 2) {
        place.start = bounds[i] as number;
        place.end = bounds[i + 1] as number;
        if (place.start === place.end) continue;
        this.#lines += 1;
        place.from = readLocalTime(bytes, time, place.start);
        if (place.from === 0) {
          const found = startOf(bytes.subarray(place.start, place.end));
          throw badLine(path, number + i / 2, 'expected a local time of 16 or 19 digits', found);
        }
        const millis = draft.surveyLine(bytes as Buffer, place, time);
        if (millis !== undefined) this.#least = Math.min(this.#least, latencyNanos(time, millis));
      }
    }
  }

  result(): SurveyedFile {
    const shiftNanos = Number.isFinite(this.#least) ? -this.#least : 0;
    return { path: this.#path, lines: this.#lines, shiftNanos };
  }
}

function startOf(line: Uint8Array): string {
  return Buffer.from(line.subarray(0, 40)).toString('latin1');
}
