import { GodwitError } from '../../core/base/errors.ts';
import type { Config } from '../config/schema.ts';
import type { EquityLine } from '../../research/report/fold/equity-curve.ts';
import { memoryRecording } from '../../research/scenario/memory-recording.ts';
import type { Point } from '../../research/search/space.ts';
import { runBacktest } from '../backtest/recording-run.ts';
import type { TrialBase, TrialOutcome, TrialPack, TrialTaker, TrialTask } from './trial-contract.ts';
import { outcomeOf, summedParts } from './trial-contract.ts';

const emptyLine: EquityLine = { times: [], values: [] };

/** Runs one trial. What goes wrong in it stands in its outcome: a bad trial ends no sweep. */
export async function runTrial(
  base: TrialBase,
  pack: TrialPack | undefined,
  task: TrialTask,
  taker?: TrialTaker,
): Promise<TrialOutcome> {
  try {
    const outcome = await run(base, pack, task, taker);
    return task.keepEquity === true ? outcome : { ...outcome, equity: emptyLine };
  } catch (error) {
    const failure = error instanceof GodwitError ? error.message : String(error);
    return { figures: {}, digest: '', failure, equity: emptyLine };
  }
}

async function run(
  base: TrialBase,
  pack: TrialPack | undefined,
  task: TrialTask,
  taker: TrialTaker | undefined,
): Promise<TrialOutcome> {
  if (base.kind === 'scenario') {
    // Loaded when it is needed: every thread pays for what it loads.
    const { runScenarioTrial } = await import('./scenario-trial.ts');
    return await runScenarioTrial(base, pack, task, taker);
  }
  return await runRecordingTrial(base, pack, task, taker);
}

type RecordingBase = Extract<TrialBase, { kind: 'recording' }>;

/** Runs a trial on a recording: a backtest, event for event; it may end earlier. */
async function runRecordingTrial(
  base: RecordingBase,
  pack: TrialPack | undefined,
  task: TrialTask,
  taker: TrialTaker | undefined,
): Promise<TrialOutcome> {
  const { summary, report, start, digest, problems } = await runBacktest({
    config: withPoint(base.config, task.point),
    recording: memoryRecording(pack?.bytes ?? new Uint8Array(0), pack?.label ?? ''),
    until: task.until,
    details: taker !== undefined,
    rows: taker?.rows,
  });
  taker?.onSummary(summary);
  return outcomeOf({ ...summedParts({ summary, report, start }, task), digest, problems });
}

function withPoint(config: Config, point: Point): Config {
  const strategies = config.strategies.map((one) => ({ ...one, params: { ...one.params, ...point } }));
  return { ...config, strategies };
}
