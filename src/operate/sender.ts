import { z } from 'zod';
import type { Cancel, Clock, Micros } from '../core/base/clock.ts';
import { later, seconds, timeText } from '../core/base/clock.ts';
import type { Logger } from '../core/base/logger.ts';

/** Place that news are sent to: `send` resolves when it arrived, and rejects with a reason that holds no secret. */
export interface NewsPlace {
  readonly name: string;
  send(texts: readonly string[]): Promise<void>;
}

/** A place that says when it may be asked again. */
export class PlaceBusy extends Error {
  /** From now on. */
  readonly wait: Micros;

  /** `waitSeconds` as the place says; more than a day counts as one. */
  constructor(message: string, waitSeconds: number) {
    super(message);
    this.wait = seconds(Math.min(waitSeconds, 86_400));
  }
}

const keptNews = z.strictObject({ time: z.int().transform((micros) => micros as Micros), text: z.string() });

/** News that is kept until it has arrived, by the place that it is for, as it stands in a file. */
export const keptNewsShape = z.strictObject({
  version: z.literal(1),
  places: z.record(z.string(), z.array(keptNews)),
});

export type KeptNews = Readonly<z.output<typeof keptNews>>;

/** Keeps news over a restart, for one place. */
export interface NewsStore {
  /** News that an earlier run did not deliver, the oldest first. */
  earlier(): readonly KeptNews[];
  /** All that is not delivered now, the oldest first. */
  keep(news: readonly KeptNews[]): void;
}

interface Waiting extends KeptNews {
  readonly isKept: boolean;
}

/** Texts that wait at most, of those that are kept and of the others. The oldest is dropped for a new one. */
const waitingMax = { kept: 50, other: 200 } as const;
/** At most one message in this time: what comes meanwhile leaves together. */
const every = seconds(1);
const pauseMax = seconds(60);
const togetherMax = 20;
/** Characters of one text, and of one message: Telegram takes 4,096. */
const textLengthMax = 1_000;
const messageLengthMax = 3_500;
/** A text that arrives later than this says of what time it is. */
const lateAfter = seconds(30);

/**
 * Sends texts to one place, without ever holding anything up: at most one message a second, several texts in one; one that fails is
 * tried again after twice as long each time, up to a minute, and not before the place allows it. After a failure what is kept goes first,
 * the newest before the older ones. What is too much is dropped and counted.
 */
export class NewsSender {
  readonly #place: NewsPlace;
  readonly #store: NewsStore;
  readonly #clock: Clock;
  readonly #log: Logger;
  /** The oldest first. A text stays until it has arrived. */
  #waiting: Waiting[] = [];
  #dropped = 0;
  /** That failed since the last one that did not; what an earlier run left counts as one. */
  #failures = 0;
  /** Time by `uptime` before which the place asked not to be asked. */
  #notBefore = 0 as Micros;
  #busy = false;
  #closed = false;
  /** The attempt that is under way, or the last one. */
  #sending: Promise<void> = Promise.resolve();
  #cancelTimer: Cancel = () => {};

  constructor(place: NewsPlace, store: NewsStore, clock: Clock, log: Logger) {
    this.#place = place;
    this.#store = store;
    this.#clock = clock;
    this.#log = log;
  }

  /** Takes what another sender, or an earlier run, did not deliver. */
  adopt(news: readonly KeptNews[]): void {
    if (news.length === 0) return;
    this.#waiting = [...news.map((one) => ({ ...one, isKept: true })), ...this.#waiting];
    this.#failures = Math.max(this.#failures, 1);
    this.#limit('kept');
    this.#store.keep(this.#kept());
    if (!this.#busy) this.#next();
  }

  /** `isKept`: until it has arrived, over a restart too. */
  add(text: string, isKept: boolean): void {
    if (this.#closed) return;
    this.#waiting.push({ time: this.#clock.now(), text: shortened(text), isKept });
    this.#limit(isKept ? 'kept' : 'other');
    if (isKept) this.#store.keep(this.#kept());
    if (!this.#busy) this.#next();
  }

  /**
   * Sends what waits once more, unless the place does not allow it yet, and ends. Resolves within the time of two attempts, to what is
   * kept and did not arrive, the oldest first.
   */
  async close(): Promise<readonly KeptNews[]> {
    this.#closed = true;
    this.#cancelTimer();
    await this.#sending;
    if (this.#waiting.length > 0 && this.#clock.uptime() >= this.#notBefore) await this.#sendNow();
    return this.#kept();
  }

  #next(): void {
    this.#busy = this.#waiting.length > 0;
    if (this.#busy) this.#sending = this.#sendNow();
  }

  async #sendNow(): Promise<void> {
    const [taken, texts] = this.#take();
    const dropped = this.#dropped;
    try {
      await this.#place.send(texts);
      this.#dropped -= dropped;
      this.#failures = 0;
      this.#waiting = this.#waiting.filter((one) => !taken.has(one));
      if ([...taken].some(({ isKept }) => isKept)) this.#store.keep(this.#kept());
    } catch (error) {
      this.#failures += 1;
      if (error instanceof PlaceBusy) this.#notBefore = later(this.#clock.uptime(), error.wait);
      const why = error instanceof Error ? error.message : String(error);
      this.#log.warn(
        { place: this.#place.name, why, attempt: this.#failures, kept: this.#kept().length },
        'a notification was not delivered; it is sent again',
      );
    }
    if (!this.#closed) this.#cancelTimer = this.#clock.after(this.#pause(), () => this.#next());
  }

  #pause(): Micros {
    const usual = Math.min(every * 2 ** Math.min(this.#failures, 10), pauseMax);
    return Math.max(usual, this.#notBefore - this.#clock.uptime()) as Micros;
  }

  /** News that the next message takes, and its texts. */
  #take(): readonly [ReadonlySet<Waiting>, readonly string[]] {
    const order =
      this.#failures === 0
        ? this.#waiting
        : [
            ...this.#waiting.filter(({ isKept }) => isKept).toReversed(),
            ...this.#waiting.filter(({ isKept }) => !isKept),
          ];
    const now = this.#clock.now();
    const taken = new Set<Waiting>();
    const texts: string[] = [];
    let length = 0;
    for (const one of order.slice(0, togetherMax)) {
      const text = now - one.time < lateAfter ? one.text : `${timeText(one.time)}: ${one.text}`;
      length += text.length + 1;
      if (length > messageLengthMax) break;
      taken.add(one);
      texts.push(text);
    }
    if (this.#dropped > 0) texts.push(`and ${this.#dropped} more, for which there was no room`);
    return [taken, texts];
  }

  #kept(): readonly KeptNews[] {
    return this.#waiting.filter(({ isKept }) => isKept).map(({ time, text }) => ({ time, text }));
  }

  /** Drops the oldest of what is too much. */
  #limit(kind: keyof typeof waitingMax): void {
    const of = this.#waiting.filter(({ isKept }) => isKept === (kind === 'kept'));
    const excess = new Set(of.slice(0, Math.max(0, of.length - waitingMax[kind])));
    if (excess.size === 0) return;
    this.#dropped += excess.size;
    this.#waiting = this.#waiting.filter((one) => !excess.has(one));
  }
}

/** Half a character would be refused with the whole message, again and again. */
function shortened(text: string): string {
  return (text.length > textLengthMax ? `${text.slice(0, textLengthMax - 1)}…` : text).toWellFormed();
}
