import type { MessagePort } from 'node:worker_threads';
import { MessageChannel, Worker } from 'node:worker_threads';
import type { Clock, Micros } from '../base/clock.ts';
import { micros, microsPerMilli, microsPerSecond, millis, seconds } from '../base/clock.ts';
import { compiledCodeToRead } from '../base/compiled-code.ts';
import { BadInput } from '../base/errors.ts';
import { moduleUrl } from '../base/module-url.ts';
import { noteThread } from '../base/threads.ts';
import type { InstrumentSpec } from '../model/instrument.ts';
import type { Product } from '../model/product.ts';
import type { SeriesDeclaration } from '../model/event.ts';
import type { FeedRequest } from './feed-request.ts';
import type { KeptState } from './host.ts';
import { hashStrategy, strategyAt } from './loader.ts';
import { canRestrict, restrictionsOf } from './permissions.ts';
import type { PlainCode } from './plain-code.ts';
import { plainCodeOf } from './plain-code.ts';
import { RingReader, ringMemory, RingWriter } from './ring.ts';
import { Printout, printError } from './printout.ts';
import { describeThrownAt } from './thrown.ts';
import type { FromWorker, ToWorker, WorkerData } from './worker-messages.ts';
import { fromWorker, MessageQuota, messagesMax } from './worker-messages.ts';
import type { WorkerFeed, WorkerLink, WorkerListener } from './worker-feed.ts';

/** Needs of the start of a strategy's worker. The strategy's code runs in the worker only, even while it loads. */
export interface LaunchDeps {
  readonly clock: Clock;
  /** A `.ts` file, or a folder with an `index.ts`. */
  readonly path: string;
  /** Unchecked parameters. */
  readonly params: unknown;
  /** The name under which it trades; its own when left out. */
  readonly name?: string | undefined;
  /** `full`: with network, programs and all files of the user; `limited` when left out. */
  readonly trust?: Trust | undefined;
  /** Without them the strategy is loaded and checked, and cannot be started. */
  readonly specs: readonly InstrumentSpec[] | undefined;
  /** Options of the trader's state, so that the replica folds alike. */
  readonly stateOptions: unknown;
  readonly seed: number | string;
  readonly idPrefix: string;
  readonly run: string;
  readonly tag: string;
  readonly kept?: KeptState | undefined;
  /** Refuses a strategy whose files hash to something else. */
  readonly sha256?: string | undefined;
  readonly heapMbMax?: number | undefined;
  /** How long its code may take to load, at the first of two attempts. The second may take twice as long. */
  readonly loadTimeout?: Micros | undefined;
  /** Takes a sentence on a first attempt that took too long. */
  readonly late?: ((line: string) => void) | undefined;
  /** Where goes what the strategy prints by itself; standard error when left out. */
  readonly print?: ((text: string) => void) | undefined;
}

/** A strategy did not load in time, which may pass: a supervisor may start the daemon again. Exit code 5. */
export class StrategyLate extends BadInput {
  override readonly code = 'GW_STRATEGY_LATE';
}

/** Reach of the code of a strategy beyond its own files. */
export type Trust = 'limited' | 'full';

/** A strategy that has been loaded and checked in a worker, and has not started. */
export interface LaunchedWorker {
  readonly name: string;
  readonly feeds: readonly FeedRequest[];
  readonly series: readonly SeriesDeclaration[];
  readonly products: readonly Product[];
  /** The JSON Schema of its parameters, as JSON text. */
  readonly paramsSchema: string;
  /** Hash over the strategy's files. */
  readonly sha256: string;
  /** Its place in the task of its worker. */
  readonly of: number;
  /** Its worker, which a group shares. */
  readonly link: WorkerLink;
}

const heapMbDefault = 256;
const loadMsDefault = 60_000;
const flushTimeout = seconds(1);
/** How long a thread may take to end. */
const endTime = seconds(1);
const unrestricted =
  'this version of Node cannot keep it from the network, from programs and from files: it has full trust\n';
const deaf = 'its thread does not end: it takes a processor, and perhaps memory, until the run has ended\n';

