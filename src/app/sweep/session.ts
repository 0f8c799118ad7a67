import { availableParallelism } from 'node:os';
import { resolve } from 'node:path';
import { seconds } from '../../core/base/clock.ts';
import { SystemClock } from '../../core/base/system-clock.ts';
import type { Doubt, DoubtCode } from '../../research/report/index.ts';
import { doubt } from '../../research/report/index.ts';
import type { Output } from '../process/output.ts';
import type { StopCause } from '../process/stop-signal.ts';
import { exitCodeOfStop, onStopSignal } from '../process/stop-signal.ts';
import { trialLogPath } from './trial-log.ts';
import { SweepPool } from './pool.ts';
import { terminalLine } from '../process/terminal-line.ts';
import { SweepProgress } from './progress.ts';
import type { TrialRunner } from './trial-contract.ts';
import type { SearchRun } from './search.ts';
import { repeatFirst } from './search.ts';
import type { SweepSetup } from './setup.ts';
import { SweepStore } from './store.ts';

/** How a sweep is run, whatever it searches. */
export interface SessionOptions {
  readonly output: Output;
  /** Threads; as many as there are cores when left out. */
  readonly workers: number | undefined;
  /** Where results are kept. */
  readonly store: string | undefined;
  /** Where trials are counted; `runs/trials.ndjson` when left out. */
  readonly trialLog: string | undefined;
  /** Whether results that stand there count. */
  readonly resume: boolean;
  /** Workers behind a queue run the trials instead of threads. */
  readonly queue: string | undefined;
  readonly timeoutMs: number | undefined;
  /** The folder of the installation. */
  readonly home: string;
}

const timeoutMsDefault = 3_600_000;

/** End of a session: its answer, or the signal that ended it. */
export type SessionEnd<Answer> =
  | { readonly answer: Answer; readonly doubts: readonly Doubt[] }
  | { readonly code: number };

/** Opens store and runner, runs `work`, closes everything. A signal ends it at once: what was done stays in the store. */
export async function runSession<Answer>(
  setup: SweepSetup,
  total: number,
  options: SessionOptions,
  work: (run: SearchRun) => Promise<Answer>,
): Promise<SessionEnd<Answer>> {
  const clock = new SystemClock();
  const { output } = options;
  const path = options.store ?? `runs/sweeps/${setup.name.replaceAll(/[^\w.-]+/g, '-')}.ndjson`;
  const store = new SweepStore(resolve(path), { fresh: !options.resume });
  if (store.size > 0)
    output.progress(
      `${path}: ${store.size} earlier results are there: those of the same data, code and setting count again`,
    );
  if (store.changed.length > 0)
    output.progress(
      `${path}: line ${store.changed.join(', ')}: changed since it was written; it counts for nothing, and its trial is run again`,
    );
  const progress = new SweepProgress({ clock, output, total, overwrite: terminalLine() });
  const runner = await runnerOf(setup, options, clock);
  const found = new TrialDoubts();
  const stop = new AbortController();
  let release = (): void => {};
  const stopped = new Promise<StopCause>((end) => {
    release = onStopSignal(end, end);
  });
  try {
    const run: SearchRun = {
      setup,
      runner,
      store,
      trialLog: resolve(options.trialLog ?? trialLogPath),
      signal: stop.signal,
      ran: { count: 0, first: undefined },
      onTried: ({ value, isStored, outcome }) => {
        progress.tried(value, isStored);
        found.add(outcome.doubts ?? []);
      },
    };
    const worked = async (): Promise<{ answer: Answer; doubts: readonly Doubt[] }> => {
      const answer = await work(run);
      return { answer, doubts: [...setup.doubts, ...found.doubts(), ...(await repeatFirst(run))] };
    };
    const ended = await Promise.race([worked(), stopped]);
    progress.end();
    if (typeof ended === 'object') return ended;
    stop.abort();
    output.progress(
      `stopped by ${ended}: what was done stands in ${path}; the same command goes on from there`,
    );
    return { code: exitCodeOfStop(ended) };
  } finally {
    stop.abort();
    release();
    await runner.close();
  }
}

async function runnerOf(
  setup: SweepSetup,
  options: SessionOptions,
  clock: SystemClock,
): Promise<TrialRunner> {
  const timeout = seconds((options.timeoutMs ?? timeoutMsDefault) / 1_000);
  if (options.queue !== undefined) {
    const { openQueueRunner } = await import('./queue-runner.ts');
    return await openQueueRunner({
      url: options.queue,
      setup,
      home: options.home,
      clock,
      output: options.output,
    });
  }
  const workers = options.workers ?? availableParallelism();
  let isNoted = false;
  const onLate = (sentence: string): void => {
    if (!isNoted) options.output.progress(`note: an error after the trial finished: ${sentence}`);
    isNoted = true;
  };
  return new SweepPool({ base: setup.base, workers, clock, timeout, onLate });
}

/** Doubts about the trials of a sweep: each code once, with the first that was found and how many trials have one. */
class TrialDoubts {
  readonly #found = new Map<DoubtCode, { readonly text: string; count: number }>();
  #trials = 0;

  /** Adds the doubts about one trial. */
  add(doubts: readonly Doubt[]): void {
    this.#trials += 1;
    for (const { code, text } of doubts) {
      const known = this.#found.get(code);
      if (known === undefined) this.#found.set(code, { text, count: 1 });
      else known.count += 1;
    }
  }

  /** In the order in which they were found. */
  doubts(): readonly Doubt[] {
    return [...this.#found].map(([code, { text, count }]) =>
      doubt(code, count === this.#trials ? text : `in ${count} of ${this.#trials} trials: ${text}`),
    );
  }
}
