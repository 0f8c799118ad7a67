import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import type { Grade } from '../../data/grade/grade.ts';
import { gradeTitle } from '../../data/grade/grade.ts';
import { keepNewestFiles } from '../run/kept-files.ts';

/** So many grades are kept; they are small, and another version of Godwit has its own. */
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

const told = z.strictObject({ letter: z.enum(['A', 'B', 'C', 'D']), title: z.string() });

/** The letter of a grade, and what the title of a result must say: empty for good data. */
export type ToldGrade = Readonly<z.output<typeof told>>;

export function tellGrade(grade: Grade): ToldGrade {
  return { letter: grade.letter, title: gradeTitle(grade) };
}

/** What a title says of some data, kept below a directory of runs by the hashes of data and code. */
export class KnownGrades {
  readonly #home: string;

  constructor(runs: string) {
    this.#home = join(runs, 'grades');
  }

  /** `undefined` when the data was not graded before, or what was kept cannot be read. */
  find(graded: GradedData): ToldGrade | undefined {
    const path = this.#pathOf(graded);
    if (!existsSync(path)) return undefined;
    try {
      return told.parse(JSON.parse(readFileSync(path, 'utf8')));
    } catch {
      return undefined;
    }
  }

  /** A disk that refuses costs time at the next run, nothing else. */
  keep(graded: GradedData, grade: ToldGrade): void {
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
