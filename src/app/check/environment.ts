import { channel } from 'node:diagnostics_channel';
import { Random } from '../../core/base/random.ts';
import type { CallSites } from './call-sites.ts';
import type { Touch } from './task.ts';

const touchesMax = 100;
/** Another month, weekday and hour. */
const strangeShiftMs = 227 * 86_400_000 + 7 * 3_600_000 + 13 * 60_000;

/**
 * Watches what a strategy reaches for besides what it is handed: the ambient clock and random numbers, and what the permission
 * model of the process refuses. Only the processes of a check do this.
 */
export class Environment {
  readonly #sites: CallSites;
  readonly #touches = new Map<string, Touch>();

  constructor(sites: CallSites) {
    this.#sites = sites;
  }

  /** With `strange`, the ambient clock is wrong, and the ambient random numbers are others. */
  install(strange: boolean): void {
    const real = Date;
    const shift = strange ? strangeShiftMs : 0;
    const now = real.now.bind(real);
    const touch = (what: string): void => this.#touch(what);
    const watched = function (this: unknown, ...given: readonly unknown[]): unknown {
      if (given.length > 0) return Reflect.construct(real, given, new.target ?? watched);
      touch('the wall clock');
      const date: unknown = Reflect.construct(real, [now() + shift], new.target ?? watched);
      return new.target === undefined ? String(date) : date;
    };
    watched.prototype = real.prototype;
    const shiftedNow = (): number => {
      touch('the wall clock');
      return now() + shift;
    };
    Object.assign(watched, { now: shiftedNow, parse: real.parse, UTC: real.UTC });
    Reflect.set(globalThis, 'Date', watched);
    this.#watchCounters(shift);
    for (const name of ['setTimeout', 'setInterval', 'setImmediate'])
      this.#wrap(globalThis, name, 'the timers of the machine');
    const random = new Random(strange ? 'strange' : 'usual');
    const chance = Math.random.bind(Math);
    Reflect.set(Math, 'random', () => {
      touch('the random numbers of the machine');
      return strange ? random.float() : chance();
    });
    for (const scope of ['fs', 'net', 'child', 'worker', 'addon', 'wasi', 'inspector'])
      channel(`node:permission-model:${scope}`).subscribe((message) => this.#touch(refused(scope, message)));
  }

  /** Counters besides the wall clock show the time, too. */
  #watchCounters(shift: number): void {
    this.#wrap(performance, 'now', 'the wall clock', (value) => Number(value) + shift);
    const { hrtime } = process;
    this.#wrap(
      hrtime,
      'bigint',
      'the wall clock',
      (value) => BigInt(String(value)) + BigInt(shift) * 1_000_000n,
    );
    this.#wrap(process, 'hrtime', 'the wall clock');
  }

  /** Puts a watch around a function of an object; `other` makes another answer of its own. */
  #wrap(owner: object, name: string, what: string, other = (value: unknown): unknown => value): void {
    const real: unknown = Reflect.get(owner, name);
    if (typeof real !== 'function') return;
    const touch = (): void => this.#touch(what);
    const watched = function (this: unknown, ...given: readonly unknown[]): unknown {
      touch();
      return other(Reflect.apply(real, owner, given));
    };
    // What hangs on the function, as the promise form of a timer, stays with it.
    Reflect.set(owner, name, Object.defineProperties(watched, Object.getOwnPropertyDescriptors(real)));
  }

  /** Things that were touched since the last call. */
  take(): readonly Touch[] {
    const touches = [...this.#touches.values()];
    this.#touches.clear();
    return touches;
  }

  #touch(what: string): void {
    const site = this.#sites.siteIn(new Error('a touch').stack);
    if (site === undefined || this.#touches.size >= touchesMax) return;
    this.#touches.set(`${site} ${what}`, { what, site });
  }
}

function refused(scope: string, message: unknown): string {
  const resource: unknown =
    typeof message === 'object' && message !== null ? Reflect.get(message, 'resource') : undefined;
  const name = typeof resource === 'string' && resource !== '' ? ` ${resource}` : '';
  return scope === 'fs' ? `the file${name}` : `${scope}${name}`;
}
