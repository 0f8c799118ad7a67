import { readFileSync } from 'node:fs';
import { open, rename } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import type { Cancel, Clock, Micros } from '../../core/base/clock.ts';
import { seconds, timeText } from '../../core/base/clock.ts';
import type { Logger } from '../../core/base/logger.ts';
import { daily } from '../../operate/index.ts';
import type { DriftOptions, DriftResult, DriftState } from '../../operate/index.ts';

/** A comparison of the last day with its backtest that is under way. */
export interface DriftComparison {
  /** Rejects with an `Error` of one sentence when it fails, or was stopped. */
  readonly ended: Promise<DriftResult>;
  /** Ends it at once. */
  stop(): void;
}

export interface NightlyDriftDeps {
  readonly options: Pick<DriftOptions, 'at' | 'worst' | 'minutesMax'>;
  /** The run directory, which keeps the result over a restart. */
  readonly directory: string;
  readonly clock: Clock;
  readonly log: Logger;
  /** Starts a comparison. */
  readonly compare: () => DriftComparison;
}

const fileName = 'drift.json';

const time = z.int().transform((micros) => micros as Micros);
const shape = z.strictObject({
  version: z.literal(1),
  /** The time that was due when the last comparison began. */
  due: time,
  running: z.boolean(),
  endedAt: time.optional(),
  why: z.string(),
  failures: z.int().min(0),
  result: z.strictObject({ score: z.number().min(0), from: time, to: time }).optional(),
});

type Kept = z.output<typeof shape>;

/**
 * Compares the last day of a daemon with its backtest, once a day, in a process of its own, one at a time. What the last one came to is
 * kept in the run directory. A comparison that a restart cut off has failed, and is not begun again on that day.
 */
export class NightlyDrift {
  readonly #setting: NightlyDriftDeps;
  readonly #path: string;
  #kept: Kept | undefined;
  #running: DriftComparison | undefined;
  #cancel: Cancel = () => {};
  #onNews: (text: string) => void = () => {};
  /** The file as it is being written. */
  #written: Promise<void> = Promise.resolve();
  #closed = false;

  constructor(setting: NightlyDriftDeps) {
    this.#setting = setting;
    this.#path = join(setting.directory, fileName);
    this.#kept = this.#read();
  }

  get state(): DriftState {
    const { result, endedAt, why = '', failures = 0 } = this.#kept ?? {};
    return {
      running: this.#running !== undefined,
      limit: this.#setting.options.worst,
      result,
      endedAt,
      why,
      failures,
    };
  }

  /** Begins the schedule. `onNews` is told of a score that is worse than the limit, and of a failure, in one sentence. */
  start(onNews: (text: string) => void): void {
    const { clock, options } = this.#setting;
    this.#onNews = onNews;
    if (this.#kept?.running === true) this.#failed(this.#kept, 'the daemon ended before it was done');
    this.#cancel = daily(
      { clock, at: options.at, done: this.#kept?.due },
      (due) => void this.#beginComparison(due),
    );
  }

  /** Ends what is under way. Resolves when the file is on the disk. */
  async close(): Promise<void> {
    this.#closed = true;
    this.#cancel();
    this.#running?.stop();
    await this.#written;
  }

  async #beginComparison(due: Micros): Promise<void> {
    const { clock, log, options, compare } = this.#setting;
    if (this.#running !== undefined) {
      log.warn({ due: timeText(due) }, 'the comparison with a backtest of the day before still runs');
      return;
    }
    const before = this.#kept;
    const begun: Kept = { why: '', failures: 0, ...before, version: 1, due, running: true };
    this.#keepResult(begun);
    let late: string | undefined;
    let cancelLimit: Cancel = () => {};
    try {
      const running = compare();
      this.#running = running;
      cancelLimit = clock.after(seconds(options.minutesMax * 60), () => {
        late = `it took longer than operate.drift.minutesMax (${options.minutesMax})`;
        running.stop();
      });
      const result = await running.ended;
      this.#running = undefined;
      if (!this.#closed) this.#succeeded(begun, result);
    } catch (error) {
      this.#running = undefined;
      if (!this.#closed)
        this.#failed(begun, late ?? (error instanceof Error ? error.message : String(error)));
    } finally {
      cancelLimit();
    }
  }

  #succeeded(begun: Kept, result: DriftResult): void {
    const { clock, log, options } = this.#setting;
    this.#keepResult({ ...begun, running: false, endedAt: clock.now(), why: '', result });
    log.info({ score: result.score }, 'the last day was compared with its backtest');
    if (result.score <= options.worst) return;
    this.#onNews(
      `the day to ${timeText(result.to)} and its backtest are ${result.score} of what was traded apart, more than operate.drift.worst (${options.worst})`,
    );
  }

  #failed(begun: Kept, why: string): void {
    const { clock, log } = this.#setting;
    this.#keepResult({ ...begun, running: false, endedAt: clock.now(), why, failures: begun.failures + 1 });
    log.warn({ why }, 'the comparison with a backtest failed');
    this.#onNews(`the comparison of the last day with its backtest failed: ${why}`);
  }

  /** A file that is damaged is passed over: it must not keep a trader from its start. */
  #read(): Kept | undefined {
    let text: string;
    try {
      text = readFileSync(this.#path, 'utf8');
    } catch {
      return undefined;
    }
    try {
      return shape.parse(JSON.parse(text));
    } catch {
      this.#setting.log.warn(
        { file: this.#path },
        'expected the last comparison with a backtest: passed over',
      );
      return undefined;
    }
  }

  #keepResult(kept: Kept): void {
    this.#kept = kept;
    this.#written = this.#written
      .then(() => replaceFile(this.#path, `${JSON.stringify(kept)}\n`))
      .catch((error: unknown) => {
        this.#setting.log.warn({ error: String(error) }, 'the comparison with a backtest was not kept');
      });
  }
}

/** Replaces a file by a whole one, on the disk when it resolves. The thread of the trader waits for no disk. */
async function replaceFile(path: string, text: string): Promise<void> {
  const next = `${path}.next`;
  const file = await open(next, 'w', 0o600);
  try {
    await file.writeFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(next, path);
  const folder = await open(dirname(path), 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}
