import type { Config } from '../config/schema.ts';
import { runReport } from '../../research/report/run.ts';
import { memoryRecording } from '../../research/scenario/memory-recording.ts';
import type { Point } from '../../research/search/space.ts';
import { driveBacktest } from '../backtest/drive.ts';
import { summedParts } from './summed.ts';
import type { TrialBase, TrialOutcome, TrialPack, TrialTask } from './trial-contract.ts';
import { outcomeOf } from './trial-contract.ts';

type RecordingBase = Extract<TrialBase, { kind: 'recording' }>;

/** Runs a trial on a recording: the same run as `runBacktest`, event for event; it may end earlier. */
export async function runRecordingTrial(
  base: RecordingBase,
  pack: TrialPack | undefined,
  task: TrialTask,
): Promise<TrialOutcome> {
  const { summary, journal, start, faults, cut } = await driveBacktest({
    config: withPoint(base.config, task.point),
    recording: memoryRecording(pack?.bytes ?? new Uint8Array(0), pack?.label ?? ''),
    until: task.until,
  });
  const report = runReport(summary, { identity: {} });
  return outcomeOf({
    ...summedParts({ summary, report, start }, task),
    digest: journal.digest(),
    problems: [...(cut === undefined ? [] : [cut]), ...faults],
  });
}

function withPoint(config: Config, point: Point): Config {
  const strategies = config.strategies.map((one) => ({ ...one, params: { ...one.params, ...point } }));
  return { ...config, strategies };
}