/**
 * Starts a worker and loads the strategy in it: no environment, no network, programs and foreign files unless it has full
 * trust, bounded heap, what it prints passed on within bounds.
 * Rejects with `BadInput` (one sentence) when the strategy cannot be loaded, its params are wrong, or its hash is not the expected one;
 * with `StrategyLate` when it does not come up in time at a second attempt either: a machine that is busy is no fault of the strategy.
 */
export async function launchWorker(setting: LaunchDeps): Promise<LaunchedWorker> {
  const [launched] = await launchGroup([setting]);
  return launched as LaunchedWorker;
}

/**
 * Starts one worker for several strategies, with one replica of the state, as `launchWorker` does for one. All but `path`, `params`, `name`, `tag`, `kept`
 * and `sha256` is taken from the first, and the longest `loadTimeout`.
 */
export async function launchGroup(settings: readonly LaunchDeps[]): Promise<readonly LaunchedWorker[]> {
  const limit = Math.max(
    ...settings.map(({ loadTimeout }) => loadTimeout ?? loadTimeOf(undefined)),
  ) as Micros;
  try {
    return await tryToLaunch(settings, limit);
  } catch (error) {
    if (!(error instanceof StrategyLate)) throw error;
    const longer = (2 * limit) as Micros;
    settings[0]?.late?.(`${error.message}; a second attempt has ${secondsText(longer)}`);
    return tryToLaunch(settings, longer);
  }
}

async function tryToLaunch(
  settings: readonly LaunchDeps[],
  limit: Micros,
): Promise<readonly LaunchedWorker[]> {
  const hashes = settings.map(({ path, name, sha256: expected }) => {
    const sha256 = hashStrategy(path, name);
    if (expected !== undefined && expected !== sha256)
      throw new BadInput(
        `${strategyAt(path, name)}: expected files with sha256 ${expected}, found ${sha256}`,
      );
    return sha256;
  });
  const [first] = settings as readonly [LaunchDeps];
  const thread = new WorkerThread(first, settings);
  const cancel = first.clock.after(limit, () => thread.late(limit));
  try {
    const { members } = await thread.ready;
    return members.map((member, of) => ({ ...member, sha256: hashes[of] as string, of, link: thread }));
  } catch (error) {
    await thread.endThread();
    throw error;
  } finally {
    cancel();
  }
}

/** How long a strategy may take to load by its `loadMs`: a minute when left out. */
export function loadTimeOf(loadMs: number | undefined): Micros {
  return millis(loadMs ?? loadMsDefault);
}

class WorkerThread implements WorkerLink {
  feed: WorkerFeed | undefined;
  readonly ready: Promise<FromWorker & { type: 'ready' }>;
  readonly #worker: Worker;
  /** Messages go over a channel of their own: that of the thread can be had by the code of the strategy. */
  readonly #port: MessagePort;
  /** The strategy as messages name it. */
  readonly #who: string;
  readonly #names: readonly (string | undefined)[];
  readonly #clock: Clock;
  readonly #printout: Printout;
  readonly #quota = new MessageQuota();
  readonly #writer: RingWriter;
  readonly #reader: RingReader;
  #isTurning = false;
  #listener: WorkerListener | undefined;
  /** Message that it sent when it was ready, and what has come since, before anything listened. */
  #said: (FromWorker & { type: 'ready' }) | undefined;
  readonly #early: FromWorker[] = [];
  #gone: string | undefined;
  #isRefused = false;
  readonly #flushed = Promise.withResolvers<void>();
  #resolve: (ready: FromWorker & { type: 'ready' }) => void = () => {};
  #reject: (error: Error) => void = () => {};

