import { unwritable } from '../../data/recording/index.ts';
import { appendTrial } from '../../research/report/index.ts';
import type { SweepSetup } from './setup.ts';
import type { TrialOutcome } from './trial-contract.ts';
import type { TrialKey } from '../run/trial-key.ts';

/** Where all trials on all data are counted. */
export const trialLogPath = 'runs/trials.ndjson';

/**
 * Counts one trial: reports say how many were made on the same data. A backtest with the same parameters on all of the
 * data has the same key. One that failed is none: it chose nothing. Throws `BadInput` with the path when the disk refuses.
 */
export function noteTrial(path: string, setup: SweepSetup, key: TrialKey, outcome: TrialOutcome): void {
  if (outcome.failure !== undefined) return;
  try {
    appendTrial(path, {
      data: setup.files,
      ...key,
      sharpe: outcome.figures.sharpeDaily ?? null,
      decisions: outcome.digest,
    });
  } catch (error) {
    throw unwritable(path, error);
  }
}
