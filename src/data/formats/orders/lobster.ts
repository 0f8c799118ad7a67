import { basename } from 'node:path';
import type { Micros } from '../../../core/base/clock.ts';
import { BadInput } from '../../../core/base/errors.ts';
import type { Recording } from '../../recording/index.ts';
import { mergeFiles, thrownBy } from '../../recording/index.ts';
import { Instruments } from '../../../core/model/instrument.ts';
import { readTableTime, stepOf } from '../tables/index.ts';
import type { Format, OpenOptions } from '../format.ts';
import type { ImportedRecording } from '../grade-anomaly.ts';
import { AnomalyCounts, LastCounts } from '../grade-anomaly.ts';
import { itemsOfLines } from '../line-items.ts';
import type { LobsterBookOptions, LobsterRow } from './lobster-book.ts';
import { LobsterBook, lobsterPriceDecimals, readLobsterRow } from './lobster-book.ts';
import { firstOrderOf } from '../order-writer.ts';
import { untilDamage } from '../partial-recording.ts';
import { specOf } from '../symbol-survey.ts';

const row = /^\d{5}(?:\.\d{1,20})?,[1-7],\d+,\d+,-?\d+,-?[01]$/;

/** One message file: whose orders, and when its day began. */
interface LobsterFile {
  readonly path: string;
  readonly symbol: string;
  readonly midnight: Micros;
}

/**
 * LOBSTER message files of NASDAQ: seconds after midnight, type, order, size, price in ten-thousandths, direction. Orders
 * are aggregated into levels, and kept beside them. The file begins without a book. Symbol and day stand in its name;
 * times are New York's. Source: LOBSTER, "Output structure", message file.
 */
export const lobster: Format = {
  name: 'lobster',
  looksLike: 'a LOBSTER message file (AAPL_2012-06-21_34200000_37800000_message_50.csv)',
  carries: 'orders as books (no first book), trades',
  detects: (head) => row.test(head.line),
  open: openLobster,
};

async function openLobster(paths: readonly string[], options: OpenOptions): Promise<Recording> {
  const files = paths.map((path) => fileOf(path, options));
  const decimals = new Map<string, number>();
  for (const file of files) await survey(file, decimals, options.partial);
  const specs = [...decimals].map(([symbol, used]) =>
    specOf(
      symbol,
      { base: symbol, quote: options.quote ?? 'USD' },
      { tick: options.tick ?? stepOf(used), increment: options.increment ?? '1' },
    ),
  );
  const instruments = new Instruments(options.instruments ?? specs);
  const last = new LastCounts();
  const recording: ImportedRecording = {
    format: 'lobster',
    paths,
    instruments,
    grade: 'B',
    notes: [
      'the file begins without a book: orders older than it are missing',
      'times are of New York, converted to UTC; the file has no local times',
      ...(options.instruments === undefined && options.tick === undefined
        ? ['the tick is inferred from the prices seen, fee rates are assumed']
        : []),
    ],
    findings: last.findings,
    counters: undefined,
    orders: true,
    frames: undefined,
    get anomalies() {
      return last.anomalies;
    },
    events: async function* () {
      const counts = new AnomalyCounts();
      const streams = files.map((file, index) =>
        readEvents(file, {
          instrument: instruments.get(file.symbol),
          counts,
          path: file.path,
          midnight: file.midnight,
          firstOrder: firstOrderOf(index),
        }),
      );
      try {
        yield* mergeFiles(streams, paths, instruments);
      } finally {
        last.take(counts);
      }
    },
  };
  return recording;
}

async function survey(
  file: LobsterFile,
  decimals: Map<string, number>,
  isPartial: boolean | undefined,
): Promise<void> {
  let used = decimals.get(file.symbol) ?? 0;
  let rows = 0;
  for await (const batch of untilDamage(rowsOf(file.path), isPartial)) {
    rows += batch.length;
    for (const { type, price } of batch) {
      if (type === 7) continue;
      while (used < lobsterPriceDecimals && price % 10 ** (lobsterPriceDecimals - used) !== 0) used += 1;
    }
  }
  if (rows === 0) throw new BadInput(`${file.path}: expected rows with messages, found none`);
  decimals.set(file.symbol, used);
}

function rowsOf(path: string): AsyncGenerator<readonly LobsterRow[], void, undefined> {
  return itemsOfLines(path, (line, number) => readLobsterRow(line, path, number));
}

async function* readEvents(
  file: LobsterFile,
  options: LobsterBookOptions,
): AsyncGenerator<ReturnType<LobsterBook['takeEvents']>, void, undefined> {
  const book = new LobsterBook(options);
  for await (const rows of rowsOf(file.path)) {
    const refusal = thrownBy(() => {
      for (const row of rows) book.accept(row);
    });
    const events = book.takeEvents();
    if (events.length > 0) yield events;
    if (refusal !== undefined) throw refusal.error;
  }
}

function fileOf(path: string, options: OpenOptions): LobsterFile {
  const match = /(?:^|[_-])([A-Za-z.]{1,6})[_-](\d{4})-?(\d{2})-?(\d{2})(?=[_.-])/.exec(basename(path));
  const [, symbol = '', year = '', month = '', day = ''] = match ?? [];
  const date = readTableTime(`${year}-${month}-${day}`, 'calendar');
  if (match === null || Number.isNaN(date)) {
    throw new BadInput(
      `${path}: expected symbol and day in the name of a LOBSTER file, such as AAPL_2012-06-21_34200000_37800000_message_50.csv, found ${basename(path)}`,
    );
  }
  return { path, symbol: options.symbol ?? symbol.toUpperCase(), midnight: newYorkMidnight(date) };
}

/** When the day of that UTC midnight begins in New York. */
function newYorkMidnight(utcMidnight: number): Micros {
  const noon = utcMidnight / 1_000 + 12 * 3_600_000;
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone: 'America/New_York',
    hour: 'numeric',
    hourCycle: 'h23',
  });
  // The clock changes at 2 in the morning of a Sunday, when no market is open: noon gives the offset of the session.
  const hours = 12 - Number(format.format(noon));
  return (utcMidnight + hours * 3_600_000_000) as Micros;
}
