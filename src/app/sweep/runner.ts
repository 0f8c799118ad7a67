import type { TrialOutcome, TrialPack, TrialTask } from './trial-contract.ts';

/** Who runs trials: threads of this machine, or workers behind a queue. */
export interface TrialRunner {
  /** The data of all tasks handed in from now on. */
  use(pack: TrialPack | undefined): Promise<void>;
  /** Resolves with what came of the trial, which `key` names among all that were ever run; rejects only when there is nobody left to run it. */
  run(task: TrialTask, key: string): Promise<TrialOutcome>;
  /** Lets go of everything; trials under way are dropped. */
  close(): Promise<void>;
}
