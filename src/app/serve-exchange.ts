import { padRight } from '../core/base/display-width.ts';
import type { Config } from './config/schema.ts';
import type { Clock } from '../core/base/clock.ts';
import type { Logger } from '../core/base/logger.ts';
import { SystemClock } from '../core/base/system-clock.ts';
import type { AskedTrouble } from '../exchange/chaos/index.ts';
import { Chaos } from '../exchange/chaos/index.ts';
import type { RunningExchange } from '../exchange/index.ts';
import { startExchange } from '../exchange/index.ts';
import { exitCodes } from './process/exit-codes.ts';
import { createLogger } from './process/logger.ts';
import type { Output } from './process/output.ts';
import { exportLines } from './process/export-lines.ts';
import { packageVersion } from './process/package.ts';
import { exitProcess } from './process/exit.ts';
import type { RecordedMarket } from './recorded-market/open.ts';
import type { StopCause } from './process/stop-signal.ts';
import { exitCodeOfStop, onStopSignal } from './process/stop-signal.ts';

export interface ServeSetting {
  readonly config: Config;
  readonly host: string;
  readonly port: number;
  readonly json: boolean;
  /** Troubles that come and go while it serves. */
  readonly chaos: readonly AskedTrouble[];
  readonly output: Output;
  /** A recorded market that is served in place of the seeded one. */
  readonly recorded?: RecordedMarket | undefined;
}

/** Serves the embedded exchange alone until a signal. Its demo keys are printed: they are made from the seed. */
export async function serveExchange(setting: ServeSetting): Promise<number> {
  const { config, json, output } = setting;
  const clock = new SystemClock();
  const log = createLogger({ level: config.log.level });
  const failed = Promise.withResolvers<never>();
  failed.promise.catch(() => {});
  const exchange = await openExchange(setting, { clock, log, onFailure: failed.reject });
  // Before the first line: who has read one may ask for the end.
  const stopped = new Promise<StopCause>((resolve) => {
    onStopSignal(resolve, () => exitProcess(exitCodes.failed));
  });
  const accounts = exchange.keys.map(({ account, apiKey, secretKey, rights }) => ({
    api_key: apiKey,
    secret_key: secretKey,
    rights,
    account,
  }));
  if (json) {
    output.data(JSON.stringify({ rest: exchange.restUrl, ws: exchange.wsUrl, accounts }));
  } else {
    // As a configuration takes it, to be pasted.
    output.data(`venue:\n  base_url: ${exchange.restUrl}\n  ws_url: ${exchange.wsUrl}`);
    output.data('paths    /api/3/…, /api/3/ws/public, /api/3/ws/trading, and those of version 2');
    for (const { account, api_key, secret_key, rights } of accounts) {
      output.data(`key      ${padRight(account, 12)} ${api_key}  ${secret_key}  ${rights.join(' ')}`);
    }
    const [first] = accounts;
    if (first !== undefined) for (const line of exportLines(first)) output.data(line);
  }
  const chaos = new Chaos({ exchange: exchange.server.troubled, clock, log });
  for (const asked of setting.chaos) chaos.start(asked);
  const cause = await Promise.race([stopped, failed.promise]);
  chaos.stop();
  await exchange.stop();
  return exitCodeOfStop(cause);
}

interface OpenDeps {
  readonly clock: Clock;
  readonly log: Logger;
  /** Called when a bug has stopped a recorded market. */
  readonly onFailure: (error: unknown) => void;
}

async function openExchange(
  { config, host, port, output, recorded }: ServeSetting,
  { clock, log, onFailure }: OpenDeps,
): Promise<RunningExchange> {
  const where = { host, port, version: packageVersion(), log };
  if (recorded === undefined)
    return startExchange({ ...config.exchange, seed: config.run.seed, ...where, clock });
  const { openRecordedMarket } = await import('./recorded-market/open.ts');
  const onEnd = (sentence: string): void => output.progress(sentence);
  return openRecordedMarket(recorded, { config, ...where, onEnd, onFailure });
}
