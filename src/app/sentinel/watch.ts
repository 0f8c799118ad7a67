import type { Clock } from '../../core/base/clock.ts';
import { micros, seconds } from '../../core/base/clock.ts';
import { pause } from '../../core/base/pause.ts';
import type { ProcessName } from '../process/alive.ts';
import type { DaemonLook, JudgeOptions, DaemonVerdict } from './judge.ts';
import { Judge } from './judge.ts';
import type { SentinelAct, SentinelStage, SentinelState } from './run-files.ts';
import type { SweepDeps, SweepState } from './sweep.ts';
import { Sweep } from './sweep.ts';

/** Files and processes as a sentinel sees them. */
export interface SentinelSeam {
  /** Everything that is judged, read anew. */
  look(): DaemonLook;
  /** The number of the lease alone, read anew; `undefined` where there is none. */
  epoch(): number | undefined;
  write(state: SentinelState): void;
}

export interface WatchDeps extends Pick<SweepDeps, 'open' | 'terms'> {
  readonly clock: Clock;
  readonly seam: SentinelSeam;
  readonly judge: JudgeOptions;
  readonly self: ProcessName;
  readonly say: (line: string) => void;
  readonly signal: AbortSignal;
  /** Fault between it and the venue while it only watches. */
  readonly trouble: () => string;
}

interface Acting {
  readonly sweep: Sweep;
  readonly cause: SentinelAct['cause'];
  readonly isStill: () => boolean;
}

/** Longest time between two writes of its file. */
const stateEvery = seconds(1);
const actsKept = 20;
const nothing = { canceled: 0, orders: [], kept: 0, unresolved: [], done: false };

/** A sentinel at work: judges the daemon at each look, acts while that says so, and stops at once when it does no more. */
export class Watch {
  readonly #parts: WatchDeps;
  readonly #judge: Judge;
  #stage: SentinelStage = 'starts';
  #since = micros(0);
  #waitsFor = '';
  #acts: readonly SentinelAct[] = [];
  #sweep: Acting | undefined;
  #isSwept = false;
  #trouble = '';
  #lastLook = micros(0);
  #writtenAt = Number.NEGATIVE_INFINITY;

  constructor(parts: WatchDeps) {
    this.#parts = parts;
    this.#judge = new Judge(parts.judge);
    this.#since = parts.clock.now();
    this.#lastLook = this.#since;
  }

  /** Whether a cancel may leave now: the lease is read anew, and the cause still holds. */
  get mayCancel(): boolean {
    return this.#sweep?.isStill() ?? false;
  }

  /** Resolves with why it ended. */
  async run(): Promise<string> {
    const { clock, judge, signal } = this.#parts;
    for (;;) {
      if (signal.aborted) return this.#endWatch('it was asked to end');
      const why = this.#takeTurn();
      if (why !== undefined) return this.#endWatch(why);
      await pause(clock, judge.every, signal);
    }
  }

