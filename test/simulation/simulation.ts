import { micros } from '../../src/core/base/clock.ts';
import type { Breach } from './breaches.ts';
import { checkEnd } from './check-end.ts';
import { CounterRandom } from '../../src/app/virtual/counter-random.ts';
import { faultKinds } from './fault-kinds.ts';
import type { FaultRow } from './fault.ts';
import type { PlannedFault } from './fault-plan.ts';
import { planFaults } from './fault-plan.ts';
import { beginning } from '../../src/app/virtual/scene.ts';
import { SimulatedSystem } from './system.ts';
import type { Marks } from './marks.ts';
import type { TraderHooks } from './sim-trader.ts';
import { roads } from '../../src/app/virtual/weather.ts';

export interface SimulationParts {
  readonly seed: number;
  readonly minutes: number;
  /** Numbers of the faults to keep; all when left out. */
  readonly only?: readonly number[] | undefined;
  /** Since the beginning: nothing after it is simulated, and what must hold at the end is not asked. */
  readonly endMs?: number;
  /** Breaks the run off, where nobody needs its outcome any more. */
  readonly signal?: AbortSignal;
  readonly hooks?: TraderHooks;
  /** With a shadow beside the live strategies, or without; as the seed has it when left out. */
  readonly shadow?: boolean | undefined;
  readonly log?: ((line: string) => void) | undefined;
}

export interface SimulationResult {
  readonly breaches: readonly Breach[];
  readonly faults: readonly PlannedFault[];
  readonly marks: Marks;
  /** Over everything that crossed a road or the bus. */
  readonly digest: string;
  readonly simulatedMs: number;
  readonly events: number;
  readonly orders: number;
}

/** Faults over, everything has this long to come right: history lag, proof of absence, longest back-off, a margin. */
const quietMs = 205_000;
/** No new wishes for the last of it; trading must have resumed before. */
const idleMs = 12_000;
const resumedMs = 45_000;
/** A signal is looked at so often. */
const signalEveryMs = 5_000;
/** Most time that a report of a change is on its way, where no fault is. */
const arrivesMs = 500;
/** An account that changes for longer than this after the end is compared as it is. */
const stillMs = 30_000;

/** One seed: a workload under its faults, then a quiet period in which everything comes right. */
export async function simulate(parts: SimulationParts): Promise<SimulationResult> {
  const { seed, minutes, only, endMs = Number.POSITIVE_INFINITY, signal, hooks = {}, log } = parts;
  const chaosMs = Math.round(minutes * 60_000);
  const system = new SimulatedSystem({ seed, hooks, log, shadow: parts.shadow });
  const faults = planFaults(seed, chaosMs).filter(({ index }) => only?.includes(index) ?? true);
  for (const fault of faults) schedule(system, fault, log);
  system.start();
  await runThrough(system, chaosMs, { endMs, signal });
  return {
    breaches: system.breaches.list,
    faults,
    marks: system.marks,
    digest: system.tower.digest(),
    simulatedMs: system.elapsedMs,
    events: system.tower.events,
    orders: system.tower.wire.orders,
  };
}

/** Faults, and the quiet after them: all of it, or until `endMs` or a signal. */
async function runThrough(
  system: SimulatedSystem,
  chaosMs: number,
  { endMs, signal }: { readonly endMs: number; readonly signal: AbortSignal | undefined },
): Promise<void> {
  const goTo = async (ms: number): Promise<boolean> => {
    const end = Math.min(ms, endMs);
    if (signal === undefined) await system.run(end);
    else
      while (system.elapsedMs < end && system.breaches.list.length === 0) {
        if (signal.aborted) return false;
        await system.run(Math.min(end, system.elapsedMs + signalEveryMs));
      }
    return ms <= endMs;
  };
  if (!(await goTo(chaosMs))) return;
  calm(system);
  if (!(await goTo(chaosMs + quietMs - idleMs - resumedMs))) return;
  const before = system.accepted;
  if (!(await goTo(chaosMs + quietMs - idleMs))) return;
  checkResumed(system, before);
  system.hand.idle = true;
  if (!(await goTo(chaosMs + quietMs))) return;
  await standStill(system);
  finish(system, chaosMs);
}

