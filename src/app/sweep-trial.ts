import { GodwitError } from '../base/errors.ts';
import type { Config } from '../config/schema.ts';
import { memoryRecording } from '../research/memory-recording.ts';
import type { Point } from '../research/space.ts';
import type { EquityLine } from './sweep-figures.ts';
import { equityFigures, reportFigures } from './sweep-figures.ts';
import { runRecordingTrial } from './sweep-recording-trial.ts';
import type { TrialBase, TrialOutcome, TrialPack, TrialTask } from './trial-contract.ts';
import { outcomeOf } from './trial-contract.ts';

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
    const { runScenarioTrial } = await import('./sweep-scenario-trial.ts');
    return await runScenarioTrial(base, pack, task);
  }
  const { report, line, digest, problems } = await runRecordingTrial({
    config: withPoint(base.config, task.point),
    recording: memoryRecording(pack?.bytes ?? new Uint8Array(0), pack?.label ?? ''),
    until: task.until,
    currency: task.currency,
  });
  return outcomeOf(
    { ...equityFigures(line), ...reportFigures(report, task.currency) },
    line,
    digest,
    problems,
  );
}

function withPoint(config: Config, point: Point): Config {
  const strategies = config.strategies.map((one) => ({ ...one, params: { ...one.params, ...point } }));
  return { ...config, strategies };
}
