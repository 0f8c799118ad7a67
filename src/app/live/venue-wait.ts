import type { Clock, Micros } from '../../core/base/clock.ts';
import { millis } from '../../core/base/clock.ts';
import type { Random } from '../../core/base/random.ts';
import { Backoff } from '../../core/base/backoff.ts';
import { VenueFailed } from '../../venues/index.ts';
import type { ClientOptions } from '../../venues/index.ts';
import { pause } from '../../core/base/pause.ts';

/** How a run that finds no venue at its start waits for it. */
export interface VenueWait {
  readonly options: ClientOptions['start'];
  /** The run itself lasts no longer than this. */
  readonly forMs: number | undefined;
  /** Says why it waits, and until when. */
  readonly say: (line: string) => void;
}

/** New attempts a minute at most. */
const attemptsPerMinute = 10;

/**
 * Asks until the venue answers: no connection, a server error and a rate limit may pass, so they end nothing before
 * `waitMs`. What the venue refuses is thrown at once. Without `wait` every failure is.
 */
export async function askUntilAnswered<Answer>(
  ask: () => Promise<Answer>,
  { clock, random, wait }: { clock: Clock; random: Random; wait: VenueWait | undefined },
): Promise<Answer> {
  if (wait === undefined) return ask();
  const { options, forMs, say } = wait;
  const end = clock.uptime() + millis(Math.min(options.waitMs, forMs ?? options.waitMs));
  const limits = { firstMs: options.retryMs, maxMs: options.retryMsMax, perMinute: attemptsPerMinute };
  const backoff = new Backoff(limits, random);
  for (;;) {
    try {
      return await ask();
    } catch (error) {
      if (!(error instanceof VenueFailed) || !error.mayPass) throw error;
      const now = clock.uptime();
      const delay = backoff.pause(now);
      if (now + delay > end) throw error;
      say(`${error.message}; trying again in ${secondsText(delay)} (client.start.waitMs: ${options.waitMs})`);
      await pause(clock, delay);
    }
  }
}

function secondsText(delay: Micros): string {
  return `${(delay / millis(1_000)).toFixed(1)} s`;
}
