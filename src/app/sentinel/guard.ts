import type { ChildProcess } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { Backoff } from '../../core/base/backoff.ts';
import type { Cancel, Clock } from '../../core/base/clock.ts';
import { micros, microsPerMilli, millis, seconds, timeText } from '../../core/base/clock.ts';
import type { Logger } from '../../core/base/logger.ts';
import { pause } from '../../core/base/pause.ts';
import type { Random } from '../../core/base/random.ts';
import { sentinelText } from '../../core/model/operator.ts';
import type { OperatedSentinel } from '../../operate/index.ts';
import type { ProcessName } from '../process/alive.ts';
import { runs, thisProcess } from '../process/alive.ts';
import type { BeatPhase, Lease, SentinelAct, SentinelState } from './run-files.ts';
import { BeatFile, killedSince, readLease, readSentinel, recordName, writeLease } from './run-files.ts';

/** Presence of the sentinel, as the daemon sees it. */
export interface GuardView {
  /** Whether one is to be there. */
  readonly isWanted: boolean;
  readonly isUp: boolean;
  readonly state: SentinelState | undefined;
  /** Fault in words; empty when there is none. */
  readonly trouble: string;
}

export interface GuardDeps {
  readonly directory: string;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Logger;
  /** Starts one as a child that outlives this process; `undefined` where a service runs it. */
  readonly start: ((epoch: number) => ChildProcess) | undefined;
  readonly isWanted: boolean;
  /** Takes a line that a person should read at once, while no run follows. */
  readonly say: (line: string) => void;
}

/** A run of the daemon, which hears what its guard finds. */
export interface GuardedRun {
  readonly say: (line: string) => void;
  /** The kill file is there. */
  readonly kill: (why: string) => void;
  /** Takes an act of a sentinel into the journal; again when it has cancelled more. */
  readonly acted: (act: SentinelAct) => void;
}

const beatEvery = millis(250);
/** The sentinel is looked at after so many beats. */
const beatsPerLook = 4;
/** One that has not written for so long is down. */
const lookAgeMax = seconds(10);
/** Time that a sentinel may take to start, or a service manager to start it, before its absence is said. */
const startMax = seconds(15);
/** Time that the sentinel of the daemon before may take to let go. */
const letGoMax = seconds(5);
/** Acts that are remembered: as many as a sentinel remembers. */
const actsMax = 20;
const backoff = { firstMs: 1_000, maxMs: 60_000, perMinute: 10 };

/**
 * The daemon's side of the sentinel: takes the lease of the run directory, writes the heartbeat from the event loop that trades, and sees
 * to it that a sentinel is there. One that ends is named at once and started again.
 */
export class Guard {
  readonly #parts: GuardDeps;
  readonly #beat: BeatFile;
  readonly #backoff: Backoff;
  /** Acts of sentinels under earlier leases stand in it until a run has taken them. */
  #lease: Lease;
  #phase: BeatPhase = 'starts';
  #run = '-';
  #beats = 0;
  #child: ChildProcess | undefined;
  #startsAt = 0;
  #since = micros(0);
  #state: SentinelState | undefined;
  #isUp = false;
  #isSaid = false;
  #killed = '';
  #follower: GuardedRun | undefined;
  #trouble = '';
  #unwritten = '';
  #cancel: Cancel = () => {};
  #isOver = false;

  private constructor(parts: GuardDeps, lease: Lease) {
    this.#parts = parts;
    this.#lease = lease;
    this.#beat = new BeatFile(parts.directory, parts.clock);
    this.#backoff = new Backoff(backoff, parts.random);
    this.#since = parts.clock.uptime();
  }

  /** Takes the lease, and waits until the sentinel of the daemon before has let go. */
  static async open(parts: GuardDeps): Promise<Guard> {
    const { directory, clock } = parts;
    mkdirSync(directory, { recursive: true });
    const before = readLease(directory);
    const old = readSentinel(directory);
    const { unrecorded = [] } = before ?? {};
    const lease = { epoch: (before?.epoch ?? 0) + 1, ...thisProcess(), at: clock.now(), unrecorded };
    writeLease(directory, lease);
    if (old !== undefined) await letGo(old, lease, parts);
    const acts = readSentinel(directory)?.acts ?? old?.acts ?? [];
    const guard = new Guard(parts, lease);
    // The file of the sentinel is written anew by the next one, and this daemon may end before it has a journal.
    const isNew = (act: SentinelAct): boolean =>
      act.epoch === before?.epoch && before.recorded?.includes(recordName(act)) !== true;
    guard.#keep({ unrecorded: [...unrecorded, ...acts.filter(isNew)] });
    guard.#beatOnce();
    return guard;
  }

