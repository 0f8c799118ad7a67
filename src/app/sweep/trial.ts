import { GodwitError } from '../../core/base/errors.ts';
import type { EquityLine } from '../../research/report/equity-curve.ts';
import { runRecordingTrial } from './recording-trial.ts';
import type { TrialBase, TrialOutcome, TrialPack, TrialTask } from './trial-contract.ts';

const emptyLine: EquityLine = { times: [], values: [] };

/** Runs one trial. Whatever goes wrong in it is told in its outcome: a bad trial ends no sweep. */
export async function runTrial(
  base: TrialBase,
  pack: TrialPack | undefined,
  task: TrialTask,
): Promise<TrialOutcome> {
  try {
    const outcome = await run(base, pack, task);
    return task.keepEquity === true ? outcome : { ...outcome, equity: emptyLine };
  } catch (error) {
    const failure = error instanceof GodwitError ? error.message : String(error);
    return { figures: {}, digest: '', failure, equity: emptyLine };
  }
}

async function run(base: TrialBase, pack: TrialPack | undefined, task: TrialTask): Promise<TrialOutcome> {
  if (base.kind === 'scenario') {
    // Loaded when it is needed: every thread pays for what it loads.
    const { runScenarioTrial } = await import('./scenario-trial.ts');
    return await runScenarioTrial(base, pack, task);
  }
  return await runRecordingTrial(base, pack, task);
}
