import type { BarFills } from './bar-fills.ts';
import type { Scenario } from './scenario.ts';

/** Scenario on bars, or on trades alone. */
export type BarScenario = Scenario & { readonly fills: BarFills };

/** Whether the fill model of a scenario is that of bars. */
export function isBarScenario(scenario: Scenario): scenario is BarScenario {
  return scenario.fills.model === 'bars';
}
