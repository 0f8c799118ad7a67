import type { Clock } from '../../core/base/clock.ts';
import { microsPerMilli, timeText } from '../../core/base/clock.ts';
import { GodwitError } from '../../core/base/errors.ts';
import { ConfigError } from '../../core/config/error.ts';
import { readHeader, hasJournal } from '../../core/journal/index.ts';
import { strategyTag } from '../../core/model/client-order-id.ts';
import type { InstrumentSpec } from '../../core/model/instrument.ts';
import type { LaunchedWorker } from '../../core/strategy/framework.ts';
import { loadTimeOf } from '../../core/strategy/framework.ts';
import { isLoopback, requirePrivate } from '../../venues/index.ts';
import type { VenueAddresses } from '../../venues/index.ts';
import type { Config } from '../config/schema.ts';
import { loadAll } from '../run/load-strategies.ts';
import { StrategyError } from '../run/strategy-plans.ts';
import { loadVenue } from '../venue/load.ts';
import { nodeOptions } from '../process/node-options.ts';
import { checkJournalAccount, journalAccount } from '../run/journal-header.ts';
import { killedSince, killPath } from '../sentinel/index.ts';
import { credentialsOf } from '../venue/credentials.ts';
import { checkPrograms, isProgram, productsOfProgram, withPrograms } from '../run/programs.ts';
import { checkDeclared, shadowsOf } from './shadow-configs.ts';
import { accessSync, constants, existsSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';

export type TradeMode = 'sim' | 'paper' | 'live';

export interface TradeCheck {
  /** Left out: what holds in any mode, and keys where they are named. */
  readonly mode: TradeMode | undefined;
  /** Live trading was asked for a second time, by its own flag. */
  readonly live: boolean;
  readonly config: Config;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly clock: Clock;
  /** Takes a sentence on a strategy that needs a second attempt to load. */
  readonly late?: ((line: string) => void) | undefined;
  /** Whether the run is recorded; left out where nobody knows. */
  readonly record?: boolean | undefined;
}

/**
 * Everything `trade` can refuse before its first packet: mode, addresses, keys, the run directory, strategies and their
 * parameters. Makes nothing. Throws what ends `trade`, mostly `ConfigError` and `StrategyError`.
 */
export async function checkTrade(setting: TradeCheck): Promise<void> {
  const { clock } = setting;
  const config = withPrograms(setting.config);
  checkPrograms(config);
  if (config.strategies.length === 0)
    throw new ConfigError('strategies: expected at least one strategy or program, found none');
  checkDrift(config, setting.record);
  const addresses = (await loadVenue(config.venue)).addresses(config.venue);
  checkMode(setting, addresses);
  checkKeys(setting, addresses);
  checkDirectory(setting, addresses);
  const tried = await checkStrategies(config, clock, undefined, setting.late);
  await checkSeries(config, tried);
  const shadows = { ...config, strategies: shadowsOf(config.strategies) };
  for (const shadow of await checkStrategies(shadows, clock, undefined, setting.late)) {
    const live = tried.find((one) => one.name === shadow.name);
    if (live !== undefined) checkDeclared(shadow.name, live, shadow);
  }
}

/**
 * Every series that a strategy declares has a file with its columns, which is read up to its first rows, and every file a strategy that
 * reads it. Throws `ConfigError` or `BadInput` in one sentence.
 */
async function checkSeries(config: Config, tried: readonly TriedStrategy[]): Promise<void> {
  const { series } = config;
  if (series === undefined && tried.every((one) => one.series.length === 0)) return;
  const { checkSeriesFiles } = await import('./series-feed.ts');
  await checkSeriesFiles(
    config,
    tried.map((one) => ({ plan: one, series: one.series })),
  );
}

/**
 * A comparison with a backtest needs the recorded market, and somebody who sees its score. Throws `ConfigError`. `record`: whether
 * the run is recorded, where that is known.
 */
export function checkDrift({ operate }: Pick<Config, 'operate'>, record: boolean | undefined): void {
  if (operate.drift === undefined) return;
  if (!operate.enabled)
    throw new ConfigError(
      'operate.drift: expected operate.enabled, by which its score is seen, found false; set operate.enabled=true or leave out operate.drift',
    );
  if (record === false)
    throw new ConfigError(
      'operate.drift: expected a run that is recorded, found one that is not; add --record or leave out operate.drift',
    );
}

/** Options of Node that show the memory of a process to others, or write it to a file. Source: faults, Q18. */
const debugging = /^--(?:inspect|debug|heapsnapshot)/;

/** A live key never meets a test target by accident, nor the reverse. Source: faults, O3. */
function checkMode({ mode, live, config }: TradeCheck, { baseUrl, wsUrl }: VenueAddresses): void {
  if (mode === 'sim' && !(isLoopback(baseUrl) && isLoopback(wsUrl))) {
    throw new ConfigError(
      `venue.base_url: mode sim trades at an exchange on this machine, found ${baseUrl}; use --mode live for it`,
    );
  }
  if (mode !== 'live') return;
  if (!live) throw new ConfigError('mode live trades with real money: add --live to confirm');
  if (config.account === undefined)
    throw new ConfigError('account: expected the name of the account for mode live, found nothing');
  const shown = nodeOptions().find((option) => debugging.test(option));
  if (shown !== undefined)
    throw new ConfigError(
      `NODE_OPTIONS: mode live runs without ${shown}, which shows the memory of the process and the keys in it; take it out`,
    );
}

/** Keys are there, can be read, and would not cross an open link. Mode paper needs none and looks at none. */
function checkKeys(setting: TradeCheck, { baseUrl, wsUrl }: VenueAddresses): void {
  const { mode, config } = setting;
  const { api_key: apiKey, secret_key: secretKey } = config.venue;
  const areNamed = apiKey !== undefined || secretKey !== undefined;
  if (mode === 'paper' || (mode === undefined && !areNamed)) return;
  credentialsOf(setting);
  for (const [name, address] of [
    ['base_url', baseUrl],
    ['ws_url', wsUrl],
  ] as const) {
    try {
      requirePrivate(address);
    } catch (error) {
      if (!(error instanceof GodwitError)) throw error;
      throw new ConfigError(`venue.${name}: ${error.message}`, { cause: error });
    }
  }
}

/** The run directory takes files, or could be made, a journal in it is of this account, and no kill file is there. */
function checkDirectory({ mode, config }: TradeCheck, addresses: VenueAddresses): void {
  const { directory } = config.run;
  const killed = killedSince(directory);
  if (killed !== undefined)
    throw new ConfigError(
      `run.directory: the kill file ${killPath(directory)} is there since ${timeText(killed * microsPerMilli)}; once its cause is resolved, take it away with godwit kill --undo --run ${directory}`,
    );
  let at = resolve(directory);
  while (!existsSync(at) && dirname(at) !== at) at = dirname(at);
  try {
    if (!statSync(at).isDirectory()) throw new Error(`${at} is no folder`);
    accessSync(at, constants.W_OK);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new ConfigError(`run.directory: expected a folder that can be written, found: ${why}`, {
      cause: error,
    });
  }
  if (mode !== undefined && hasJournal(directory))
    checkJournalAccount(readHeader(directory), journalAccount(mode, config, addresses), directory);
}

/** A strategy that was tried: what it wants to hear, and what it trades. */
export type TriedStrategy = Pick<LaunchedWorker, 'feeds' | 'series' | 'products'> &
  Pick<StrategyConfig, 'name' | 'limits'>;

type StrategyConfig = Config['strategies'][number];

/**
 * Whether the configured strategies can be loaded, take their parameters and declare feeds that are well formed, of `specs` where
 * these are known. Each is tried in a worker, which then ends: what its code does while it loads stays there. Throws
 * `StrategyError`, or `StrategyLate` when one takes too long to load.
 */
export async function checkStrategies(
  { strategies, orders, run: { seed } }: Pick<Config, 'strategies' | 'orders' | 'run'>,
  clock: Clock,
  specs?: readonly InstrumentSpec[],
  late?: (line: string) => void,
): Promise<readonly TriedStrategy[]> {
  for (const [i, { name }] of strategies.entries())
    if (strategies.findIndex((one) => one.name === name) < i)
      throw new StrategyError(`strategy ${name} is listed twice`);
  return loadAll(strategies, {
    load: async (strategy, launch) => {
      const { name, path, params, host, trust: given, limits, loadMs } = strategy;
      if (isProgram(strategy)) {
        const feeds = (limits.symbols ?? []).map((symbol) => ({ symbol, book: true, trades: true }));
        return { name, limits, feeds, series: [], products: productsOfProgram(strategy) };
      }
      const worker = await launch({
        path,
        params,
        name,
        tag: strategyTag(name),
        loadTimeout: loadTimeOf(loadMs),
        late,
        seed,
        idPrefix: orders.idPrefix,
        run: '0',
        stateOptions: {},
        // In the thread of the run a strategy may do what it likes.
        trust: host === 'thread' ? 'full' : given,
        specs,
        clock,
        print: () => {},
      });
      await worker.link.terminate();
      const { feeds, series, products } = worker;
      return { name, limits, feeds, series, products };
    },
    discard: () => Promise.resolve(),
  });
}
