import { setFlagsFromString } from 'node:v8';
import { Worker } from 'node:worker_threads';
import type { Cancel, Clock, Micros } from '../../core/base/clock.ts';
import { seconds } from '../../core/base/clock.ts';
import { compiledCode } from '../../core/base/compiled-code.ts';
import { moduleUrl } from '../../core/base/module-url.ts';
import { noteThread } from '../../core/base/threads.ts';
import { pause } from '../../core/base/pause.ts';
import type {
  TrialRunner,
  TrialOutcome,
  TrialPack,
  TrialTask,
  FromSweepWorker,
  ToSweepWorker,
} from './trial-contract.ts';
import type { ConfiguredScenario } from '../run/scenario.ts';

export interface SweepPoolDeps {
  readonly base: ConfiguredScenario;
  /** Threads, at least one. */
  readonly workers: number;
  readonly clock: Clock;
  /** A trial that takes longer has failed; its thread is ended and replaced. */
  readonly timeout: Micros;
  /** Receives what a strategy threw after its trial had ended. */
  readonly onLate?: ((sentence: string) => void) | undefined;
}

interface Job {
  readonly task: TrialTask;
  readonly pack: TrialPack | undefined;
  readonly settle: (outcome: TrialOutcome) => void;
}

const heapMbMax = 256;
/** A small nursery keeps the memory of a thread small, and its objects in the second cache; trials leave little behind. */
const youngMbMax = 6;
/**
 * Without this flag V8 pretenures event objects after a burst: 10 % slower, and 10 MiB of garbage a thread.
 */
const bornYoung = '--no-allocation-site-pretenuring';
/**
 * How much the old space grows before V8 marks it. With less it marks twice a trial, on another core, and objects made meanwhile
 * are kept until the next marking.
 */
const growing = '--heap-growing-percent=40';

/** Threads that run trials on one shared pack. A thread that dies takes its trial with it, and is replaced. */
export class SweepPool implements TrialRunner {
  readonly #waiting: Job[] = [];
  readonly #threads: PoolThread[];
  #pack: TrialPack | undefined;

  constructor(setting: SweepPoolDeps) {
    setFlagsFromString(bornYoung);
    setFlagsFromString(growing);
    this.#threads = Array.from(
      { length: setting.workers },
      () => new PoolThread(setting, () => this.#waiting.shift()),
    );
  }

  async use(pack: TrialPack | undefined): Promise<void> {
    this.#pack = pack;
  }

  run(task: TrialTask): Promise<TrialOutcome> {
    return new Promise((settle) => {
      this.#waiting.push({ task, pack: this.#pack, settle });
      this.#threads.find((thread) => thread.isIdle)?.next();
    });
  }

  async close(): Promise<void> {
    this.#waiting.length = 0;
    await Promise.all(this.#threads.map(async (thread) => await thread.close()));
  }
}

class PoolThread {
  readonly #setting: SweepPoolDeps;
  readonly #takeJob: () => Job | undefined;
  #worker: Worker | undefined;
  #pack: TrialPack | undefined;
  #job: Job | undefined;
  #cancelTimeout: Cancel = () => {};
  #isClosed = false;

  constructor(setting: SweepPoolDeps, take: () => Job | undefined) {
    this.#setting = setting;
    this.#takeJob = take;
  }

  get isIdle(): boolean {
    return this.#job === undefined && !this.#isClosed;
  }

  next(): void {
    if (!this.isIdle) return;
    const job = this.#takeJob();
    if (job === undefined) return;
    const worker = (this.#worker ??= this.#open());
    this.#job = job;
    if (this.#pack !== job.pack) {
      this.#pack = job.pack;
      post(worker, { type: 'pack', pack: job.pack });
    }
    this.#cancelTimeout = this.#setting.clock.after(this.#setting.timeout, () =>
      this.#lost(`it took longer than ${this.#setting.timeout / 1e6} s`),
    );
    post(worker, { type: 'run', task: job.task });
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#cancelTimeout();
    // One that cannot be ended goes with the process.
    await Promise.race([this.#worker?.terminate(), pause(this.#setting.clock, seconds(1))]);
  }

  #open(): Worker {
    const worker = new Worker(moduleUrl(new URL('./worker.ts', import.meta.url)), {
      workerData: this.#setting.base,
      // Of the environment, which may hold secrets, only where compiled code is kept: a thread is ready at once then.
      env: compiledCode(),
      argv: [],
      execArgv: [],
      stdin: false,
      stdout: true,
      stderr: true,
      name: 'sweep',
      resourceLimits: { maxOldGenerationSizeMb: heapMbMax, maxYoungGenerationSizeMb: youngMbMax },
    });
    noteThread(worker);
    // What a strategy prints is no result of the sweep.
    worker.stdout.resume();
    worker.stderr.resume();
    worker.on('message', (message: FromSweepWorker) => {
      if (this.#worker !== worker) return;
      if ('late' in message) this.#setting.onLate?.(message.late);
      else this.#settle(message);
    });
    const gone = (why: string): void => {
      if (this.#worker === worker && !this.#isClosed) this.#lost(why);
    };
    worker.on('error', (error: unknown) => gone(`its thread threw ${String(error)}`));
    worker.on('exit', (code) => gone(`its thread ended with exit code ${code}`));
    return worker;
  }

  #lost(why: string): void {
    const worker = this.#worker;
    this.#worker = undefined;
    this.#pack = undefined;
    void worker?.terminate();
    this.#settle({
      figures: {},
      digest: '',
      failure: `the trial was lost: ${why}`,
      equity: { times: [], values: [] },
    });
  }

  #settle(outcome: TrialOutcome): void {
    this.#cancelTimeout();
    const job = this.#job;
    this.#job = undefined;
    job?.settle(outcome);
    this.next();
  }
}

function post(worker: Worker, message: ToSweepWorker): void {
  worker.postMessage(message, []);
}
