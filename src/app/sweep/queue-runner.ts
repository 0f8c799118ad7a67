import { createHash } from 'node:crypto';
import type { Cancel, Clock } from '../../core/base/clock.ts';
import { seconds } from '../../core/base/clock.ts';
import type { Output } from '../process/output.ts';
import { portable, queueResult } from './queue-job.ts';
import type { QueueJob } from './queue-job.ts';
import type { QueueLink } from './queue-link.ts';
import { openQueue, QueueFailed, runsSubject } from './queue-link.ts';
import type { TrialRunner, TrialOutcome, TrialPack, TrialTask } from './trial-contract.ts';
import type { SweepSetup } from './setup.ts';

export interface QueueRunnerDeps {
  readonly url: string;
  readonly setup: SweepSetup;
  readonly home: string;
  readonly clock: Clock;
  readonly output: Output;
}

/** Results are looked for so often, should a notice have been lost. */
const lookEvery = seconds(5);
const publishTries = 10;

/** A runner whose runs wait in a queue for workers. Throws `QueueFailed` when the queue cannot be used. */
export async function openQueueRunner(setting: QueueRunnerDeps): Promise<TrialRunner> {
  const { url, clock } = setting;
  const link = await openQueue({ url, clock });
  const runner = new QueueRunner(link, setting);
  await runner.beginSweep();
  return runner;
}

class QueueRunner implements TrialRunner {
  readonly #link: QueueLink;
  readonly #setting: QueueRunnerDeps;
  readonly #waiting = new Map<string, (outcome: TrialOutcome) => void>();
  #base = '';
  #pack: { readonly name: string; readonly pack: TrialPack } | undefined;
  #cancelLook: Cancel = () => {};
  #isClosed = false;

  constructor(link: QueueLink, setting: QueueRunnerDeps) {
    this.#link = link;
    this.#setting = setting;
  }

  /** Stores what all runs have in common, and begins to listen for results. */
  async beginSweep(): Promise<void> {
    const { setup, home } = this.#setting;
    this.#base = await this.#store(Buffer.from(portable(setup.base, home), 'utf8'), 'base');
    void this.#listen();
    this.#lookAtQueue();
  }

  async use(pack: TrialPack | undefined): Promise<void> {
    this.#pack = pack === undefined ? undefined : { name: await this.#store(pack.bytes, 'pack'), pack };
  }

  async run(task: TrialTask, key: string): Promise<TrialOutcome> {
    const outcome = new Promise<TrialOutcome>((settle) => this.#waiting.set(key, settle));
    if (await this.#find(key)) return await outcome;
    const job: QueueJob = {
      key,
      code: this.#setting.setup.code,
      base: this.#base,
      pack: this.#pack?.name ?? null,
      label: this.#pack?.pack.label ?? '',
      prepared: this.#pack?.pack.prepared ?? 0,
      task,
    };
    await this.#publish(JSON.stringify(job), key);
    return await outcome;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#cancelLook();
    this.#waiting.clear();
    await this.#link.connection.close();
  }

  /** The server drops a message whose id it has seen: trying again hands in nothing twice. */
  async #publish(text: string, key: string): Promise<void> {
    for (let left = publishTries; ; left--) {
      try {
        await this.#link.streams.publish(runsSubject, text, { msgID: key, timeout: 5_000 });
        return;
      } catch (error) {
        if (this.#isClosed) return;
        if (left <= 1)
          throw new QueueFailed(`${this.#setting.url}: the queue takes no runs: ${String(error)}`, {
            cause: error,
          });
      }
    }
  }

  async #store(bytes: Uint8Array, kind: string): Promise<string> {
    const name = `${kind}-${createHash('sha256').update(bytes).digest('hex').slice(0, 32)}`;
    const { packs } = this.#link;
    if ((await packs.info(name)) !== null) return name;
    // The client copies what it sends; it is not handed memory that threads share.
    await packs.putBlob({ name }, Buffer.from(bytes));
    return name;
  }

  async #listen(): Promise<void> {
    try {
      const notices = await this.#link.results.watch({ include: 'updates' });
      for await (const { key, value } of notices) this.#settleTrial(key, value);
    } catch (error) {
      if (!this.#isClosed)
        this.#setting.output.progress(`queue: ${String(error)}; results are looked for instead`);
    }
  }

  #lookAtQueue(): void {
    this.#cancelLook = this.#setting.clock.after(lookEvery, () => {
      void this.#lookNow().finally(() => {
        if (!this.#isClosed) this.#lookAtQueue();
      });
    });
  }

  async #lookNow(): Promise<void> {
    for (const key of this.#waiting.keys()) if (!this.#isClosed) await this.#find(key);
  }

  /** Whether the result of `key` stands there; if so, its run is settled. */
  async #find(key: string): Promise<boolean> {
    try {
      const entry = await this.#link.results.get(key);
      if (entry === null || entry.operation !== 'PUT') return false;
      this.#settleTrial(key, entry.value);
      return true;
    } catch {
      // The line is down; it will be looked for again.
      return false;
    }
  }

  #settleTrial(key: string, value: Uint8Array): void {
    const settle = this.#waiting.get(key);
    if (settle === undefined || value.length === 0) return;
    this.#waiting.delete(key);
    settle(queueResult.parse(JSON.parse(Buffer.from(value).toString('utf8'))));
  }
}
