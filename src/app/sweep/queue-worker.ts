import type { JsMsg } from '@nats-io/jetstream';
import type { Cancel, Clock } from '../../core/base/clock.ts';
import { millis, seconds } from '../../core/base/clock.ts';
import { digestOf } from '../../research/search/index.ts';
import { hashStrategy } from '../../core/strategy/framework.ts';
import { codeHash } from '../run/code-hash.ts';
import { pause } from '../../core/base/pause.ts';
import type { QueueJob } from './queue-job.ts';
import { atHome, givenUp, queueJob } from './queue-job.ts';
import type { QueueLink } from './queue-link.ts';
import { ackWaitMs, runsConsumer, runsStream } from './queue-link.ts';
import { withStrategyHere } from '../run/scenario-config.ts';
import { SweepPool } from './pool.ts';
import type { TrialOutcome, TrialPack } from './trial-contract.ts';
import type { ConfiguredScenario } from '../run/scenario.ts';

export interface QueueWorkerDeps {
  readonly link: QueueLink;
  readonly home: string;
  readonly clock: Clock;
  readonly onRun: (run: { readonly key: string; readonly failure: string | undefined }) => void;
  readonly onTrouble: (text: string) => void;
}

/** A run has failed when this many workers took it and none finished it. */
const deliveriesMax = 5;
const trialTimeout = seconds(3_600);
const pullMs = 5_000;
const refuseDelayMs = 5_000;

/** Takes runs from the queue, one at a time: the result is put once, and confirmed only when it stands there. */
export class QueueWorker {
  readonly #setting: QueueWorkerDeps;
  #base: { readonly name: string; readonly base: ConfiguredScenario; readonly code: string } | undefined;
  #pack: { readonly name: string; readonly pack: TrialPack } | undefined;
  #pool: SweepPool | undefined;
  #isClosed = false;

  constructor(setting: QueueWorkerDeps) {
    this.#setting = setting;
  }

  /** Works until it is closed. A line that is down comes back by itself. */
  async work(): Promise<void> {
    const { link, onTrouble, clock } = this.#setting;
    while (!this.#isClosed) {
      try {
        const consumer = await link.streams.consumers.get(runsStream, runsConsumer);
        while (!this.#isClosed) {
          const message = await consumer.next({ expires: pullMs });
          if (message !== null) await this.#takeTrial(message);
        }
      } catch (error) {
        if (this.#isClosed) return;
        onTrouble(`queue: ${error instanceof Error ? error.message : String(error)}; trying again`);
        await pause(clock, millis(1_000));
      }
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#pool?.close();
    await this.#setting.link.connection.close();
  }

  async #takeTrial(message: JsMsg): Promise<void> {
    const job = jobOf(message);
    if (job === undefined) {
      message.term('unknown run id');
      return;
    }
    const { results } = this.#setting.link;
    const known = await results.get(job.key);
    if (known !== null) {
      message.ack();
      return;
    }
    const stopBeating = this.#beat(message);
    try {
      const outcome = await this.#run(message, job);
      if (outcome === undefined || this.#isClosed) {
        message.nak(refuseDelayMs);
        return;
      }
      await this.#putOutcome(job.key, outcome);
      await message.ackAck();
      this.#setting.onRun({ key: job.key, failure: outcome.failure });
    } finally {
      stopBeating();
    }
  }

  /** `undefined`: this worker cannot, another may. */
  async #run(message: JsMsg, job: QueueJob): Promise<TrialOutcome | undefined> {
    if (message.info.deliveryCount > deliveriesMax)
      return givenUp(`${deliveriesMax} workers took this run, and none finished it`);
    const code = await this.#open(job);
    if (code !== job.code) {
      this.#setting.onTrouble(
        `a run is for code ${job.code}, here is ${code}: expected the same version and strategy on both machines`,
      );
      return undefined;
    }
    return await this.#pool?.run(job.task as Parameters<SweepPool['run']>[0]);
  }

  /** Fetches what the run needs, unless it is here from the run before. Returns the hash of our code for it. */
  async #open(job: QueueJob): Promise<string> {
    const { clock, home } = this.#setting;
    if (this.#base?.name !== job.base) {
      const sent = atHome(Buffer.from(await this.#fetch(job.base)).toString('utf8'), home);
      const base = withStrategyHere(sent, home);
      await this.#pool?.close();
      this.#pool = new SweepPool({ base, workers: 1, clock, timeout: trialTimeout });
      this.#base = {
        name: job.base,
        base,
        code: digestOf([codeHash(), hashStrategy(base.config.strategies[0]?.path ?? '')]),
      };
      this.#pack = undefined;
    }
    if (job.pack !== null && this.#pack?.name !== job.pack) {
      const fetched = await this.#fetch(job.pack);
      const bytes = new Uint8Array(new SharedArrayBuffer(fetched.length));
      bytes.set(fetched);
      this.#pack = { name: job.pack, pack: { bytes, label: job.label, prepared: job.prepared } };
      await this.#pool?.use(this.#pack.pack);
    }
    return this.#base.code;
  }

  async #fetch(name: string): Promise<Uint8Array> {
    const bytes = await this.#setting.link.packs.getBlob(name);
    if (bytes === null) throw new Error(`the object ${name} is not in the queue's store`);
    return bytes;
  }

  /** A result that stands there already was put by a worker that was thought lost: it is the same one. */
  async #putOutcome(key: string, outcome: TrialOutcome): Promise<void> {
    const { results } = this.#setting.link;
    try {
      await results.create(key, JSON.stringify(outcome));
    } catch (error) {
      if ((await results.get(key)) === null) throw error;
    }
  }

  /** Reports now and then that the run is still being worked on. */
  #beat(message: JsMsg): Cancel {
    const { clock } = this.#setting;
    let cancel: Cancel = () => {};
    const next = (): void => {
      cancel = clock.after(millis(ackWaitMs / 4), () => {
        message.working();
        next();
      });
    };
    next();
    return () => cancel();
  }
}

function jobOf(message: JsMsg): QueueJob | undefined {
  try {
    return queueJob.parse(message.json());
  } catch {
    return undefined;
  }
}
