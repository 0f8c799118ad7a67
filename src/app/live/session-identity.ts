import type { Config } from '../config/schema.ts';
import type { RunStarted } from '../../core/model/event.ts';
import type { DocumentSetting } from '../../research/report/index.ts';
import { codeHash } from '../run/code-hash.ts';
import { decidingConfig, hashOf } from '../run/hashes.ts';
import type { Daemon } from './daemon.ts';
import { namedParameters, settingsOf } from '../run/settings.ts';

/**
 * The head of the report of a session. Its data is what the venue sent: there is no file whose hash could be taken, so
 * the hash over the journal, which `runUntilStopped` adds at the end as `decisions`, stands for data and decisions alike.
 */
export function sessionIdentity(
  mode: RunStarted['mode'],
  config: Config,
  { run, strategies }: Pick<Daemon, 'run' | 'strategies'>,
): Readonly<Record<string, string | number>> {
  return {
    mode,
    data: 'live: received from the venue',
    'data hash': 'none: there is no file; the hash of decisions covers the market data, too',
    seed: config.run.seed,
    configuration: hashOf(decidingConfig(config)),
    strategy: strategies,
    'fill model': mode === 'paper' ? `simulated, queue ${config.sim.queueModel}` : 'the venue itself',
    run,
    journal: config.run.directory,
    code: codeHash(),
    trials: 'none: nothing was chosen on the data of a session',
  };
}

/** Parameters, settings and command of a session, for its report: strategies are loaded elsewhere, so their defaults are not among the parameters. */
export function sessionInputs({
  config,
  command,
}: {
  readonly config: Config;
  readonly command?: string | undefined;
}): Pick<DocumentSetting, 'parameters' | 'settings' | 'command'> {
  return { parameters: namedParameters(config.strategies), settings: settingsOf(config), command };
}
