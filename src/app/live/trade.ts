import { millis, seconds } from '../../core/base/clock.ts';
import { SystemClock } from '../../core/base/system-clock.ts';
import { ConfigError } from '../../core/config/error.ts';
import type { ServedPrograms } from '../run/programs.ts';
import { loadTimeOf } from '../../core/strategy/framework.ts';
import type { Config } from '../config/schema.ts';
import type { TradeMode } from './check-trade.ts';
import { claimAccount } from '../process/account-claim.ts';
import { checkTrade } from './check-trade.ts';
import { openDaemon } from './daemon.ts';
import type { LiveParts, LiveSetting } from './parts.ts';
import { credentialsOf } from '../venue/credentials.ts';
import { prepareLive } from './parts.ts';
import { isLoopback, VenueFailed } from '../../venues/index.ts';
import type { VenueExamination } from '../../venues/index.ts';
import type { Guard } from '../sentinel/index.ts';
import { openGuard } from './guarded.ts';
import { loadVenue } from '../venue/load.ts';
import { exitCodes } from '../process/exit-codes.ts';
import { createRunLogs } from '../process/logger.ts';
import { NextRun } from './next-run.ts';
import { earlierSession, reportEarlier } from './earlier-report.ts';
import type { Output } from '../process/output.ts';
import { serviceManager, statusNotice } from '../process/service-manager.ts';
import { marketOrderNotes } from '../run/market-order-notes.ts';
import { openExport } from '../process/export-folder.ts';
import type { ExplainsOrders } from './operated.ts';
import { runOperated } from './operated.ts';
import { startExtension } from './service-report.ts';
import { shadowsOf } from './shadow-configs.ts';
import { sessionIdentity, sessionInputs } from './session-identity.ts';

export interface TradeSetting {
  readonly mode: TradeMode;
  /** Live trading was asked for a second time, by its own flag. */
  readonly live: boolean;
  readonly config: Config;
  /** Reads the configuration again. */
  readonly read: () => Config;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly output: Output;
  readonly json: boolean;
  readonly forMs: number | undefined;
  readonly record: boolean;
  /** A directory for everything the session makes, as tables. */
  readonly exportTo?: string | undefined;
  /** As it was typed, without secrets. */
  readonly command?: string | undefined;
  /** Ends a halt that an earlier run latched. */
  readonly clearHalt: boolean;
  readonly explains: ExplainsOrders;
  /** Place at which programs of others are served; none when left out. */
  readonly programs?: ServedPrograms | undefined;
}

/** How long the end of a short run waits for the report of the session before it. */
const earlierLimit = seconds(2);

/** The daemon. Live differs from sim by its addresses and keys alone; paper takes its fills from the simulated venue. */
export async function runTrade(setting: TradeSetting): Promise<number> {
  const clock = new SystemClock();
  if (setting.config.programs.length > 0 && setting.programs === undefined)
    throw new ConfigError('programs: expected none in a run of trade; godwit gateway serves programs');
  const say = startSayer(setting);
  // Node opens an inspector at this signal, which shows the keys. Source: faults, Q18.
  process.off('SIGUSR1', ignored).on('SIGUSR1', ignored);
  extendForLoading(setting);
  await checkTrade({ ...setting, clock, late: say });
  const release = setting.mode === 'paper' ? undefined : await claimOf(setting, clock);
  try {
    const guard = await openGuard(setting, clock);
    try {
      const code = await runChecked(setting, clock, guard);
      // Where orders may be live, or trading was halted, the sentinel looks at the account once more.
      if (code === exitCodes.failed) guard?.close();
      else guard?.farewell(`exit code ${code}`);
      return code;
    } finally {
      guard?.close();
    }
  } finally {
    release?.();
  }
}

/** One run after another: a changed tick size or quantity increment ends one, and the next goes on with all that it held. */
async function runChecked(
  setting: TradeSetting,
  clock: SystemClock,
  guard: Guard | undefined,
): Promise<number> {
  const { output, forMs } = setting;
  const begun = clock.uptime();
  for (let number = 1; ; number++) {
    const passed = (clock.uptime() - begun) / millis(1);
    const { code, goesOn } = await runOnce(
      {
        ...setting,
        forMs: forMs === undefined ? undefined : Math.max(1, Math.round(forMs - passed)),
        clearHalt: setting.clearHalt && number === 1,
        exportTo:
          number === 1 || setting.exportTo === undefined ? setting.exportTo : `${setting.exportTo}-${number}`,
      },
      clock,
      guard,
    );
    if (!goesOn) return code;
    output.progress(
      'The run is opened anew with what the venue lists now; positions, halts and limits go on.',
    );
  }
}

interface RunEnd {
  readonly code: number;
  /** Another run of this process has to go on. */
  readonly goesOn: boolean;
}