  /** One look and what follows; returns why it ends, when it does. */
  #takeTurn(): string | undefined {
    const { clock, seam, judge } = this.#parts;
    const look = seam.look();
    const verdict = this.#judge.judge(look, clock.uptime());
    this.#lastLook = clock.now();
    if (verdict.kind !== 'act' || (this.#sweep !== undefined && verdict.cause !== this.#sweep.cause))
      this.#letGo(verdict);
    switch (verdict.kind) {
      case 'end':
        return verdict.why;
      case 'watch':
        this.#enter('watches', 'the daemon to fall silent, or a kill file');
        break;
      case 'wait':
        this.#enter('waits', verdict.waitsFor);
        break;
      case 'act':
        this.#act(verdict);
        // A sentinel of a daemon that is gone has nothing left to watch; one that was started by itself waits for the next daemon.
        if (this.#isSwept && judge.epoch !== undefined && !look.isRunning)
          return 'nothing is left of the daemon that is gone';
    }
    if (clock.uptime() - this.#writtenAt >= stateEvery) this.#write();
    return undefined;
  }

  #act(verdict: Extract<DaemonVerdict, { kind: 'act' }>): void {
    if (this.#sweep !== undefined) return;
    const { clock, open, terms, say, seam } = this.#parts;
    const epoch = this.#judge.epoch ?? 0;
    const { cause, why } = verdict;
    say(`Acting, because ${why}: orders of ours that ${wordsOf(terms.cancel)} are cancelled.`);
    const act = { epoch, cause, why, at: clock.now(), ...nothing };
    this.#acts = [...this.#acts, act].slice(-actsKept);
    this.#isSwept = false;
    const isStill = (): boolean => seam.epoch() === epoch && this.#isCause(cause);
    const sweep = new Sweep({
      clock,
      terms,
      open,
      isStill,
      onStep: (state) => this.#step(sweep, state),
    });
    this.#sweep = { sweep, cause, isStill };
    this.#enter('acts', 'every order that is to go to be seen gone');
    void this.#run(sweep);
  }

  async #run(sweep: Sweep): Promise<void> {
    await sweep.run();
    if (this.#sweep?.sweep === sweep) this.#isSwept = true;
  }

  /** Whether the cause still holds that was found at the last look: a daemon that turns again, or a kill file that was taken away, ends it. */
  #isCause(cause: SentinelAct['cause']): boolean {
    const { lease, beat, isRunning, isKilled } = this.#parts.seam.look();
    if (lease === undefined || lease.ended !== undefined) return false;
    if (cause === 'killed') return isKilled;
    if (cause === 'gone') return !isRunning;
    return beat === undefined || !this.#judge.isNews(beat);
  }

  #step(sweep: Sweep, state: SweepState): void {
    const act = this.#acts.at(-1);
    if (this.#sweep?.sweep !== sweep || act === undefined) return;
    const { trouble, ...found } = state;
    const next = { ...act, ...found };
    if (JSON.stringify(next) === JSON.stringify(act) && trouble === this.#trouble) return;
    this.#trouble = trouble;
    this.#acts = [...this.#acts.slice(0, -1), next];
    const { clearedAt, canceled, kept, done } = found;
    if (clearedAt !== undefined && act.clearedAt === undefined)
      this.#parts.say(
        `${countText(canceled)} ended, ${kept} that only reduce stay; late arrivals are looked for.`,
      );
    if (done && !act.done) this.#parts.say('Done: nothing more can arrive late.');
    if (done) this.#enter('done', kept > 0 ? `the end of the orders that stay (${kept})` : 'nothing');
    this.#write();
  }

  /** Nothing more is sent. */
  #letGo(verdict: DaemonVerdict): void {
    const ended = this.#sweep;
    if (ended === undefined) return;
    this.#sweep = undefined;
    this.#isSwept = false;
    this.#trouble = '';
    ended.sweep.stop();
    const { unresolved } = ended.sweep.state;
    const left = unresolved.length === 0 ? '' : ` Orders that may be live: ${unresolved.join(', ')}.`;
    const why = verdict.kind === 'end' ? verdict.why : 'its cause is no more';
    this.#parts.say(`The act ends: ${why}.${left}`);
  }

  #enter(stage: SentinelStage, waitsFor: string): void {
    if (stage === this.#stage && waitsFor === this.#waitsFor) return;
    if (stage !== this.#stage) this.#since = this.#parts.clock.now();
    if (stage === 'watches' && this.#stage !== 'watches') this.#parts.say('Watching.');
    this.#stage = stage;
    this.#waitsFor = waitsFor;
    this.#write();
  }

  #endWatch(why: string): string {
    this.#letGo({ kind: 'end', why });
    this.#enter('ended', why);
    this.#parts.say(`Ends: ${why}.`);
    return why;
  }

  #write(): void {
    const { clock, seam, self, judge } = this.#parts;
    this.#writtenAt = clock.uptime();
    seam.write({
      ...self,
      startedBy: judge.epoch === undefined ? 'service' : 'daemon',
      epoch: this.#judge.epoch ?? 0,
      stage: this.#stage,
      since: this.#since,
      lastLook: this.#lastLook,
      waitsFor: this.#waitsFor,
      trouble: this.#sweep === undefined ? this.#parts.trouble() : this.#trouble,
      acts: this.#acts,
    });
  }
}

function wordsOf(cancel: 'raising' | 'all'): string {
  return cancel === 'all' ? 'are live' : 'can raise exposure';
}

function countText(count: number): string {
  return count === 1 ? '1 order' : `${count} orders`;
}
