import { join } from 'node:path';
import { millis } from '../../core/base/clock.ts';
import { SystemClock } from '../../core/base/system-clock.ts';
import type { Config } from '../config/schema.ts';
import type { RunningExchange } from '../../exchange/index.ts';
import { startExchange } from '../../exchange/index.ts';
import { checkDrift } from './check-trade.ts';
import { openDaemon } from './daemon.ts';
import { prepareLive } from './parts.ts';
import { createRunLogs } from '../process/logger.ts';
import type { Output } from '../process/output.ts';
import { runId } from '../run/id.ts';
import { exportLines } from '../process/export-lines.ts';
import { packageVersion } from '../process/package.ts';
import { openExport } from '../process/export-folder.ts';
import type { ExplainsOrders } from './operated.ts';
import { NextRun } from './next-run.ts';
import { runOperated } from './operated.ts';
import { sessionIdentity, sessionInputs } from './session-identity.ts';

export interface DemoSetting {
  readonly config: Config;
  /** Reads the configuration again. */
  readonly read: () => Config;
  readonly output: Output;
  readonly json: boolean;
  readonly forMs: number | undefined;
  /** Whether the page is opened in a browser. */
  readonly open: boolean;
  /** Also record every frame below the run directory. */
  readonly record: boolean;
  /** A directory for everything the session makes, as tables. */
  readonly exportTo?: string | undefined;
  /** As it was typed, without secrets. */
  readonly command?: string | undefined;
  readonly explains: ExplainsOrders;
}

/** Contracts settle funding so often, so that a demo of a few minutes sees it. */
const fundingMinutes = 1;

/** The first five minutes: exchange, living market, daemon and strategy in one process on loopback. */
export async function runDemo(setting: DemoSetting): Promise<number> {
  const { output } = setting;
  checkDrift(setting.config, setting.record);
  const rows = await openExport(setting.exportTo);
  const clock = new SystemClock();
  const directory = join(setting.config.run.directory, runId(clock));
  const { log, session: sessionLog } = createRunLogs(setting.config.log, directory);
  const { futures } = setting.config.exchange;
  const exchange = await startExchange({
    ...setting.config.exchange,
    futures: { ...futures, fundingMinutes: futures.fundingMinutes ?? fundingMinutes },
    clock,
    seed: setting.config.run.seed,
    version: packageVersion(),
    log,
  });
  const key = exchange.keyOf('demo');
  const { client } = setting.config;
  const config: Config = {
    ...setting.config,
    // The exchange is in this process: no proxy of the environment leads there.
    client: {
      ...client,
      rest: { ...client.rest, proxy: false },
      socket: { ...client.socket, proxy: false },
    },
    run: { ...setting.config.run, directory },
    venue: {
      ...setting.config.venue,
      base_url: exchange.restUrl,
      ws_url: exchange.wsUrl,
      api_key: '${env:DEMO_API_KEY}',
      secret_key: '${env:DEMO_SECRET_KEY}',
    },
  };
  const environment = { DEMO_API_KEY: key.apiKey, DEMO_SECRET_KEY: key.secretKey };
  try {
    const parts = await prepareLive({ config, environment, clock, log }, true);
    const recordTo = setting.record ? join(directory, 'recording') : undefined;
    const daemon = await openDaemon({ ...parts, mode: 'sim', recordTo });
    introduce(setting, exchange, config);
    return await runOperated({
      next: new NextRun(),
      daemon,
      parts,
      mode: 'sim',
      source: setting,
      budgets: parts.budgets,
      lagMax: millis(config.orders.marketLagMsMax),
      figures: config.report,
      clock,
      output,
      json: setting.json,
      forMs: setting.forMs,
      explains: setting.explains,
      opensPage: setting.open,
      recordTo,
      sessionLog,
      identity: sessionIdentity('sim', parts.config, daemon),
      directory,
      inputs: sessionInputs(setting),
      rows,
    });
  } finally {
    await exchange.stop();
  }
}

function introduce({ output, forMs }: DemoSetting, exchange: RunningExchange, config: Config): void {
  const names = config.strategies.map((strategy) => strategy.name).join(', ');
  const end = forMs === undefined ? 'Ctrl-C stops' : `it stops by itself after ${forMs / 1_000} s`;
  output.progress('Godwit: an embedded exchange, a simulated market, and a strategy trading on it.');
  output.progress(
    `  exchange   ${exchange.restUrl}/api/3  ${exchange.wsUrl}/api/3/ws/public  (any client of the API can use it)`,
  );
  output.progress(`  strategy   ${names}, over real sockets with a signed login`);
  output.progress(`  journal    ${config.run.directory}`);
  for (const line of keyLines(exchange)) output.progress(line);
  output.progress(`  ${end}, cancels its orders and prints a summary.\n`);
}

/** A key of an account that the strategy does not trade on, for a client beside it. */
function keyLines({ keys }: RunningExchange): readonly string[] {
  const key = keys.find(({ account }) => account !== 'demo');
  if (key === undefined) return [];
  const { account, apiKey: api_key, secretKey: secret_key } = key;
  return [
    `  key        ${account}  ${api_key}  ${secret_key}  (an account beside that of the strategy)`,
    ...exportLines({ api_key, secret_key }).map((line) => `  ${line}`),
  ];
}
