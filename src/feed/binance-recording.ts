import type { Event } from '../model/event.ts';
import { Instruments } from '../model/instrument.ts';
import { BinanceReader } from './binance-raw.ts';
import type { BinanceSurvey } from './binance-survey.ts';
import { surveyBinance } from './binance-survey.ts';
import { readLines } from './lines.ts';
import type { Recording, RecordingOptions } from './recording-contract.ts';

/** Binance raw files as a recording: consecutive files are one stream, the book carries over. */
export async function openBinanceRecording(
  paths: readonly string[],
  options: RecordingOptions,
): Promise<Recording> {
  const isShifted = options.clockShift !== 'none';
  const survey: BinanceSurvey =
    options.instruments !== undefined && !isShifted
      ? { specs: options.instruments, files: paths.map((path) => ({ path, lines: 0, shiftNanos: 0 })) }
      : await surveyBinance(paths);
  const instruments = new Instruments(options.instruments ?? survey.specs);
  const files = survey.files.map((file) => ({
    path: file.path,
    shiftNanos: isShifted ? file.shiftNanos : 0,
  }));
  const notes = [
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
    findings: [],
    counters: undefined,
    frames: undefined,
    events: () => readBinance(files, instruments, options.tickers ?? true),
  };
}

interface ShiftedFile {
  readonly path: string;
  readonly shiftNanos: number;
}

async function* readBinance(
  files: readonly ShiftedFile[],
  instruments: Instruments,
  tickers: boolean,
): AsyncGenerator<readonly Event[], void, undefined> {
  let batch: Event[] = [];
  const reader = new BinanceReader({ instruments, tickers, publish: (event) => batch.push(event) });
  for (const file of files) {
    reader.startFile(file.path, file.shiftNanos);
    for await (const { number, lines } of readLines(file.path)) {
      for (let i = 0; i < lines.length; i++) {
        const line = lines[i] as Uint8Array;
        if (line.length > 0) reader.accept(line, number + i);
      }
      if (batch.length === 0) continue;
      yield batch;
      batch = [];
    }
  }
}