async function runOnce(setting: TradeSetting, clock: SystemClock, guard: Guard | undefined): Promise<RunEnd> {
  guard?.enter('starts');
  const { config, mode, output } = setting;
  const rows = await openExport(setting.exportTo);
  const { log, session: sessionLog } = createRunLogs(config.log, config.run.directory);
  const live: LiveSetting = {
    config,
    environment: setting.environment,
    clock,
    log,
  };
  const { start: options } = config.client;
  const say = startSayer(setting);
  const wait = mode === 'sim' ? undefined : { options, forMs: setting.forMs, say };
  const parts = await prepareLive(live, mode !== 'paper', wait);
  if (mode !== 'paper') await checkRights(parts, mode === 'live' ? output : undefined);
  const recordTo = setting.record ? config.record.directory : undefined;
  const { directory } = config.run;
  const place = earlierSession(directory);
  extendForLoading(setting);
  const { clearHalt, programs } = setting;
  const daemon = await openDaemon({ ...parts, mode, recordTo, clearHalt, programs, late: say });
  for (const note of [...marketOrderNotes(config), ...daemon.changed.notes]) output.progress(`note: ${note}`);
  output.progress(`Trading (${mode}) at ${parts.addresses.baseUrl}; journal in ${directory}. Ctrl-C stops.`);
  if (programs !== undefined)
    output.progress(
      `Gateway for ${config.programs.map(({ name }) => name).join(', ')} at ${programs.restUrl}/api/3`,
    );
  const earlier = place === undefined ? undefined : reportEarlier({ directory, place }, output);
  const next = new NextRun();
  const code = await runOperated({
    daemon,
    next,
    parts,
    mode,
    guard,
    source: setting,
    budgets: parts.budgets,
    lagMax: millis(config.orders.marketLagMsMax),
    figures: config.report,
    clock,
    output,
    json: setting.json,
    forMs: setting.forMs,
    explains: setting.explains,
    recordTo,
    sessionLog,
    identity: sessionIdentity(mode, daemon.changed.config, daemon),
    directory,
    inputs: sessionInputs(setting),
    rows,
  });
  if (earlier !== undefined) await endOrLimit(earlier, clock);
  return { code, goesOn: next.goesOn };
}

/** Says a line about a start that takes longer, to the person and to the service manager, which then waits. */
function startSayer({ output, environment }: TradeSetting): (line: string) => void {
  const manager = serviceManager(environment);
  return (line) => {
    output.progress(line);
    manager?.tell([`EXTEND_TIMEOUT_USEC=${startExtension}`, statusNotice(line)]);
  };
}

/** Strategies may load for as long as their settings allow, twice each: the service manager waits so long, and no longer. */
function extendForLoading({ config, environment }: TradeSetting): void {
  const manager = serviceManager(environment);
  const loads = [...config.strategies, ...shadowsOf(config.strategies)];
  const longest = loads.reduce((sum, { loadMs }) => sum + 3 * loadTimeOf(loadMs), 0);
  manager?.tell([`EXTEND_TIMEOUT_USEC=${startExtension + longest}`]);
}

/**
 * Throws `ConfigError` for a key that may not trade, and for one that may withdraw: who steals it takes the money, and a bot never needs
 * that right. A venue that does not show rights, or does not answer now, is told and not waited for; on this machine it is play money.
 * `output`: of a live run, whose key may be worth something. Source: faults, O6.
 */
async function checkRights({ connection, addresses }: LiveParts, output: Output | undefined): Promise<void> {
  let rights: VenueExamination['rights'];
  let why = 'the venue does not show the rights of the key';
  try {
    rights = (await connection.examine?.())?.rights;
  } catch (error) {
    if (!(error instanceof VenueFailed)) throw error;
    why = error.message;
  }
  const lacks = missingRights(rights);
  if (lacks !== '')
    throw new ConfigError(
      `venue.api_key: expected a key with the rights to read and to trade, found one ${lacks}`,
    );
  if (output === undefined) return;
  if (rights === undefined) {
    output.progress(`note: whether the key may withdraw is not known: ${why}`);
  } else if (rights.withdraws) {
    const text = 'the key may withdraw: make one without that right, since a bot never needs it';
    if (!isLoopback(addresses.baseUrl)) throw new ConfigError(`venue.api_key: ${text}`);
    output.progress(`note: ${text}`);
  }
}

/** Rights that a run needs and a key lacks, in words; empty where it has them, or does not show them. */
function missingRights(rights: VenueExamination['rights']): string {
  if (rights === undefined) return '';
  const lacks = [...(rights.reads ? [] : ['R1 (read)']), ...(rights.trades ? [] : ['R2 (trade)'])];
  return lacks.length === 0 ? '' : `without ${lacks.join(' and ')}`;
}

function ignored(): void {}

/** Mode paper has no account. */
async function claimOf(setting: TradeSetting, clock: SystemClock): Promise<() => void> {
  const { venue, run } = setting.config;
  const { baseUrl } = (await loadVenue(venue)).addresses(venue);
  const { apiKey } = credentialsOf(setting);
  return claimAccount({
    clock,
    apiKey,
    baseUrl,
    isLocalExchange: isLoopback(baseUrl),
    directory: run.directory,
    gateway: setting.programs?.restUrl,
    environment: setting.environment,
  });
}

async function endOrLimit(earlier: Promise<void>, clock: SystemClock): Promise<void> {
  const limit = Promise.withResolvers<void>();
  const cancel = clock.after(earlierLimit, limit.resolve);
  await Promise.race([earlier, limit.promise]);
  cancel();
}
