import type { Micros } from '../../core/base/clock.ts';
import { micros, millis, seconds } from '../../core/base/clock.ts';
import type { Beat, BeatPhase, Lease, SentinelAct } from './run-files.ts';

/** Sight that a sentinel has of its daemon at one moment. */
export interface DaemonLook {
  readonly lease: Lease | undefined;
  readonly beat: Beat | undefined;
  /** Whether the process that holds the lease runs, as far as this process can see others. */
  readonly isRunning: boolean;
  readonly isKilled: boolean;
}

/** Task of a sentinel by what it sees. */
export type DaemonVerdict =
  | { readonly kind: 'watch' }
  | { readonly kind: 'wait'; readonly waitsFor: string }
  | { readonly kind: 'act'; readonly cause: SentinelAct['cause']; readonly why: string }
  | { readonly kind: 'end'; readonly why: string };

export interface JudgeOptions {
  /** The lease that the daemon had which started this sentinel; without one it watches whichever daemon has it. */
  readonly epoch: number | undefined;
  readonly silence: Micros;
  /** The time between two looks. */
  readonly every: Micros;
}

/** Longest standstill of the event loop while a journal is read, and while a report is made: orders are gone by then. */
const startSilence = seconds(60);
const stopSilence = seconds(15);
/** A file may be away for a moment while a directory is moved or a disk is mounted. */
const leaseless = seconds(1);

/**
 * Judges by what is seen whether the daemon is there. Time is the sentinel's own: only the time in which it looked itself counts as
 * silence, so that a machine that slept, or was too busy for either process, makes no daemon silent. One that is stopped by a signal is.
 */
export class Judge {
  readonly #options: JudgeOptions;
  #epoch: number | undefined;
  #lookedAt: Micros | undefined;
  #count: number | undefined;
  #silent = 0;
  #withoutLease = 0;
  /** The process was seen running: one that never was may run where this process sees none, such as in another container. */
  #wasSeen: boolean;

  constructor(options: JudgeOptions) {
    this.#options = options;
    this.#epoch = options.epoch;
    this.#wasSeen = options.epoch !== undefined;
  }

  /** The lease that it watches. */
  get epoch(): number | undefined {
    return this.#epoch;
  }

  /** Whether a beat is another one than the last that was judged: the daemon turns again. */
  isNews({ count }: Beat): boolean {
    return count !== this.#count;
  }

  /** `now`: own monotonic time. */
  judge(look: DaemonLook, now: Micros): DaemonVerdict {
    const passed = this.#passed(now);
    const { lease, beat } = look;
    if (lease === undefined) {
      this.#withoutLease += passed;
      if (this.#options.epoch === undefined) return waiting;
      return this.#withoutLease < leaseless
        ? { kind: 'watch' }
        : { kind: 'end', why: 'the lease of the run directory is gone' };
    }
    this.#withoutLease = 0;
    if (lease.epoch !== this.#epoch) {
      if (this.#options.epoch !== undefined)
        return { kind: 'end', why: `another daemon, process ${lease.pid}, has taken the run directory over` };
      this.#adopt(lease);
    }
    if (lease.ended !== undefined)
      return this.#options.epoch === undefined
        ? waiting
        : { kind: 'end', why: `the daemon has ended: ${lease.ended}` };
    if (look.isKilled) return { kind: 'act', cause: 'killed', why: 'the kill file is there' };
    if (look.isRunning) this.#wasSeen = true;
    this.#hear(beat, passed);
    if (!look.isRunning && this.#wasSeen)
      return { kind: 'act', cause: 'gone', why: `the daemon, process ${lease.pid}, is gone` };
    const limit = this.#limit(beat?.phase);
    if (this.#silent < limit) return { kind: 'watch' };
    const silentMs = Math.round(limit / millis(1));
    return {
      kind: 'act',
      cause: 'silent',
      why: `the event loop of the daemon, process ${lease.pid}, has stood for ${silentMs} ms`,
    };
  }

  /** Own time since the last look, as far as it was looked: what is longer than two looks was slept through. */
  #passed(now: Micros): number {
    const passed = this.#lookedAt === undefined ? 0 : now - this.#lookedAt;
    this.#lookedAt = now;
    return Math.min(passed, 2 * this.#options.every);
  }

  #adopt({ epoch }: Lease): void {
    this.#epoch = epoch;
    this.#count = undefined;
    this.#silent = 0;
    this.#wasSeen = false;
  }

  #hear(beat: Beat | undefined, passed: number): void {
    if (beat !== undefined && beat.count !== this.#count) {
      this.#count = beat.count;
      this.#silent = 0;
    } else this.#silent += passed;
  }

  #limit(phase: BeatPhase | undefined): Micros {
    const { silence } = this.#options;
    if (phase === 'starts') return micros(Math.max(silence, startSilence));
    return phase === 'stops' ? micros(Math.max(silence, stopSilence)) : silence;
  }
}

const waiting: DaemonVerdict = { kind: 'wait', waitsFor: 'a daemon that takes the run directory' };