  constructor(setting: LaunchDeps, all: readonly LaunchDeps[]) {
    const isLimited = (setting.trust ?? 'limited') === 'limited';
    const { specs, stateOptions, seed, idPrefix, run } = setting;
    const members = all.map(({ path, params, name, tag, kept }) => ({ path, params, name, tag, kept }));
    const code = Object.assign({}, ...all.map(({ path, name }) => plainCodeOf(path, name))) as PlainCode;
    const task = { members, code, isLimited, specs, stateOptions, seed, idPrefix, run };
    this.#who = all.map(({ path, name }) => strategyAt(path, name)).join(', ');
    this.#names = all.map(({ name }) => name);
    this.#clock = setting.clock;
    this.ready = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
    const { port1, port2 } = new MessageChannel();
    const compiled = compiledCodeToRead();
    this.#port = port1;
    const [toWorker, fromWorker] = [ringMemory(ringWords.toWorker), ringMemory(ringWords.fromWorker)];
    this.#writer = new RingWriter({ memory: toWorker, port: port1 });
    this.#reader = new RingReader(
      { memory: fromWorker, port: port1 },
      { woken: () => this.take(), flooded: () => this.fail('it sent more than is waited for') },
    );
    this.#reader.sleep();
    this.#worker = new Worker(moduleUrl(new URL('./worker.ts', import.meta.url)), {
      workerData: { task, channel: { port: port2, toWorker, fromWorker } } satisfies WorkerData,
      transferList: [port2],
      // The worker leaves it before it loads the strategy.
      env: compiled.environment,
      argv: [],
      execArgv:
        isLimited && canRestrict()
          ? [...restrictionsOf(all.map(({ path }) => path)), ...compiled.permissions]
          : [],
      stdin: false,
      stdout: true,
      stderr: true,
      name: 'strategy',
      resourceLimits: {
        maxOldGenerationSizeMb: setting.heapMbMax ?? heapMbDefault,
        maxYoungGenerationSizeMb: 8,
      },
    });
    noteThread(this.#worker);
    this.#printout = new Printout(
      `strategy ${all.map(({ name, path }) => name ?? path).join(', ')}`,
      () => setting.clock.now(),
      setting.print ?? printError,
    );
    for (const stream of [this.#worker.stdout, this.#worker.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => this.#printout.takeText(text));
    if (isLimited && !canRestrict()) this.#printout.takeText(unrestricted);
    for (const port of [this.#port, this.#worker])
      port.on('messageerror', () => this.fail('it sent what cannot be read'));
    this.#worker.on('message', () =>
      this.fail('its code posted a message of its own to the thread that trades'),
    );
    this.#worker.on('error', (error: unknown) => this.fail(reasonOf(error)));
    this.#worker.on('exit', (code) => {
      // What it said last may still wait in its channel.
      for (let left = messagesMax; left > 0 && !this.#reader.isEmpty; left--)
        this.#takeMessage(this.#nextMessage());
      this.#port.close();
      this.#flushed.resolve();
      // A thread that only names its feeds ends as soon as it has; all it posted has come.
      this.#accept();
      this.fail(`its thread ended with exit code ${code}`);
    });
  }

  post(message: ToWorker): boolean {
    return this.#gone !== undefined || this.#writer.post(message);
  }

  get isBehind(): boolean {
    return this.#isTurning;
  }

  wait(time: Micros): boolean {
    if (this.#gone !== undefined || this.#isTurning) return false;
    if (!this.#reader.isEmpty) return true;
    const begun = this.#clock.uptime();
    const awakeEnd = begun + Math.min(time, awakeTime);
    if (this.#reader.waitAwake(() => this.#clock.uptime() < awakeEnd)) return true;
    const left = begun + time - this.#clock.uptime();
    return this.#reader.wait(Math.max(0, left) / microsPerMilli);
  }

  /**
   * Handles what has come, in slices between which the event loop turns. A worker that says little is served at once; one that floods
   * keeps the loop no longer than a slice takes.
   */
  take(): void {
    if (this.#isTurning) return;
    for (let left = sliceMax; left > 0; left--) {
      if (this.#gone !== undefined || (this.#reader.isEmpty && this.#reader.sleep())) return;
      this.#takeMessage(this.#nextMessage());
    }
    this.#isTurning = true;
    setImmediate(() => {
      this.#isTurning = false;
      this.take();
    });
  }

  /** The next message, or nothing where it is none. */
  #nextMessage(): unknown {
    try {
      return this.#reader.take();
    } catch (error) {
      if (error instanceof BadInput) return undefined;
      throw error;
    }
  }

  listen(listener: WorkerListener): void {
    this.#listener = listener;
    for (const message of this.#early.splice(0)) listener.message(message);
    if (this.#gone !== undefined) listener.gone(this.#gone);
  }

  fail(why: string): void {
    if (this.#gone !== undefined) return;
    this.#gone = why;
    this.#reject(new BadInput(`${this.#who}: ${why}`));
    this.#listener?.gone(why);
  }

  /** It has not loaded within its time, which a slow or busy machine explains as well as a strategy that hangs. */
  late(limit: Micros): void {
    if (this.#gone !== undefined) return;
    const why = `it did not load within ${secondsText(limit)}`;
    this.#reject(new StrategyLate(`${this.#who}: ${why} (loadMs of the strategy allows more)`));
    this.fail(why);
  }

  async endThread(): Promise<void> {
    // A thread that is refused ends by itself, one that has failed or hangs says nothing more.
    if (this.#gone === undefined || this.#isRefused) {
      const cancel = this.#clock.after(flushTimeout, () => this.#flushed.resolve());
      this.#writer.post({ type: 'flush' } satisfies ToWorker);
      await this.#flushed.promise;
      cancel();
    }
    await this.terminate();
  }

  async terminate(): Promise<void> {
    this.#gone ??= 'it was ended';
    const late = Promise.withResolvers<void>();
    const cancel = this.#clock.after(endTime, () => {
      this.#printout.takeText(deaf);
      late.resolve();
    });
    await Promise.race([this.#worker.terminate(), late.promise]);
    cancel();
  }

  #takeMessage(message: unknown): void {
    if (this.#gone !== undefined) return;
    const parsed = fromWorker.safeParse(message);
    const tooMuch = parsed.success ? this.#quota.countMessage(this.#clock.now(), parsed.data) : undefined;
    if (!parsed.success) this.fail('its thread posted a message that is not of this program');
    else if (tooMuch !== undefined) this.fail(tooMuch);
    else if (parsed.data.type === 'ready') this.#isReady(parsed.data);
    else if (parsed.data.type === 'refused') this.#refused(parsed.data.why);
    else if (parsed.data.type === 'flushed') this.#flushed.resolve();
    else if (this.#listener !== undefined) this.#listener.message(parsed.data);
    else if (this.#said !== undefined) this.#early.push(parsed.data);
  }

  /** Its own channel ties all it says to one strategy; it names itself only where it was given no name. */
  #isReady(ready: FromWorker & { type: 'ready' }): void {
    // What its code posted before over the channel of the thread arrives in this turn of the event loop, and then counts first.
    const wrong = this.#names.find((name, of) => name !== undefined && ready.members[of]?.name !== name);
    if (wrong === undefined && ready.members.length === this.#names.length) {
      this.#said = ready;
      setImmediate(() => this.#accept());
    } else {
      const found = ready.members.map(({ name }) => name).join(', ');
      this.fail(`expected it under the name ${this.#names.join(', ')}, found ${found}`);
    }
  }

  #accept(): void {
    if (this.#said !== undefined && this.#gone === undefined) this.#resolve(this.#said);
  }

  #refused(why: string): void {
    this.#gone ??= why;
    this.#isRefused = true;
    this.#reject(new BadInput(why));
  }
}

function secondsText(time: Micros): string {
  return `${time / microsPerSecond} s`;
}

/** Words of eight bytes in each ring: a snapshot of a thousand levels a side, and as many intents as a strategy may have without an answer. */
const ringWords = { toWorker: 32_768, fromWorker: 65_536 } as const;
/** A thread that sleeps takes longer to wake than a strategy to answer. */
const awakeTime = micros(50);
/** So many messages are handled before the event loop turns: what others wait for is never further away. */
const sliceMax = 32;
/** Why a thread ended by an error. */
export function reasonOf(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (code === 'ERR_WORKER_OUT_OF_MEMORY') return 'it used up its memory';
  return `it threw ${describeThrownAt(error)}`;
}
