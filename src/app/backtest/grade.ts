import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { BadInput } from '../../core/base/errors.ts';
import type { Event } from '../../core/model/event.ts';
import type { Grade } from '../../data/grade/grade.ts';
import { GradeCollector, gradeTitle } from '../../data/grade/grade.ts';
import type { Recording } from '../../data/recording/contract.ts';
import type { LoadedScenario } from '../../research/scenario/load.ts';
import { readingOfSources } from '../../research/scenario/sources.ts';
import { openScenarioData } from '../../research/scenario/recording.ts';
import { keepNewestFiles } from '../run/kept-files.ts';
import { openBarData } from './bar-source.ts';
import type { RunHashes } from './report.ts';

/** Reasons of a grade that are shown. */
const reasonsMax = 3;
/** How many grades are kept; they are small, and another version of Godwit has its own. */
const gradesMax = 500;

/** What was graded: grading costs half as much as a backtest, so what was found is kept. */
export interface GradedData {
  /** The hash of the files. */
  readonly data: string;
  /** The hash of the program. */
  readonly code: string;
  /** How the files were read, where it is not the usual way. */
  readonly reading?: string | undefined;
}

const label = z.strictObject({
  letter: z.enum(['A', 'B', 'C', 'D']),
  title: z.string(),
  reasons: z.array(z.string()),
});

/** The letter of a grade, what the title of a result must say (empty for good data), and why the letter is no better. */
export type GradeLabel = Readonly<z.output<typeof label>>;

export function labelOf(grade: Grade): GradeLabel {
  return { letter: grade.letter, title: gradeTitle(grade), reasons: [...grade.reasons] };
}

/** The grade in the head of a report, with its reasons. */
export function gradeIdentity(grade: GradeLabel | undefined): Readonly<Record<string, string>> {
  if (grade === undefined) return {};
  const why = grade.reasons.slice(0, reasonsMax).join('; ');
  return { 'data grade': grade.letter, ...(why === '' ? {} : { 'grade reasons': why }) };
}

/** What a title says of some data, kept below a directory of runs by the hashes of data and code. */
export class KnownGrades {
  readonly #home: string;

  constructor(runs: string) {
    this.#home = join(runs, 'grades');
  }

  /** `undefined` when the data was not graded before, or what was kept cannot be read. */
  find(graded: GradedData): GradeLabel | undefined {
    const path = this.#pathOf(graded);
    if (!existsSync(path)) return undefined;
    try {
      return label.parse(JSON.parse(readFileSync(path, 'utf8')));
    } catch {
      return undefined;
    }
  }

  /** A disk that refuses costs time at the next run, nothing else. */
  keep(graded: GradedData, grade: GradeLabel): void {
    try {
      mkdirSync(this.#home, { recursive: true });
      writeFileSync(this.#pathOf(graded), JSON.stringify(grade));
      keepNewestFiles(this.#home, '.json', gradesMax);
    } catch {
      // Graded again next time.
    }
  }

  #pathOf({ data, code, reading }: GradedData): string {
    const how =
      reading === undefined ? '' : `-${createHash('sha256').update(reading).digest('hex').slice(0, 8)}`;
    return join(this.#home, `${data}-${code}${how}.json`);
  }
}

export interface GradingSetting {
  readonly loaded: LoadedScenario;
  readonly hashes: RunHashes;
  readonly grades: KnownGrades;
  /** Whether what was found is kept. */
  readonly keep: boolean;
}

/**
 * What the data of a scenario are worth, read as it says and up to the end of its clock. Data that were not graded
 * before are read once more. Damaged data have no grade: the run itself says so.
 */
export async function gradeScenario(setting: GradingSetting): Promise<GradeLabel | undefined> {
  const { loaded, hashes, grades, keep } = setting;
  const { scenario } = loaded;
  const { import: options, instrument, sources, data, fills, clock } = scenario;
  const { end } = clock;
  const roles = data.map(({ role }) => role);
  const reading = JSON.stringify([
    options,
    instrument ?? null,
    sources === undefined ? roles : readingOfSources(sources),
    fills.model,
    end ?? null,
  ]);
  const open = async (): Promise<Recording> =>
    fills.model === 'bars'
      ? await openBarData(scenario, loaded.file)
      : (await openScenarioData(loaded)).recording;
  return await gradeOnce({ grades, graded: { ...hashes, reading }, keep, open, end });
}

interface Grading {
  readonly grades: KnownGrades;
  readonly graded: GradedData;
  readonly keep: boolean;
  readonly open: () => Promise<Recording>;
  /** What is received later does not count. */
  readonly end: number | undefined;
}

async function gradeOnce({ grades, graded, keep, open, end }: Grading): Promise<GradeLabel | undefined> {
  const known = grades.find(graded);
  if (known !== undefined) return known;
  try {
    const found = await gradeUntil(await open(), end ?? Number.POSITIVE_INFINITY);
    if (keep) grades.keep(graded, found);
    return found;
  } catch (error) {
    if (error instanceof BadInput) return undefined;
    throw error;
  }
}

async function gradeUntil(recording: Recording, end: number): Promise<GradeLabel> {
  const collector = new GradeCollector(recording.instruments);
  for await (const batch of recording.events()) {
    for (const event of batch) if (event.receiveTime <= end) collector.add(event);
    // In the order of time: once all of a batch is too late, so is the rest.
    if (batch.length > 0 && batch.every(({ receiveTime }) => receiveTime > end)) break;
  }
  return labelOf(collector.grade(recording));
}

/** A recording that is graded while it is read through. */
export interface GradedReading {
  readonly recording: Recording;
  /** What it is worth, once it was read. */
  grade(): GradeLabel;
}

/** What is received after `end` does not count. */
export function gradedReading(recording: Recording, end: number | undefined): GradedReading {
  const collector = new GradeCollector(recording.instruments);
  const until = end ?? Number.POSITIVE_INFINITY;
  const { format, paths, instruments, grade, notes, findings, frames, printing, orders } = recording;
  return {
    recording: {
      format,
      paths,
      instruments,
      grade,
      notes,
      findings,
      counters: undefined,
      frames,
      printing,
      ...(orders === undefined ? {} : { orders }),
      events: () => watched(recording, collector, until),
    },
    grade: () => labelOf(collector.grade(recording)),
  };
}

async function* watched(
  recording: Recording,
  collector: GradeCollector,
  until: number,
): AsyncGenerator<readonly Event[], void, undefined> {
  for await (const batch of recording.events()) {
    for (const event of batch) if (event.receiveTime <= until) collector.add(event);
    yield batch;
  }
}
