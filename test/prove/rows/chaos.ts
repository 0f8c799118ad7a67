import type { Outcome, Scenario } from '../../system/chaos/scenario.ts';
import type { Figure, Row, Share } from '../row.ts';

const seed = 36;
/** Scenarios of a piece: each begins with a daemon and an exchange of its own. */
const ofPiece = 5;

type Group = 'links' | 'venue' | 'hostile';

async function scenariosOf(group: Group): Promise<readonly Scenario[]> {
  switch (group) {
    case 'links':
      return (await import('../../system/chaos/network.ts')).networkScenarios;
    case 'venue':
      return [
        ...(await import('../../system/chaos/sockets.ts')).socketScenarios,
        ...(await import('../../system/chaos/behaviour.ts')).behaviourScenarios,
      ];
    case 'hostile':
      return (await import('../../system/chaos/hostile.ts')).hostileScenarios;
  }
}

/** Each scenario has the figure of its row of the catalogue; the observer compares both sides after each. */
async function measure(group: Group, share: Share): Promise<readonly Figure[]> {
  const { play } = await import('../../system/chaos/scenario.ts');
  const { isShort, tell, stopped } = share;
  const scenarios = (await scenariosOf(group)).filter((one) => !isShort || one.isShort === true);
  const outcomes: Outcome[] = [];
  for (let at = 0; at < scenarios.length; at += ofPiece) {
    const piece = scenarios.slice(at, at + ofPiece);
    const names = piece.map(({ row }) => row).join(' ');
    outcomes.push(...(await share.chunk(names, () => play(piece, { seed, tell, stopped }))));
  }
  const figures = outcomes.map(({ row, value, differences }): Figure => {
    const { name, unit, atMost } = scenarios.find((one) => one.row === row)?.figure ?? {
      name: 'unknown',
      unit: '',
      atMost: 0,
    };
    const isTimed = unit === 'ms';
    return {
      name: `${row} ${name}`,
      // What failed is kept as JSON, which has no number for it.
      value: value ?? Number.NaN,
      unit,
      // A busy machine is late: times are held to their limits in the whole alone.
      ...((!isShort || !isTimed) && { limit: { atMost } }),
      seed,
      ...(differences.length > 0 && { note: differences.slice(0, 3).join('; ') }),
    };
  });
  const note = outcomes.flatMap(({ row, differences }) => differences.map((one) => `${row}: ${one}`));
  const longest = (of: (one: Outcome) => number): number => Math.max(0, ...outcomes.map(of));
  return [
    ...figures,
    {
      name: 'orders executions balances and positions that differ',
      value: outcomes.reduce((sum, { trouble }) => sum + trouble, 0),
      unit: 'in all',
      limit: { atMost: 0 },
      seed,
      ...(note.length > 0 && { note: note.slice(0, 5).join('; ') }),
    },
    { name: 'books equal after at most', value: longest(({ convergeMs }) => convergeMs), unit: 'ms', seed },
    { name: 'trades again after at most', value: longest(({ resumedMs }) => resumedMs), unit: 'ms', seed },
  ];
}

/** Strategies that ship and trade as the demo lists its symbols. */
const shipped = ['market-maker', 'grid'] as const;

/** Each strategy through every name of the table, in virtual time; what did not hold is named. */
async function measureNames(share: Share): Promise<readonly Figure[]> {
  const { fileURLToPath } = await import('node:url');
  const { runChaos } = await import('../../../src/app/check/chaos-run.ts');
  const { configSchema } = await import('../../../src/app/config/schema.ts');
  const { troubleNames } = await import('../../../src/exchange/chaos/index.ts');
  const figures: Figure[] = [];
  for (const strategy of shipped) {
    const path = fileURLToPath(new URL(`../../../strategies/${strategy}`, import.meta.url));
    const config = configSchema.parse({ strategies: [{ name: strategy, path }] });
    const broken = await share.chunk(strategy, async () => {
      const setting = { config, seed, minutes: 2 };
      const calm = await runChaos('calm', setting);
      const found: string[] = [];
      for (const name of troubleNames) {
        share.stopped.throwIfAborted();
        const run = await runChaos(name, setting, calm);
        share.tell(`${strategy} ${name}: ${run.orders} orders, ${run.broken.join('; ') || 'held'}`);
        found.push(...run.broken.map((one) => `${name}: ${one}`));
      }
      return found;
    });
    figures.push({
      name: `${strategy.replace('-', ' ')} does not hold`,
      value: broken.length,
      unit: `under ${troubleNames.length} troubles`,
      limit: { atMost: 0 },
      seed,
      ...(broken.length > 0 && { note: broken.slice(0, 3).join('; ') }),
    });
  }
  return figures;
}

export const rows: readonly Row[] = [
  {
    name: 'chaos-names',
    shows: 'strategies that ship hold under every trouble of an exchange by its name, in virtual time',
    minutes: 4,
    measure: measureNames,
  },
  {
    name: 'chaos-links',
    shows:
      'a daemon and an exchange in processes of their own agree after every fault of the network between them',
    minutes: 5,
    measure: (share) => measure('links', share),
  },
  {
    name: 'chaos-venue',
    shows: 'they agree after every fault of feeds, replies and orders that an exchange can have',
    minutes: 5,
    shortSeconds: 20,
    measure: (share) => measure('venue', share),
  },
  {
    name: 'chaos-hostile',
    shows: 'they agree after attacks by a peer and by a client of the operator',
    minutes: 2,
    isAlone: true,
    measure: (share) => measure('hostile', share),
  },
];
