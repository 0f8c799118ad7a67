import type { StateView } from '../state/index.ts';
import type { StrategyDefinition } from './define.ts';
import type { HostSetting } from './host.ts';
import type { IntentSink } from './intent-sink.ts';

/** Needs of a runner; the same in the trader's thread and in a worker. */
export interface RunnerDeps extends Pick<HostSetting, 'seed' | 'idPrefix' | 'run' | 'tag' | 'kept' | 'cuts'> {
  readonly definition: StrategyDefinition;
  readonly name: string;
  /** Unchecked parameters. */
  readonly params: unknown;
  readonly state: StateView;
  readonly sink: IntentSink;
}
