import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { fail } from '../../core/base/assert.ts';
import { BadInput } from '../../core/base/errors.ts';
import type { Event } from '../../core/model/event.ts';
import type { Grade } from '../../data/grade/grade.ts';
import { GradeCollector, gradeOf, gradeTitle } from '../../data/grade/grade.ts';
import type { Measures } from '../../data/grade/measures.ts';
import { measuresIn } from '../../data/grade/measures.ts';
import type { Recording } from '../../data/recording/index.ts';
import type { LoadedScenario } from '../../research/scenario/index.ts';
import { readingOfSources } from '../../research/scenario/index.ts';
import { keepNewestFiles } from '../run/kept-files.ts';
import type { RunHashes } from './report.ts';

/** Reasons of a grade that are shown. */
const reasonsMax = 3;
/** How many grades are kept; they are small, and another version of Godwit has its own. */
const gradesMax = 500;

/** Data that were graded: grading costs half as much as a backtest, so what was found is kept. */
export interface GradedData {
  /** The hash of the files. */
  readonly data: string;
  /** The hash of the program. */
  readonly code: string;
  /** How the files were read: see `gradedReading`. */
  readonly reading: string;
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

/** Grades that titles tell of data, kept below a directory of runs by the hashes of data and code. */
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
    const how = createHash('sha256').update(reading).digest('hex').slice(0, 8);
    return join(this.#home, `${data}-${code}-${how}.json`);
  }
}

/** Text of how the data of a scenario are read, which decides about their grade. */
export function gradedReading({ scenario }: LoadedScenario): string {
  const { import: options, instrument, sources, data, fills, clock } = scenario;
  const roles = data.map(({ role }) => role);
  return JSON.stringify([
    options,
    instrument ?? null,
    sources === undefined ? roles : readingOfSources(sources),
    fills.model,
    clock.end ?? null,
  ]);
}

export interface GradingDeps {
  readonly loaded: LoadedScenario;
  readonly recording: Recording;
  readonly hashes: RunHashes;
  /** Directory of runs, which keeps grades. */
  readonly runs: string;
}

/** Grade of the data of one run: one that was kept, or one that is found while the run reads them. */
export class Grading {
  /** Recording that the run is to read. */
  readonly recording: Recording;
  readonly #grades: KnownGrades;
  readonly #graded: GradedData;
  readonly #known: GradeLabel | undefined;
  readonly #reading: GradedReading | undefined;

  constructor({ loaded, recording, hashes, runs }: GradingDeps) {
    this.#grades = new KnownGrades(runs);
    this.#graded = { ...hashes, reading: gradedReading(loaded) };
    this.#known = this.#grades.find(this.#graded);
    this.#reading =
      this.#known === undefined ? new GradedReading(recording, loaded.scenario.clock.end) : undefined;
    this.recording = this.#reading?.recording ?? recording;
  }

  /** Grade of what a run has read: of all data, unless it was cut short. `keep`: such a grade is kept. */
  async grade({ cut }: { readonly cut: string | undefined }, keep: boolean): Promise<GradeLabel> {
    if (this.#reading === undefined) return this.#known ?? fail('the data were not graded');
    const isWhole = cut === undefined;
    const grade = await this.#reading.grade(isWhole);
    if (keep && isWhole) this.#grades.keep(this.#graded, grade);
    return grade;
  }
}

/**
 * Recording that is graded while a run reads it: as the file has it, for a run delivers what arrives early when it happens, in another
 * order. Where all of it was measured when it was packed, nothing is measured again.
 */
export class GradedReading {
  readonly recording: Recording;
  readonly #read: Recording;
  readonly #until: number;
  /** Measures of all events, from the pack. */
  readonly #known: Measures | undefined;
  readonly #collector: GradeCollector;
  /** Batches that were not read yet. */
  #rest: AsyncGenerator<readonly Event[], void, undefined> | undefined;
  #batches = 0;
  #isPast = false;

  /** Events received after `end` do not count. */
  constructor(read: Recording, end: number | undefined) {
    this.#read = read;
    this.#collector = new GradeCollector(read.instruments);
    this.#until = end ?? Number.POSITIVE_INFINITY;
    const known = measuresIn(read.measures);
    this.#known = (known?.lastTime ?? Number.POSITIVE_INFINITY) <= this.#until ? known : undefined;
    const { format, paths, instruments, grade, notes, frames, printing, orders } = read;
    this.recording = {
      format,
      paths,
      instruments,
      grade,
      notes,
      get findings() {
        return read.findings;
      },
      counters: undefined,
      frames,
      printing,
      ...(orders === undefined ? {} : { orders }),
      events: (passed) => this.#events(passed),
    };
  }

  /** Grade of the data as far as the run has read them; `whole`: as far as its clock goes, which a run on them may not need to read. */
  async grade(whole: boolean): Promise<GradeLabel> {
    const rest = this.#rest;
    if (this.#known !== undefined) {
      await rest?.return();
      if (whole) return labelOf(gradeOf(this.#known, this.#read));
      await this.#readAgain();
    } else if (rest !== undefined) {
      if (whole) await this.#readOn(rest);
      await rest.return();
    }
    return labelOf(this.#collector.grade(this.#read));
  }

  /** Data that are damaged behind the end of a run are graded up to there. */
  async #readOn(rest: AsyncGenerator<readonly Event[], void, undefined>): Promise<void> {
    try {
      while (!this.#isPast) {
        const next = await rest.next();
        if (next.done === true) return;
        this.#add(next.value);
      }
    } catch (error) {
      if (!(error instanceof BadInput)) throw error;
    }
  }

  /** Measures what a run has read that was cut short. */
  async #readAgain(): Promise<void> {
    let left = this.#batches;
    if (left === 0) return;
    for await (const batch of this.#read.events()) {
      this.#add(batch);
      left -= 1;
      if (left === 0) return;
    }
  }

  async *#events(passed: (() => number) | undefined): AsyncGenerator<readonly Event[], void, undefined> {
    const batches = this.#read.events(passed);
    this.#rest = batches;
    this.#batches = 0;
    for (let next = await batches.next(); next.done !== true; next = await batches.next()) {
      this.#batches += 1;
      if (this.#known === undefined) this.#add(next.value);
      yield next.value;
    }
  }

  #add(batch: readonly Event[]): void {
    if (this.#isPast) return;
    for (const event of batch) if (event.receiveTime <= this.#until) this.#collector.add(event);
    // In the order of time: once all of a batch is too late, so is the rest.
    this.#isPast = batch.length > 0 && batch.every(({ receiveTime }) => receiveTime > this.#until);
  }
}
