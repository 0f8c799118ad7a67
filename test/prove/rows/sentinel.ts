import type { Death } from '../../system/support/sentinel-rounds.ts';
import type { Figure, Row, Share } from '../row.ts';

const seed = 20_263;
const kills = 200;
/** Each loop has a daemon, a sentinel and an exchange of its own; two of them keep two cores busy. */
const loops = 2;
const roundsOfChunk = 10;
/** The limit of issue 36 and of section 6 of the catalogue of faults. */
const clearedMax = 5_000;

interface Sums {
  readonly rounds: number;
  /** Rounds in which an order could raise exposure when the daemon died. */
  readonly raising: number;
  readonly clearedMs: readonly number[];
  readonly exitsCanceled: number;
  readonly live: Readonly<Record<string, number>>;
}

async function sumsOf(deaths: readonly Death[], at: number, stopped: AbortSignal): Promise<Sums> {
  const { sentinelRounds } = await import('../../system/support/sentinel-rounds.ts');
  const done = await sentinelRounds({ deaths, seed: seed + at, stopped });
  const live: Record<string, number> = {};
  for (const round of done)
    for (const [name, count] of Object.entries(round.live)) live[name] = (live[name] ?? 0) + count;
  return {
    rounds: done.length,
    raising: done.filter(({ raising }) => raising > 0).length,
    // JSON has no infinity: what was never gone counts as the longest wait.
    clearedMs: done.map(({ clearedMs }) => Math.min(clearedMs, 1e9)),
    exitsCanceled: done.reduce((sum, one) => sum + one.exitsCanceled, 0),
    live,
  };
}

/** Deaths of the real daemon while orders of all products live, and what its sentinel makes of them. */
async function measure(share: Share): Promise<readonly Figure[]> {
  const chunk = (death: Death, at: number, count: number): Promise<readonly Sums[]> =>
    share.chunk(`${count} ${death} from ${at}`, () =>
      Promise.all(
        Array.from({ length: share.isShort ? 1 : loops }, (_, loop) =>
          sumsOf(Array<Death>(count).fill(death), at * loops + loop, share.stopped),
        ),
      ),
    );
  const killed: Sums[] = [];
  const rounds = share.isShort ? 2 : roundsOfChunk;
  for (let at = 0; killed.reduce((sum, one) => sum + one.rounds, 0) < (share.isShort ? 2 : kills); at++)
    killed.push(...(await chunk('SIGKILL', at, rounds)));
  if (share.isShort) return figuresOf('SIGKILL', killed, 2);
  return [
    ...figuresOf('SIGKILL', killed, kills),
    ...figuresOf('SIGSTOP', await chunk('SIGSTOP', 1_000, 5), 10),
    ...figuresOf('file', await chunk('file', 2_000, 5), 10),
  ];
}

const names: Readonly<Record<Death, string>> = { SIGKILL: 'sigkill', SIGSTOP: 'sigstop', file: 'kill file' };

function figuresOf(death: Death, all: readonly Sums[], least: number): readonly Figure[] {
  const sum = (of: (one: Sums) => number): number => all.reduce((total, one) => total + of(one), 0);
  const cleared = all.flatMap(({ clearedMs }) => clearedMs).toSorted((one, other) => one - other);
  const name = names[death];
  const rounds = sum((one) => one.rounds);
  const live = new Map<string, number>();
  for (const one of all)
    for (const [product, count] of Object.entries(one.live))
      live.set(product, (live.get(product) ?? 0) + count);
  const note = `orders live at the death: ${[...live].map(([product, count]) => `${count} ${product}`).join(', ')}`;
  return [
    { name: `${name} rounds`, value: rounds, unit: 'rounds', limit: { atLeast: least }, seed, note },
    {
      name: `${name} rounds with orders that could raise`,
      value: sum((one) => one.raising),
      unit: 'rounds',
      seed,
    },
    {
      name: `${name} rounds over 5 s`,
      value: cleared.filter((ms) => ms > clearedMax).length,
      unit: 'rounds',
      limit: { atMost: 0 },
      seed,
    },
    {
      name: `${name} to last raising order gone p50`,
      value: cleared[Math.floor(cleared.length / 2)] ?? NaN,
      unit: 'ms',
      seed,
    },
    {
      name: `${name} to last raising order gone max`,
      value: cleared.at(-1) ?? NaN,
      unit: 'ms',
      limit: { atMost: clearedMax },
      seed,
    },
    {
      name: `${name} exits on spot cancelled`,
      value: sum((one) => one.exitsCanceled),
      unit: 'orders',
      limit: { atMost: 0 },
      seed,
    },
  ];
}

export const rows: readonly Row[] = [
  {
    name: 'sentinel',
    shows:
      'no order that can raise exposure outlives its daemon by five seconds; orders that only reduce stay',
    minutes: 16,
    shortSeconds: 15,
    isAlone: true,
    measure,
  },
];
