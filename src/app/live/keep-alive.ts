import type { Cancel, Clock, Micros } from '../../core/base/clock.ts';
import { micros, microsPerSecond, millis, seconds, timeText } from '../../core/base/clock.ts';
import { pause } from '../../core/base/pause.ts';
import type { Venue } from '../../core/bus/index.ts';
import type { Capabilities } from '../../core/model/capabilities.ts';
import type { Config } from '../config/schema.ts';

export interface KeepAliveDeps {
  readonly venue: Pick<Venue, 'keepAlive'>;
  readonly clock: Clock;
  /** The venue cancels that long after the last renewal that it took. */
  readonly timeout: Micros;
}

/** The switch of the venue, as its operator sees it. */
export interface KeepAliveState {
  /** The venue cancels at this wall time unless it is renewed; `undefined` until it was armed. */
  readonly cancelsAt: Micros | undefined;
  /** Fault of the last attempt; empty when it was acknowledged. */
  readonly why: string;
}

/** Renewals within one timeout, and pauses after an attempt that failed. */
const renewals = 3;
const retryAfter = seconds(1);

/**
 * Keeps the switch of a venue armed that cancels all orders of the account when it is not renewed. The renewals are timers of the event
 * loop that trades: where that stands, none leaves. What the venue does not acknowledge is said before it may cancel.
 */
export class KeepAlive {
  readonly #parts: KeepAliveDeps;
  readonly #every: Micros;
  #say: (line: string) => void = () => {};
  #acknowledgedAt: Micros | undefined;
  #since = micros(0);
  #why = '';
  #isSaid = false;
  #isAsking = false;
  #cancel: Cancel = () => {};
  #isOver = false;

  constructor(parts: KeepAliveDeps) {
    this.#parts = parts;
    this.#every = micros(Math.floor(parts.timeout / renewals));
    this.#since = parts.clock.uptime();
    this.#renew();
  }

  get state(): KeepAliveState {
    const { clock, timeout } = this.#parts;
    const at = this.#acknowledgedAt;
    const cancelsAt = at === undefined ? undefined : micros(clock.now() - clock.uptime() + at + timeout);
    return { cancelsAt, why: this.#why };
  }

  /** Hands over where lines go that a person should read at once. */
  sayTo(say: (line: string) => void): void {
    this.#say = say;
  }

  /** Ends the renewals, and leaves the switch armed: the venue cancels what is live. */
  close(): void {
    this.#isOver = true;
    this.#cancel();
  }

  /** Ends the renewals and disarms the switch, within `limit`. */
  async disarm(limit: Micros): Promise<void> {
    this.close();
    const { venue, clock } = this.#parts;
    const why = await Promise.race([
      venue.keepAlive?.(micros(0)) ?? Promise.resolve(''),
      pause(clock, limit).then(() => 'no answer in time'),
    ]);
    if (why !== '')
      this.#say(
        `The switch of the venue was not disarmed (${why}): it cancels what is live ${this.#whenText()}.`,
      );
  }

  #renew(): void {
    if (this.#isOver) return;
    if (!this.#isAsking) void this.#ask();
    this.#sayLate();
    const isLate = this.#why !== '' || this.#acknowledgedAt === undefined;
    const next = isLate ? micros(Math.min(this.#every, retryAfter)) : this.#every;
    this.#cancel = this.#parts.clock.after(next, () => this.#renew());
  }

  async #ask(): Promise<void> {
    const { venue, clock, timeout } = this.#parts;
    this.#isAsking = true;
    const askedAt = clock.uptime();
    this.#why = (await venue.keepAlive?.(timeout)) ?? '';
    this.#isAsking = false;
    if (this.#why !== '' || this.#isOver) return;
    // The venue counts from when it took the renewal, which may have been as early as this.
    this.#acknowledgedAt = askedAt;
    if (this.#isSaid) this.#say('The venue acknowledges its switch again.');
    this.#isSaid = false;
  }

  /** Two renewals were missed: one may be lost. */
  #sayLate(): void {
    const age = this.#parts.clock.uptime() - (this.#acknowledgedAt ?? this.#since);
    if (this.#isSaid || age < 2 * this.#every) return;
    this.#isSaid = true;
    const because = this.#why === '' ? 'no answer' : this.#why;
    const ageText = `${Math.round(age / microsPerSecond)} s`;
    this.#say(
      this.#acknowledgedAt === undefined
        ? `The switch of the venue is not armed after ${ageText} (${because}): nothing of the venue would cancel orders if this daemon were gone.`
        : `The venue has not acknowledged its switch for ${ageText} (${because}): it may cancel all orders of the account ${this.#whenText()}.`,
    );
  }

  #whenText(): string {
    const { cancelsAt } = this.state;
    return cancelsAt === undefined ? 'soon' : `at ${timeText(cancelsAt)}`;
  }
}

interface ArmedRun {
  readonly mode: string;
  readonly config: Pick<Config, 'sentinel'>;
  readonly clock: Clock;
  readonly venue: { readonly capabilities: Capabilities };
}

/** Arms the switch of a venue that has one, for a run that trades there, unless the configuration says otherwise. */
export function armKeepAlive(
  { mode, config, clock, venue: module }: ArmedRun,
  venue: KeepAliveDeps['venue'],
): KeepAlive | undefined {
  const { keepAlive, keepAliveMs } = config.sentinel;
  const range = module.capabilities.keepAlive;
  if (mode === 'paper' || !keepAlive || range === undefined || venue.keepAlive === undefined)
    return undefined;
  const timeout = millis(Math.min(range.msMax, Math.max(range.msMin, keepAliveMs)));
  return new KeepAlive({ venue, clock, timeout });
}
