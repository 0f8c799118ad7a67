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
  /** Threads at most, at least one. */
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

/**
 * Trials that wait for each thread before one more is worth its start: it loads the program and compiles it anew, which takes it as
 * much processor time as several trials on little data.
 */
const trialsAThread = 10;
/** Time for which trials wait in all before one more thread is worth its start, however few they are: such trials are long. */
const patience = seconds(10);

/**
 * Threads that run trials on one shared pack, no more than the trials are worth. A thread that dies takes its trial with it, and is
 * replaced.
 */
export class SweepPool implements TrialRunner {
  readonly #waiting: Job[] = [];
  readonly #threads: PoolThread[];
  readonly #clock: Clock;
  #pack: TrialPack | undefined;
  /** Threads that have been given trials: the first ones. */
  #used = 0;
  /** The rest of `patience`, and since when it is running out. */
  #left = patience;
  #waitsSince: Micros | undefined;
  #cancelWait: Cancel = () => {};

  constructor(setting: SweepPoolDeps) {
    setFlagsFromString(bornYoung);
    setFlagsFromString(growing);
    this.#clock = setting.clock;
    this.#threads = Array.from(
      { length: setting.workers },
      () => new PoolThread(setting, () => this.#takeJob()),
    );
  }

  async use(pack: TrialPack | undefined): Promise<void> {
    this.#pack = pack;
  }

  run(task: TrialTask): Promise<TrialOutcome> {
    return new Promise((settle) => {
      this.#waiting.push({ task, pack: this.#pack, settle });
      const idle = this.#threads.slice(0, this.#used).find((thread) => thread.isIdle);
      if (idle !== undefined) idle.next();
      else if (this.#isOneMoreWorth()) this.#useOneMore();
      this.#followWait();
    });
  }

  /** The job that has waited longest. */
  #takeJob(): Job | undefined {
    const job = this.#waiting.shift();
    this.#followWait();
    return job;
  }

  #isOneMoreWorth(): boolean {
    const used = this.#used;
    return used < this.#threads.length && (used === 0 || this.#waiting.length >= trialsAThread * (used + 1));
  }

  #useOneMore(): void {
    this.#used += 1;
    this.#threads[this.#used - 1]?.next();
  }

  /** Lets patience run out while trials wait that one more thread could take. */
  #followWait(): void {
    const waits = this.#waiting.length > 0 && this.#used < this.#threads.length;
    if (waits === (this.#waitsSince !== undefined)) return;
    const now = this.#clock.uptime();
    if (this.#waitsSince !== undefined) {
      this.#cancelWait();
      this.#left = Math.max(0, this.#left - (now - this.#waitsSince)) as Micros;
      this.#waitsSince = undefined;
      return;
    }
    this.#waitsSince = now;
    this.#cancelWait = this.#clock.after(this.#left, () => {
      this.#waitsSince = undefined;
      this.#left = patience;
      this.#useOneMore();
      this.#followWait();
    });
  }

  async close(): Promise<void> {
    this.#waiting.length = 0;
    this.#followWait();
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
