import type { Clock } from '../../core/base/clock.ts';
import { Random } from '../../core/base/random.ts';
import { createLogger } from '../process/logger.ts';
import { actText, Guard, startSentinel } from '../sentinel/index.ts';
import type { Config } from '../config/schema.ts';
import type { Output } from '../process/output.ts';
import type { TradeMode } from './check-trade.ts';

interface GuardedSetting {
  readonly mode: TradeMode;
  readonly config: Config;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly output: Output;
}

/** Whether a sentinel is to be there: where real orders leave, unless the configuration says otherwise; in mode sim where it asks for one. */
export function wantsSentinel({ mode, config }: Pick<GuardedSetting, 'mode' | 'config'>): boolean {
  return mode !== 'paper' && (config.sentinel.enabled ?? mode === 'live');
}

/**
 * Takes the lease of the run directory and starts the sentinel, before the first order can leave. `undefined` in mode paper, and where
 * no sentinel is wanted and none of an earlier daemon may be at work.
 */
export async function openGuard(setting: GuardedSetting, clock: Clock): Promise<Guard | undefined> {
  const { mode, config, environment, output } = setting;
  const isWanted = wantsSentinel(setting);
  const { directory } = config.run;
  if (mode === 'paper' || (!isWanted && !Guard.wasIn(directory))) return undefined;
  const isOwn = isWanted && config.sentinel.startedBy === 'daemon';
  const guard = await Guard.open({
    directory,
    clock,
    random: new Random(config.run.seed).fork('sentinel'),
    log: createLogger(config.log),
    start: isOwn ? (epoch) => startSentinel({ config, epoch, environment }) : undefined,
    isWanted,
    say: (line) => output.progress(line),
  });
  for (const act of guard.earlier) output.progress(actText(act));
  return guard;
}
