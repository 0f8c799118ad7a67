import { BadInput } from '../../../core/base/errors.ts';
import { mergeFiles } from '../../recording/index.ts';
import type { Recording } from '../../recording/index.ts';
import type { Event } from '../../../core/model/event.ts';
import { Instruments } from '../../../core/model/instrument.ts';
import { DbnBooks } from './databento-books.ts';
import { firstOrderOf } from '../order-writer.ts';
import { isDamage } from '../partial-recording.ts';
import { readDbn } from './databento-records.ts';
import { DbnSurvey } from './databento-survey.ts';
import type { Format, OpenOptions } from '../format.ts';
import type { ImportedRecording } from '../grade-anomaly.ts';
import { AnomalyCounts, LastCounts } from '../grade-anomaly.ts';

/**
 * Databento's binary files (DBN versions 1 to 3): market by order (aggregated into levels, with the single orders kept
 * beside them), market by price of one or ten levels, trades. Source: Databento, "Databento Binary Encoding" and "MBO",
 * "MBP", "Trades" schemas.
 */
export const databento: Format = {
  name: 'databento',
  looksLike: 'a DBN file of Databento (.dbn, .dbn.zst): it begins with "DBN"',
  carries: 'orders as books, books of one or ten levels, trades',
  detects: (head) => head.text.startsWith('DBN') && (head.bytes[3] ?? 0) <= 9,
  open: openDatabento,
};

async function openDatabento(paths: readonly string[], options: OpenOptions): Promise<Recording> {
  const survey = new DbnSurvey();
  for (const path of paths) await surveyFile(path, survey, options.partial);
  const { symbols } = survey;
  if (symbols.length === 0) {
    throw new BadInput(
      `${paths.join(', ')}: expected records of market by order, market by price or trades, found none${survey.others > 0 ? ` (${survey.others} of other types)` : ''}`,
    );
  }
  const wanted = options.symbol;
  const chosen = wanted === undefined ? symbols : symbols.filter((symbol) => symbol === wanted);
  if (chosen.length === 0) {
    throw new BadInput(`${paths.join(', ')}: expected the symbol ${wanted}, found ${symbols.join(', ')}`);
  }
  const specs = chosen.map((symbol) => survey.spec(symbol, options));
  const instruments = new Instruments(options.instruments ?? specs);
  const numbers = survey.files.map((ids) => {
    const own = [...ids].filter(([, symbol]) => chosen.includes(symbol));
    return new Map(own.map(([id, symbol]) => [id, instruments.get(symbol)]));
  });
  const last = new LastCounts();
  const recording: ImportedRecording = {
    format: 'databento',
    paths,
    instruments,
    grade: 'B',
    notes: [
      survey.words(),
      ...survey.notes(),
      ...survey.headers.map(({ dataset, schema }) => `dataset ${dataset}, schema ${schema}`),
      ...(options.instruments === undefined && options.tick === undefined
        ? ['ticks are inferred from the prices seen, fee rates are assumed']
        : []),
    ],
    findings: last.findings,
    counters: undefined,
    orders: survey.isByOrder,
    frames: undefined,
    get anomalies() {
      return last.anomalies;
    },
    events: async function* () {
      const counts = new AnomalyCounts();
      counts.add('unreadRecords', survey.others, (count) => `${count} records of other types left out`);
      const books = paths.map(
        (path, index) =>
          new DbnBooks({
            instruments: numbers[index] ?? new Map(),
            counts,
            path,
            firstOrder: firstOrderOf(index),
          }),
      );
      const streams = paths.map((path, index) => readEvents(path, books[index] as DbnBooks));
      try {
        yield* mergeFiles(streams, paths, instruments);
      } finally {
        const resting = books.reduce((sum, one) => sum + one.resting, 0);
        last.take(counts);
        if (resting > 0) last.findings.push(`${resting} orders rest at the end`);
      }
    },
  };
  return recording;
}

/** Damage behind the first record ends the look when a part is wanted: the second look meets it again. */
async function surveyFile(path: string, survey: DbnSurvey, isPartial: boolean | undefined): Promise<void> {
  const before = survey.records;
  survey.startFile(path);
  const reading = readDbn(path, survey);
  try {
    while ((await reading.next()).done !== true);
  } catch (error) {
    if (isPartial !== true || survey.records === before || !isDamage(error)) throw error;
  }
}

async function* readEvents(path: string, books: DbnBooks): AsyncGenerator<readonly Event[], void, undefined> {
  try {
    for await (const _ of readDbn(path, books)) {
      const events = books.takeEvents();
      if (events.length > 0) yield events;
    }
  } catch (error) {
    // Records before a refused one are delivered before the refusal.
    const events = books.takeEvents();
    if (events.length > 0) yield events;
    throw error;
  }
  const rest = books.endMessages();
  if (rest.length > 0) yield rest;
}
