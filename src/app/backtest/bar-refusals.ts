import { ConfigError } from '../../core/config/error.ts';
import { scenarioLatency } from '../../research/scenario/latency.ts';
import type { Scenario } from '../../research/scenario/scenario.ts';

/** What a run on bars would not heed: better refused than left out in silence. Throws `ConfigError` naming `file`. */
export function checkBarScenario(scenario: Scenario, file: string): void {
  const refusal = refusals.find(({ isSaid }) => isSaid(scenario));
  if (refusal !== undefined) throw new ConfigError(`${file}: ${refusal.why}`);
}

interface Refusal {
  readonly isSaid: (scenario: Scenario) => boolean;
  readonly why: string;
}

const noLatency = JSON.stringify(scenarioLatency.parse({}));

const refusals: readonly Refusal[] = [
  {
    isSaid: ({ data }) => data.some(({ role }) => role === 'prepare'),
    why: 'data.role: expected clock.start in place of prepare, because bars that end before the start are history',
  },
  {
    isSaid: ({ outages }) => outages.length > 0,
    why: 'expected no outages, because bars know no latency and no sessions',
  },
  {
    isSaid: ({ sample }) => sample !== undefined,
    why: 'expected no sample, because a run on bars tells its equity bar by bar',
  },
  {
    isSaid: ({ latency }) => JSON.stringify(latency) !== noLatency,
    why: 'expected no latency, because a bar says nothing of milliseconds',
  },
  {
    isSaid: ({ instrument }) => instrument?.leverage !== undefined,
    why: 'instrument.leverage: expected it in fills.account of a run on bars',
  },
  {
    isSaid: ({ instrument }) => instrument?.funding !== undefined,
    why: 'instrument.funding: expected it in fills.account of a run on bars',
  },
  {
    isSaid: ({ instrument }) => instrument?.liquidation !== undefined,
    why: 'instrument.liquidation: expected it in fills.account of a run on bars',
  },
  {
    isSaid: ({ instrument }) => instrument?.fees !== undefined && hasMoreThanRates(instrument.fees),
    why: 'instrument.fees: expected maker and taker only, because a run on bars has the rest in fills.fees',
  },
  {
    isSaid: ({ instrument }) => instrument?.kind === 'inverse',
    why: 'instrument.kind: inverse: expected data with books and fills: {model: queue} with it, because bars settle in quote currency',
  },
  {
    isSaid: ({ instrument }) =>
      instrument?.contract !== undefined && (instrument.tick === undefined || instrument.lot === undefined),
    why: 'instrument.contract: expected tick and lot with it, for data of bars',
  },
];

function hasMoreThanRates({
  tiers,
  fixed,
  perUnit,
}: NonNullable<NonNullable<Scenario['instrument']>['fees']>) {
  return tiers.length > 0 || fixed !== undefined || perUnit !== undefined;
}