/** Goes on until nothing that the account became is still on its way: an order may execute at any time. */
async function standStill(system: SimulatedSystem): Promise<void> {
  const until = system.elapsedMs + stillMs;
  while (
    system.breaches.list.length === 0 &&
    system.elapsedMs < until &&
    system.elapsedMs < system.changedAtMs + arrivesMs
  )
    await system.run(system.changedAtMs + arrivesMs);
}

function schedule(system: SimulatedSystem, fault: PlannedFault, log: SimulationParts['log']): void {
  const { kind, index, atMs, forMs, force } = fault;
  const after = (ms: number, task: () => void): void => {
    system.time.after(micros(Math.max(1, Math.round(ms * 1_000))), () => {
      system.touch();
      task();
    });
  };
  after(atMs, () => {
    log?.(`${system.elapsedMs} fault ${kind}`);
    const row: FaultRow = faultKinds[kind];
    // What it leaves behind takes a while to pass.
    if (row.isNarrow !== true) system.disturb(forMs + 6_000);
    const end = row.begin({
      system,
      forMs,
      force,
      after,
      random: new CounterRandom(system.seed, `fault/${index}/inside`),
      mark: () => system.marks.hit(`fault/${kind}`),
    });
    if (end !== undefined) {
      system.endings.add(end);
      after(forMs, () => {
        if (system.endings.delete(end)) end();
      });
    }
  });
}

/** Every fault ends; the operator starts what stands still and clears a halt. */
function calm(system: SimulatedSystem): void {
  for (const end of system.endings) end();
  system.endings.clear();
  system.hand.pace = 0.15;
  system.hand.careless = false;
  system.hand.odd = false;
  system.hand.greedy = false;
  system.tower.eventHooks.clear();
  system.tower.orderHooks.clear();
  system.exchange.faults.clear();
  const now = system.time.now();
  for (const name of roads) {
    const road = system.network.weather.roads[name];
    Object.assign(road, { delayMin: 2_000, delayMean: 3_000, requestLoss: 0, replyLoss: 0 });
    road.upHeldTo = Math.min(road.upHeldTo, now);
    road.downHeldTo = Math.min(road.downHeldTo, now);
    road.upLostTo = Math.min(road.upLostTo, now);
    road.downLostTo = Math.min(road.downLostTo, now);
    road.refusedTo = Math.min(road.refusedTo, now);
    road.downBytesPerSecond = Number.POSITIVE_INFINITY;
  }
  system.network.cutLost();
  system.operator();
}

/** I24: unless an operator must act, trading goes on by itself. */
function checkResumed(system: SimulatedSystem, before: number): void {
  const { breaches, trader } = system;
  if (breaches.list.length > 0) return;
  const view = trader?.trader.view;
  if (view === undefined) breaches.add('I24', 'no trader runs');
  else if (view.mode === 'halted') system.marks.hit('branch/halted in the quiet');
  else if (view.stopped('workload') !== undefined) system.marks.hit('branch/strategy stopped in the quiet');
  else if (system.tower.losses.heldAt > system.time.now() - resumedMs * 1_000)
    system.marks.hit('branch/limit on loss in the quiet');
  else if (view.differences.all.some(({ holds }) => holds !== undefined))
    system.marks.hit('branch/unexplained money in the quiet');
  else if (system.accepted === before)
    breaches.add('I24', `no order was accepted in the last ${resumedMs} ms of the quiet`);
}

function finish(system: SimulatedSystem, chaosMs: number): void {
  system.markShadow();
  const { breaches, exchange, trader, instruments, opening, tower } = system;
  if (breaches.list.length > 0) return;
  const view = trader?.trader.view;
  if (view === undefined) {
    breaches.add('I24', 'no trader runs at the end');
    return;
  }
  if (system.elapsedMs * 1_000 + beginning !== system.time.now()) breaches.add('throw', 'time stands still');
  checkEnd({ exchange, view, breaches, opening, totals: system.totals, calledDead: tower.state.calledDead });
  tower.ledger.checkEnd(view);
  for (const { id, symbol } of instruments.all) {
    const { unfit } = view.book(id);
    if (unfit !== undefined)
      breaches.add('I26', `the book of ${symbol} is still unfit in the quiet: ${unfit}`);
  }
  // A minute after the faults every session is up.
  system.tower.charges.checkEnd(view, chaosMs + 60_000);
  system.tower.checkReplay();
}
