import type { Figure, Row, Share } from '../row.ts';

const seed = 20_261;
/** Each loop has a daemon and an exchange of its own; two of them keep two cores busy. */
const loops = 2;
const kills = 200;
const roundsOfChunk = 20;

/** The limit of section 8 of the catalogue of faults. */
const minutesMax = 5;

/** Whether the daemon is a gateway under the orders of two programs. */
interface Killed extends Pick<Share, 'stopped'> {
  readonly gateway: boolean;
}

interface Sums {
  readonly kills: number;
  readonly ms: number;
  readonly orders: number;
  readonly trades: number;
  readonly resumedMs: readonly number[];
  readonly found: Readonly<Record<string, number>>;
  readonly differences: readonly string[];
}

async function sumsOf(rounds: number, at: number, { stopped, gateway }: Killed): Promise<Sums> {
  const { killRounds } = await import('../../system/support/kill-rounds.ts');
  const { troubles } = await import('../../system/support/observer.ts');
  const begun = performance.now();
  const done = await killRounds({ rounds, seed: seed + at, stopped, gateway });
  const last = done.at(-1);
  return {
    kills: done.length,
    ms: performance.now() - begun,
    orders: last?.orders ?? 0,
    trades: last?.trades ?? 0,
    resumedMs: done.map(({ resumedMs }) => resumedMs),
    // What a later round still finds is one trouble: each round compares everything.
    found: Object.fromEntries(troubles.map((name) => [name, Math.max(...done.map((round) => round[name]))])),
    differences: [...new Set(done.flatMap(({ differences }) => differences))].slice(0, 5),
  };
}

/** Kills of the real daemon under load, on spot, with order lists, on margin and on contracts. */
async function measure(share: Share, gateway = false): Promise<readonly Figure[]> {
  const all: Sums[] = [];
  const killed = { stopped: share.stopped, gateway };
  if (share.isShort) all.push(await sumsOf(gateway ? 1 : 3, 0, killed));
  else
    for (let at = 0; at * roundsOfChunk < kills; at += loops)
      all.push(
        ...(await share.chunk(`${at * roundsOfChunk} kills on`, () =>
          Promise.all(Array.from({ length: loops }, (_, loop) => sumsOf(roundsOfChunk, at + loop, killed))),
        )),
      );
  const sum = (of: (one: Sums) => number): number => all.reduce((total, one) => total + of(one), 0);
  const note = all.flatMap(({ differences }) => differences).join('; ');
  const trouble = (name: string, of: readonly string[]): Figure => ({
    name,
    value: of.reduce((total, one) => total + sum(({ found }) => found[one] ?? 0), 0),
    unit: 'in all',
    limit: { atMost: 0 },
    seed,
    ...(note !== '' && { note }),
  });
  const resumed = all.flatMap(({ resumedMs }) => resumedMs).toSorted((one, other) => one - other);
  const ms = sum((one) => one.ms) / (share.isShort ? 1 : loops);
  return [
    {
      name: 'kills',
      value: sum((one) => one.kills),
      unit: 'kills',
      limit: { atLeast: share.isShort ? (gateway ? 1 : 3) : kills },
      seed,
    },
    { name: 'orders', value: sum((one) => one.orders), unit: 'orders', seed },
    { name: 'executions', value: sum((one) => one.trades), unit: 'executions', seed },
    trouble('orders lost', ['lost']),
    trouble('orders doubled', ['doubled']),
    trouble('orders larger than intended', ['oversized']),
    trouble('orders unknown to the daemon', ['unknown']),
    trouble('executions missing or booked twice', ['fillsMissing', 'fillsDoubled']),
    trouble('balances and positions that differ', ['balances', 'positions']),
    {
      name: 'start to first order p50',
      value: resumed[Math.floor(resumed.length / 2)] ?? Number.NaN,
      unit: 'ms',
    },
    {
      name: 'time',
      value: Math.round(ms / 6_000) / 10,
      unit: 'minutes',
      ...(!share.isShort && !gateway && { limit: { atMost: minutesMax } }),
    },
  ];
}

export const rows: readonly Row[] = [
  {
    name: 'kills',
    shows:
      'a daemon killed under load on spot, with lists, on margin and on contracts loses, doubles and forgets nothing',
    minutes: 6,
    shortSeconds: 15,
    isAlone: true,
    measure,
  },
  {
    name: 'gateway-kills',
    shows:
      'a gateway killed under the orders of two programs loses, doubles and forgets none, whatever the programs repeat',
    minutes: 25,
    shortSeconds: 15,
    isAlone: true,
    measure: (share) => measure(share, true),
  },
];
