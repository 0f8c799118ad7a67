import { isBarScenario } from '../../research/scenario/bar-terms.ts';
import { runToEnd } from '../run/drive.ts';
import type { ScenarioResult, ScenarioRun } from './scenario-result.ts';
import { openTickRun } from './tick-run.ts';

/**
 * Runs a scenario on the data its fill model needs: the same trader as live, on a virtual clock and a simulated venue. Data that are
 * damaged on the way, or not in order, cut the run short: what there is until then is kept, and `problems` says why. Throws `BadInput`
 * in one sentence when it cannot begin.
 */
export async function runScenario(run: ScenarioRun): Promise<ScenarioResult> {
  if (!isBarScenario(run.loaded.scenario)) return await runToEnd(async () => await openTickRun(run));
  const { runBarScenario } = await import('./bar-scenario-run.ts');
  return await runBarScenario(run);
}
