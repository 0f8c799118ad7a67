import type { Cancel, Clock } from '../../core/base/clock.ts';
import { millis } from '../../core/base/clock.ts';
import type { Logger } from '../../core/base/logger.ts';
import { Random } from '../../core/base/random.ts';
import type { Trouble, TroubledExchange, TroubleName } from './troubles.ts';
import { beginTrouble, troubles } from './troubles.ts';

/** A trouble that was asked for, with the seed of its moments. */
export interface AskedTrouble {
  readonly name: TroubleName;
  readonly seed: number;
}

export interface ChaosDeps {
  readonly exchange: TroubledExchange;
  readonly clock: Clock;
  readonly log: Logger;
}

/** Pause between two times of one trouble, and before the first, milliseconds. */
const pauseMs = [5_000, 45_000] as const;
/** Shortest that one lasts, milliseconds. */
const forMsMin = 5_000;

/** Has troubles come and go at seeded moments, each by itself, and tells the log when one begins and ends. */
export class Chaos {
  readonly #setup: ChaosDeps;
  readonly #waits = new Map<TroubleName, Cancel>();
  readonly #endings = new Map<TroubleName, () => void>();

  constructor(setup: ChaosDeps) {
    this.#setup = setup;
  }

  /** Has a trouble come and go from now on: its moments, its length and its strength are given by name and seed. */
  start({ name, seed }: AskedTrouble): void {
    this.#wait(name, new Random(`chaos/${name}/${seed}`), 1);
  }

  /** Ends all of them. */
  stop(): void {
    for (const cancel of this.#waits.values()) cancel();
    this.#waits.clear();
    for (const end of this.#endings.values()) end();
    this.#endings.clear();
  }

  #wait(name: TroubleName, random: Random, number: number): void {
    this.#after(name, random.between(...pauseMs), () => this.#begin(name, random, number));
  }

  #begin(name: TroubleName, random: Random, number: number): void {
    const { exchange, log } = this.#setup;
    const { timesMax, ms, forMsMax, says }: Trouble = troubles[name];
    const forMs = random.between(forMsMin, forMsMax);
    const times = random.between(1, timesMax ?? 1);
    const terms = { times, ms: ms ?? 0, symbols: exchange.symbols() };
    const said = { trouble: name, number, forMs, ...(timesMax !== undefined && { times }) };
    log.warn(said, `trouble begins: ${says}`);
    const end = beginTrouble(name, exchange, terms);
    this.#endings.set(name, () => {
      end();
      log.warn({ trouble: name, number }, 'trouble ends');
    });
    this.#after(name, forMs, () => {
      this.#endings.get(name)?.();
      this.#endings.delete(name);
      this.#wait(name, random, number + 1);
    });
  }

  #after(name: TroubleName, ms: number, task: () => void): void {
    this.#waits.set(name, this.#setup.clock.after(millis(ms), task));
  }
}