  /** Whether a daemon has had a lease there: its sentinel may be at work. */
  static wasIn(directory: string): boolean {
    return readLease(directory) !== undefined;
  }

  get view(): GuardView {
    return {
      isWanted: this.#parts.isWanted,
      isUp: this.#isUp,
      state: this.#state,
      trouble: [this.#trouble, this.#unwritten].filter((one) => one !== '').join('; '),
    };
  }

  /** The sentinel as the operator sees it; `undefined` where there is to be none. */
  get row(): OperatedSentinel | undefined {
    const { isWanted, isUp, state, trouble } = this.view;
    if (!isWanted) return undefined;
    const acts = state?.acts.filter(({ epoch }) => epoch === this.#lease.epoch) ?? [];
    return {
      isUp,
      pid: state?.pid,
      stage: isUp && state !== undefined ? state.stage : 'down',
      since: state === undefined ? undefined : micros(state.since),
      lastLook: state === undefined ? undefined : micros(state.lastLook),
      waitsFor: state?.waitsFor ?? '',
      trouble,
      acts: acts.length,
      canceled: acts.reduce((sum, { canceled }) => sum + canceled, 0),
    };
  }

  /** Tells a run from now on, of acts of sentinels under daemons before, and of a kill file that is there already. */
  followRun(run: GuardedRun): void {
    this.#follower = run;
    const { unrecorded = [] } = this.#lease;
    for (const act of unrecorded) tellAct(run, act);
    if (unrecorded.length > 0) this.#keep({ unrecorded: [] });
    if (this.#killed !== '') run.kill(this.#killed);
  }

  /** The part of a run that begins, and its id. */
  enter(phase: BeatPhase, run?: string): void {
    this.#phase = phase;
    this.#run = run ?? this.#run;
    if (phase === 'starts') this.#follower = undefined;
    this.#write();
  }

  /** Says that the daemon has ended in good order: the sentinel ends, too. */
  farewell(why: string): void {
    this.close();
    try {
      writeLease(this.#parts.directory, { ...this.#lease, ended: why });
    } catch (error) {
      this.#parts.log.error({ error: String(error) }, 'the farewell to the sentinel cannot be written');
    }
  }

  /** Ends the heartbeat and leaves the rest to the sentinel. */
  close(): void {
    this.#isOver = true;
    this.#cancel();
    this.#beat.close();
  }

  #keep({ unrecorded = [], recorded = [] }: Partial<Pick<Lease, 'unrecorded' | 'recorded'>>): void {
    this.#lease = {
      ...this.#lease,
      unrecorded: unrecorded.slice(-actsMax),
      recorded: recorded.slice(-actsMax),
    };
    try {
      writeLease(this.#parts.directory, this.#lease);
    } catch (error) {
      this.#parts.log.error(
        { error: String(error) },
        'acts of the sentinel cannot be noted for the next run',
      );
    }
  }

  #beatOnce(): void {
    this.#write();
    this.#watchKill();
    if (this.#parts.isWanted && this.#beats % beatsPerLook === 0) this.#lookAtSentinel();
    this.#beats += 1;
    if (!this.#isOver) this.#cancel = this.#parts.clock.after(beatEvery, () => this.#beatOnce());
  }

  #write(): void {
    try {
      this.#beat.write(this.#phase, this.#run);
      if (this.#unwritten !== '') this.#sayLine('The heartbeat is written again.');
      this.#unwritten = '';
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      if (this.#unwritten === '')
        this.#sayLine(
          `The heartbeat cannot be written, so the sentinel will take this daemon for silent and cancel its orders: ${why}`,
        );
      this.#unwritten = `the heartbeat cannot be written: ${why}`;
    }
  }

  #watchKill(): void {
    const since = killedSince(this.#parts.directory);
    if (since === undefined) this.#killed = '';
    else if (this.#killed === '') {
      this.#killed = `the kill file is there since ${timeText(since * microsPerMilli)}`;
      this.#follower?.kill(this.#killed);
    }
  }

  #sayLine(line: string): void {
    (this.#follower ?? this.#parts).say(line);
  }

  #lookAtSentinel(): void {
    const { directory, clock } = this.#parts;
    const found = readSentinel(directory);
    const isCurrent = found !== undefined && found.epoch === this.#lease.epoch && found.stage !== 'ended';
    this.#state = isCurrent ? found : undefined;
    // One of its own may run where this process sees no other: in another container.
    const isThere = isCurrent && (found.startedBy === 'service' || runs(found));
    const isUp = isThere && clock.now() - found.lastLook < lookAgeMax;
    if (isUp) this.#noteUp(found);
    else this.#noteDown(isCurrent ? found : undefined);
    this.#isUp = isUp;
    this.#startAnew();
  }

  #noteUp(state: SentinelState): void {
    if (!this.#isUp) {
      this.#backoff.reset();
      this.#sayLine(`The sentinel watches (process ${state.pid}).`);
    }
    if (state.trouble !== this.#trouble && state.trouble !== '')
      this.#sayLine(`The sentinel could not cancel orders now: ${state.trouble}.`);
    this.#trouble = state.trouble;
    this.#isSaid = false;
    for (const act of state.acts) if (act.epoch === this.#lease.epoch) this.#noteAct(act, state);
  }

  /** An act is recorded once it is over, or has seen all gone that is to go, and again when it has cancelled more. */
  #noteAct(act: SentinelAct, { stage, acts }: SentinelState): void {
    const isUnderWay = act.clearedAt === undefined && stage === 'acts' && act === acts.at(-1);
    const { unrecorded, recorded = [] } = this.#lease;
    const name = recordName(act);
    if (this.#follower === undefined || isUnderWay || recorded.includes(name)) return;
    tellAct(this.#follower, act);
    this.#keep({ unrecorded, recorded: [...recorded, name] });
  }

  #noteDown(state: SentinelState | undefined): void {
    const { clock, start } = this.#parts;
    const isEarly = clock.uptime() - this.#since < startMax;
    if (this.#isUp) this.#since = clock.uptime();
    else if (isEarly || this.#isSaid) return;
    const away =
      state === undefined ? 'there is none' : `it has not looked since ${timeText(state.lastLook)}`;
    const next =
      start === undefined ? 'start godwit-sentinel.service, or godwit sentinel' : 'it is started again';
    this.#trouble = `no sentinel watches: ${away}`;
    this.#isSaid = true;
    // One that hangs is ended, so that another one can be started.
    this.#child?.kill('SIGKILL');
    this.#sayLine(`Nothing would cancel orders if this daemon were gone: ${away}; ${next}. Trading goes on.`);
  }

  /** Starts a child where none runs; one that ended is waited for a while, longer each time. */
  #startAnew(): void {
    const { start, clock, log } = this.#parts;
    if (start === undefined || this.#child !== undefined || this.#isOver) return;
    if (clock.uptime() < this.#startsAt) return;
    try {
      const child = start(this.#lease.epoch);
      this.#child = child;
      this.#since = clock.uptime();
      const ended = (why: string): void => {
        if (this.#child !== child) return;
        this.#child = undefined;
        this.#startsAt = clock.uptime() + this.#backoff.pause(clock.uptime());
        if (this.#isOver) return;
        log.warn({ why }, 'the sentinel has ended');
        // It is said with the next look, which comes at once.
        this.#since = micros(0);
        this.#lookAtSentinel();
      };
      child.once('error', (error) => ended(error.message));
      child.once('exit', (code, signal) => ended(signal ?? `exit code ${code}`));
    } catch (error) {
      this.#startsAt = clock.uptime() + this.#backoff.pause(clock.uptime());
      log.error({ error: String(error) }, 'the sentinel cannot be started');
    }
  }
}

/** The process of a sentinel that was started as a service and watches the directory, or waits for a daemon there; `undefined` without one. */
export function watchingService(directory: string): number | undefined {
  const state = readSentinel(directory);
  const isThere = state?.startedBy === 'service' && state.stage !== 'ended' && runs(state);
  return isThere ? state.pid : undefined;
}

function tellAct(run: GuardedRun, act: SentinelAct): void {
  run.acted(act);
  run.say(actText(act));
}

/** An act in a sentence. */
export function actText(act: SentinelAct): string {
  return sentinelText({ ...act, orders: act.orders ?? [] }, act.why);
}

/** Waits until the sentinel of another lease is gone, or has taken this one over. One that does not let go is ended. */
async function letGo(
  old: SentinelState,
  { epoch }: Lease,
  { directory, clock, say }: GuardDeps,
): Promise<void> {
  const end = clock.uptime() + letGoMax;
  const holds = (): boolean => {
    if (!runs(old)) return false;
    const now = readSentinel(directory);
    return now?.pid === old.pid && now.epoch !== epoch && now.stage !== 'ended';
  };
  while (holds() && clock.uptime() < end) await pause(clock, millis(50));
  if (!holds()) return;
  say(`The sentinel of the daemon before, process ${old.pid}, does not let go and is ended.`);
  endProcess(old);
  while (runs(old) && clock.uptime() < end + seconds(2)) await pause(clock, millis(20));
}

function endProcess(old: ProcessName): void {
  try {
    if (runs(old)) process.kill(old.pid, 'SIGKILL');
  } catch {
    // It is gone, or of another user.
  }
}
