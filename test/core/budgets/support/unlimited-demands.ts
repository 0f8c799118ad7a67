import { millis, seconds } from '../../../../src/core/base/clock.ts';
import type { LaneBudgetOptions } from '../../../../src/core/budgets/lanes.ts';
import type { DemandResult, Link } from './demand.ts';
import { runDemand } from './demand.ts';
import type { Referee } from './referee.ts';
import { bucketReferee, windowReferee } from './referee.ts';

const links: readonly (readonly [string, Link])[] = [
  ['5 ms', { delayMs: () => 5, stallsMs: [], stalled: 'requests' }],
  ['50 ms', { delayMs: () => 50, stallsMs: [], stalled: 'requests' }],
  [
    '20 ms with 30 ms jitter',
    { delayMs: (random) => random.between(-10, 50), stallsMs: [], stalled: 'requests' },
  ],
  [
    '20 ms with jitter and requests stalling 0.4 and 2 s',
    { delayMs: (random) => random.between(-10, 50), stallsMs: [400, 2_000], stalled: 'requests' },
  ],
  [
    '20 ms with jitter and replies stalling 0.4 and 2 s',
    { delayMs: (random) => random.between(-10, 50), stallsMs: [400, 2_000], stalled: 'replies' },
  ],
];

/** The limit on orders as the default mode divides it. */
export const both: LaneBudgetOptions = {
  rate: 300,
  burst: 200,
  mode: 'both',
  reserved: { cancel: 50, read: 10 },
  share: 1,
  guard: 15,
};

interface Reading {
  readonly name: string;
  readonly budget: LaneBudgetOptions;
  readonly referee: (rate: number, burst: number) => Referee;
  /** New orders a second that must be reached, stalls left out. */
  readonly least: number;
  readonly cancelEveryMs: number;
  readonly seed: number;
}

/** How we count, and how the venue does. Source: faults, section 7. */
const readings: readonly Reading[] = [
  {
    name: 'mode both against the window',
    budget: both,
    referee: windowReferee,
    least: 270,
    cancelEveryMs: 100,
    seed: 11,
  },
  {
    name: 'mode both against the leaky bucket',
    budget: both,
    referee: bucketReferee,
    least: 270,
    cancelEveryMs: 100,
    seed: 12,
  },
  {
    name: 'mode window against the window',
    budget: { ...both, mode: 'window', reserved: { cancel: 10, read: 5 } },
    referee: windowReferee,
    least: 450,
    cancelEveryMs: 1_000,
    seed: 13,
  },
];

export interface UnlimitedDemand extends Reading {
  /** Of the link. */
  readonly at: string;
  readonly run: (forSeconds: number) => DemandResult;
}

/** Unlimited demand for new orders, with cancels now and then, under every reading of the limit and at every link. */
export const unlimitedDemands: readonly UnlimitedDemand[] = readings.flatMap((reading) =>
  links.map(([at, link]) => ({
    ...reading,
    at,
    run: (forSeconds: number) =>
      runDemand({ ...reading, referee: reading.referee(300, 200), link, length: seconds(forSeconds) }),
  })),
);

/** How long a cancel may wait while new orders saturate the limit. Source: faults, I16. */
export const cancelWaitMax = millis(100);
