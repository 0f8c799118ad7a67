import type { SimVenue } from '../../sim/index.ts';
import { ConfigError } from '../../core/config/error.ts';
import type { SamplerDeps, LoadedScenario } from '../../research/scenario/index.ts';
import { Sampler, mainSymbolOf } from '../../research/scenario/index.ts';
import type { Assembly } from '../run/assembly.ts';

/**
 * Opens the sampler that a scenario asks for: columns that name no symbol are of the one that the scenario describes first, else
 * of the first that its strategy listens to. Throws `ConfigError` where neither names one.
 */
export function openSampler(
  { file, scenario }: Pick<LoadedScenario, 'file' | 'scenario'>,
  { trader, loaded }: Pick<Assembly<SimVenue>, 'trader' | 'loaded'>,
  rest: Pick<SamplerDeps, 'funding' | 'price' | 'strategy' | 'start'>,
): Sampler | undefined {
  if (scenario.sample === undefined) return undefined;
  const symbol = mainSymbolOf(scenario) ?? loaded[0]?.feeds[0]?.symbol;
  if (symbol === undefined)
    throw new ConfigError(`${file}: sample: expected an instrument, or a strategy that listens to one`);
  const { columns } = scenario.sample;
  return new Sampler({ ...rest, columns, view: trader.view, instrument: trader.instruments.get(symbol) });
}
