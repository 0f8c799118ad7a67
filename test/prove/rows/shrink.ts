import type { Row } from '../row.ts';

/** Planted defects that show only under faults: most break in the course of other faults. */
const defects = [
  'fills after a cancel are ignored',
  'an order without an answer is dropped',
  'an empty history proves an order dead',
  'trades of the history are not read',
  'an order is sent again on a time-out',
  'a restart forgets orders without an answer',
  'a halt is forgotten over a restart',
];

/** A seed has so many faults at least. */
const faultsMin = 60;
const seedsMax = 200;
/** Candidates that are tried at once: one on each core. */
const lanesCount = 2;
const minutes = 10;

export const rows: readonly Row[] = [
  {
    name: 'shrink',
    shows: 'of the many faults of a failing seed the few that break it are found in a minute',
    minutes: 6,
    isAlone: true,
    async measure({ chunk, tell }) {
      const { plantedBugs } = await import('../../simulation/planted.ts');
      const { planFaults } = await import('../../simulation/fault-plan.ts');
      const { ShrinkLanes } = await import('../../simulation/shrink-lanes.ts');
      const { shrinkSeed } = await import('../../simulation/shrink.ts');
      const { simulate } = await import('../../simulation/simulation.ts');
      const shrunk = [];
      for (const name of defects) {
        shrunk.push(
          await chunk(name, async () => {
            const hooks = plantedBugs[name];
            if (hooks === undefined) throw new Error(`there is no planted defect "${name}"`);
            for (let seed = 1; seed <= seedsMax; seed++) {
              if (planFaults(seed, minutes * 60_000).length < faultsMin) continue;
              const { breaches, faults } = await simulate({ seed, minutes, hooks });
              const [breach] = breaches;
              if (breach === undefined) continue;
              const begun = performance.now();
              const lanes = new ShrinkLanes(lanesCount);
              const least = await shrinkSeed({
                faults,
                breach,
                lanes: lanes.count,
                run: (only, { endMs, signal }) =>
                  lanes.run({ seed, minutes, only, endMs, bug: name }, signal),
              }).finally(() => lanes.close());
              const seconds = (performance.now() - begun) / 1_000;
              const left = least.map(({ kind }) => kind);
              tell(
                `${name}: seed ${seed}, ${breach.invariant}, ${faults.length} faults, ${seconds.toFixed(1)} s: ${left.join(', ')}`,
              );
              return { name, seconds, left: left.length, of: faults.length };
            }
            throw new Error(`no seed of the first ${seedsMax} shows "${name}"`);
          }),
        );
      }
      const left = shrunk.map((one) => one.left).sort((a, b) => a - b);
      return [
        {
          name: 'longest time until the fewest faults',
          value: Math.max(...shrunk.map(({ seconds }) => seconds)),
          unit: `s, ${shrunk.length} failing seeds`,
          limit: { atMost: 60 },
          seed: 1,
        },
        {
          name: 'median of the faults left',
          value: left[Math.floor(left.length / 2)] ?? Number.NaN,
          unit: `of ${Math.min(...shrunk.map(({ of }) => of))} or more`,
          limit: { atMost: 5 },
          seed: 1,
        },
      ];
    },
  },
];
