import type { Micros } from '../../../../src/core/base/clock.ts';
import { micros, millis, seconds } from '../../../../src/core/base/clock.ts';
import { Random } from '../../../../src/core/base/random.ts';
import { VirtualClock } from '../../../../src/core/base/virtual-clock.ts';
import type { LaneBudgetOptions } from '../../../../src/core/budgets/lanes.ts';
import { LaneBudget } from '../../../../src/core/budgets/lanes.ts';
import type { Lane } from '../../../../src/core/model/command.ts';
import type { Referee } from './referee.ts';

export interface Link {
  /** Time from send to reply, in milliseconds. */
  delayMs(random: Random): number;
  /** Every 20 s the link stalls this long in turn, then floods. */
  readonly stallsMs: readonly number[];
  /** Which way stalls: requests wait on their way out, or replies on their way back. */
  readonly stalled: 'requests' | 'replies';
}

export interface DemandResult {
  readonly sent: number;
  readonly refused: number;
  /** Refusals later than half a second after the start. */
  readonly refusedLater: number;
  /** Requests a second, stalls and the two seconds after each left out. */
  readonly rate: number;
  readonly cancels: number;
  readonly cancelWaitMax: Micros;
}

const stallEvery = seconds(20);
const settling = seconds(2);

/** Unlimited demand for new orders, and a cancel now and then, against a referee, in virtual time. */
export function runDemand(setup: {
  readonly budget: LaneBudgetOptions;
  readonly link: Link;
  readonly referee: Referee;
  readonly length: Micros;
  readonly cancelEveryMs: number;
  readonly seed: number;
}): DemandResult {
  const random = new Random(setup.seed);
  const clock = new VirtualClock(seconds(1));
  const budget = new LaneBudget(setup.budget, clock);
  const stalls = stallTimes(setup.link, setup.length);
  let sent = 0;
  let refused = 0;
  let refusedLater = 0;
  let counted = 0;
  let cancels = 0;
  let cancelWaitMax = 0;
  let pumpAt = -1;

  const send = (lane: Lane, slot: number): void => {
    sent += 1;
    if (lane === 'new' && !nearStall(stalls, clock.now())) counted += 1;
    const delay = millis(Math.max(0.2, setup.link.delayMs(random)));
    const half = micros(Math.round(delay / 2));
    const arrival = later(stalls, clock.now(), half, setup.link.stalled === 'requests');
    clock.after(micros(arrival - clock.now()), () => {
      const passed = setup.referee.admit(clock.now());
      if (!passed) refused += 1;
      if (!passed && clock.now() > seconds(1) + millis(500)) refusedLater += 1;
      const reply = later(stalls, clock.now(), half, setup.link.stalled === 'replies');
      clock.after(micros(reply - clock.now()), () => {
        budget.settle(slot, !passed);
        pump();
      });
    });
  };
  const pump = (): void => {
    for (let slot = budget.takeSlot('new'); slot >= 0; slot = budget.takeSlot('new')) send('new', slot);
    const due = clock.now() + budget.wait('new');
    if (pumpAt > clock.now() && pumpAt <= due) return;
    pumpAt = due;
    clock.after(micros(due - clock.now()), pump);
  };
  const cancel = (askedAt: Micros): void => {
    const slot = budget.takeSlot('cancel');
    if (slot < 0) {
      clock.after(micros(Math.max(1, budget.wait('cancel'))), () => cancel(askedAt));
      return;
    }
    cancels += 1;
    cancelWaitMax = Math.max(cancelWaitMax, clock.now() - askedAt);
    send('cancel', slot);
  };
  const cancelForever = (): void => {
    cancel(clock.now());
    clock.after(millis(setup.cancelEveryMs), cancelForever);
  };

  pump();
  clock.after(millis(10), cancelForever);
  clock.advance(setup.length);
  const quiet =
    (setup.length - stalls.reduce((sum, stall) => sum + stall.end - stall.start + settling, 0)) / 1e6;
  return {
    sent,
    refused,
    refusedLater,
    rate: counted / quiet,
    cancels,
    cancelWaitMax: cancelWaitMax as Micros,
  };
}

interface Stall {
  readonly start: number;
  readonly end: number;
}

function stallTimes(link: Link, length: Micros): readonly Stall[] {
  const stalls: Stall[] = [];
  if (link.stallsMs.length === 0) return stalls;
  for (let start = seconds(10) as number; start + settling * 2 < length; start += stallEvery) {
    const stallMs = link.stallsMs[stalls.length % link.stallsMs.length] as number;
    stalls.push({ start, end: start + millis(stallMs) });
  }
  return stalls;
}

function nearStall(stalls: readonly Stall[], now: number): boolean {
  const stall = stalls[Math.floor((now - seconds(10)) / stallEvery)];
  return stall !== undefined && now >= stall.start && now < stall.end + settling;
}

function later(stalls: readonly Stall[], now: number, delay: number, stalled: boolean): number {
  const due = now + delay;
  const stall = stalls[Math.floor((due - seconds(10)) / stallEvery)];
  return stalled && stall !== undefined && due >= stall.start && due < stall.end ? stall.end : due;
}
