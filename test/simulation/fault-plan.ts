import { CounterRandom } from '../../src/app/virtual/counter-random.ts';
import type { FaultKind } from './fault-kinds.ts';
import { faultKinds } from './fault-kinds.ts';
import { askedFaults } from './faults-asked.ts';
import { drillFaults } from './faults-drills.ts';
import { moneyFaults } from './faults-money.ts';
import { oddFaults } from './faults-odd.ts';
import { operatorFaults } from './faults-operator.ts';
import { stopFaults } from './faults-stops.ts';
import { waitFaults } from './faults-waits.ts';
import type { FaultRow } from './fault.ts';
import type { DrillKind } from './seed-limits.ts';
import { drillOf, drillStream, isCareless, isOdd } from './seed-limits.ts';
import { tradedOf } from './traded.ts';

const operatorKinds = Object.keys(operatorFaults) as readonly FaultKind[];
const oddKinds = Object.keys(oddFaults) as readonly FaultKind[];

/** As many odd faults as in so long a time, one every twenty seconds, are spread over a longer one. */
const oddMs = 240_000;

/** One fault of a seed. Its number in the list stays the same whichever others are left out. */
export interface PlannedFault {
  readonly index: number;
  readonly kind: FaultKind;
  /** Since the beginning. */
  readonly atMs: number;
  /** How long it lasts, where that means something. */
  readonly forMs: number;
  /** How bad it is, from 0 to 1. */
  readonly force: number;
}

/**
 * The faults of a seed: a random subset of the kinds, at a random intensity, all over before `chaosMs`. What one
 * fault draws depends on the seed and on its number alone.
 */
export function planFaults(seed: number, chaosMs: number): readonly PlannedFault[] {
  const ofDrill = drillsOf(seed);
  if (ofDrill !== undefined) return planDrills(seed, chaosMs, ofDrill);
  const random = new CounterRandom(seed, 'faults');
  const share = random.pick([0.15, 0.3, 0.5, 0.8]);
  // In some seeds nothing stands in the way of reads and cancels: what they ought to have cleared up then shows.
  const isFair = random.chance(0.2);
  const { margin, futures } = tradedOf(seed);
  const kinds = (Object.keys(faultKinds) as FaultKind[]).filter((kind) => {
    const row: FaultRow = faultKinds[kind];
    if (row.isOfMoney === true || row.isOfOperator === true) return false;
    if (row.isOfWorkload === true || row.isOfOddity === true || row.drillMs !== undefined) return false;
    if (row.isOnMargin === true && !margin && !futures) return false;
    return isFair ? row.isNarrow === true : new CounterRandom(seed, `kind/${kind}`).float() < share;
  });
  const perMinute = random.pick([1, 3, 6, 10]);
  const count = kinds.length === 0 ? 0 : Math.max(1, Math.round((perMinute * chaosMs) / 60_000));
  const money = (Object.keys(moneyFaults) as FaultKind[]).filter((kind) => {
    const row: FaultRow = faultKinds[kind];
    return row.isOnMargin !== true || margin || futures;
  });
  const apart = new CounterRandom(seed, 'faults/money');
  const moneyCount = apart.chance(0.5) ? apart.between(1, Math.max(1, Math.round(chaosMs / 60_000))) : 0;
  const acts = new CounterRandom(seed, 'faults/operator');
  const actCount = acts.chance(0.4) ? acts.between(1, Math.max(1, Math.round(chaosMs / 60_000))) : 0;
  const draw = (index: number, of: readonly FaultKind[]): PlannedFault => {
    const own = new CounterRandom(seed, `fault/${index}`);
    const forMs = Math.round(Math.min(20_000, 300 + own.exponential(4_000)));
    return {
      index,
      kind: own.pick(of),
      atMs: own.between(3_000, Math.max(3_000, chaosMs - forMs)),
      forMs,
      force: own.float(),
    };
  };
  const spells = isCareless(seed) ? Math.max(1, Math.round(chaosMs / 80_000)) : 0;
  const groups: readonly (readonly [number, readonly FaultKind[]])[] = [
    [count, kinds],
    [moneyCount, money],
    [actCount, operatorKinds],
    [spells, ['careless']],
    [spells, ['unheardReplacement']],
    [isOdd(seed) ? Math.round(Math.min(chaosMs, oddMs) / 20_000) : 0, oddKinds],
  ];
  const wanted = groups.flatMap(([most, of]) => Array.from({ length: most }, () => of));
  return wanted.map((of, index) => draw(index, of)).sort((a, b) => a.atMs - b.atMs || a.index - b.index);
}

const drills: Readonly<Record<DrillKind, Readonly<Record<string, FaultRow>>>> = {
  rare: drillFaults,
  waits: waitFaults,
  asked: askedFaults,
  stops: stopFaults,
};

function drillsOf(seed: number): readonly FaultKind[] | undefined {
  const drill = drillOf(seed);
  if (drill === undefined) return undefined;
  const { margin, futures } = tradedOf(seed);
  return Object.entries(drills[drill])
    .filter(([, { isOnMargin }]) => isOnMargin !== true || margin || futures)
    .map(([kind]) => kind as FaultKind);
}

function planDrills(seed: number, chaosMs: number, kinds: readonly FaultKind[]): readonly PlannedFault[] {
  const random = new CounterRandom(seed, `${drillStream}/plan`);
  const plan: PlannedFault[] = [];
  let left: FaultKind[] = [];
  let atMs = 8_000;
  while (atMs < chaosMs) {
    if (left.length === 0) left = [...kinds];
    const [kind] = left.splice(random.between(0, left.length - 1), 1);
    if (kind === undefined) break;
    const row: FaultRow = faultKinds[kind];
    const forMs = row.drillMs ?? 0;
    plan.push({ index: plan.length, kind, atMs, forMs, force: random.float() });
    atMs += forMs;
  }
  return plan;
}

/** The fault as one line. */
export function faultText({ index, kind, atMs, forMs, force }: PlannedFault): string {
  return `${index} ${kind} at ${atMs} ms for ${forMs} ms, force ${force.toFixed(2)}`;
}
