import type { Clock } from '../../core/base/clock.ts';
import { microsPerSecond } from '../../core/base/clock.ts';
import { GodwitError } from '../../core/base/errors.ts';
import { silentLogger } from '../../core/base/logger.ts';
import { isLoopback } from '../../venues/index.ts';
import type { Config } from '../config/schema.ts';
import type { TradeMode } from '../live/check-trade.ts';
import { checkTrade } from '../live/check-trade.ts';
import type { LiveParts } from '../live/parts.ts';
import { protectionNotes } from '../live/guarded.ts';
import { prepareLive } from '../live/parts.ts';
import { exitCodes } from '../process/exit-codes.ts';
import type { Output } from '../process/output.ts';
import { packageVersion } from '../process/package.ts';
import { withSessions } from './sessions.ts';
import { existsSync, statfsSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';

export interface DoctorCommand {
  /** Left out: what holds in any mode, and keys where they are named. */
  readonly mode: TradeMode | undefined;
  readonly config: Config;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly clock: Clock;
  readonly output: Output;
  readonly json: boolean;
}

interface Check {
  readonly check: string;
  readonly state: 'ok' | 'warning' | 'failed';
  readonly text: string;
}

/** `godwit doctor`: everything a run depends on, looked at without trading. Exit code 7 when a check fails. */
export async function doctorCommand(command: DoctorCommand): Promise<number> {
  const checks = [
    versions(),
    await configuration(command),
    ...directory(command.config.run.directory),
    ...(await venue(command)),
  ];
  const ok = checks.every(({ state }) => state !== 'failed');
  const { output } = command;
  if (command.json) output.data(JSON.stringify({ ok, checks }));
  else
    for (const { check, state, text } of checks)
      output.data(`${state.padEnd(8)} ${check.padEnd(14)} ${text}`);
  return ok ? exitCodes.done : exitCodes.checkFailed;
}

const nodeMajorMin = 24;

function versions(): Check {
  const { node } = process.versions;
  const isOld = Number.parseInt(node, 10) < nodeMajorMin;
  return {
    check: 'versions',
    state: isOld ? 'failed' : 'ok',
    text: `godwit ${packageVersion()}, Node ${node}${isOld ? `: expected ${nodeMajorMin} or newer` : ''}`,
  };
}

async function configuration({ mode, config, environment, clock }: DoctorCommand): Promise<Check> {
  const check = 'configuration';
  try {
    await checkTrade({ mode, live: true, config, environment, clock });
    return { check, state: 'ok', text: 'what trade checks before its first packet holds' };
  } catch (error) {
    return { check, state: 'failed', text: sentence(error) };
  }
}

const mib = 1_048_576;
const freeMibWarned = 1_024;
const freeMibMin = 100;

/** The run directory, or the nearest folder above it that exists. */
function directory(path: string): readonly Check[] {
  let at = resolve(path);
  while (!existsSync(at) && dirname(at) !== at) at = dirname(at);
  const { bavail, bsize } = statfsSync(at);
  const free = Math.floor((bavail * bsize) / mib);
  const low = free < freeMibMin ? 'failed' : 'warning';
  const space: Check = {
    check: 'disk',
    state: free < freeMibWarned ? low : 'ok',
    text: `${free} MiB free at ${at}${free < freeMibWarned ? `: expected ${freeMibWarned} MiB` : ''}`,
  };
  const open = existsSync(path) && (statSync(path).mode & 0o022) !== 0;
  const text = open
    ? `${path} can be written by other users: take that right away (chmod go-w)`
    : `${path} ${existsSync(path) ? 'is written by its owner alone' : 'will be made'}`;
  return [space, { check: 'run directory', state: open ? 'warning' : 'ok', text }];
}

/** Addresses, clock and key. Nothing is asked when the addresses or the keys are wrong already. */
async function venue({ mode, config, environment, clock }: DoctorCommand): Promise<readonly Check[]> {
  const { api_key: apiKey, secret_key: secretKey } = config.venue;
  const withKeys =
    mode === 'paper' ? false : mode !== undefined || apiKey !== undefined || secretKey !== undefined;
  const checks: Check[] = [];
  try {
    const parts = await prepareLive({ config, environment, clock, log: silentLogger }, withKeys);
    const { baseUrl } = parts.addresses;
    const listed = parts.listed.all.length;
    checks.push({ check: 'REST', state: 'ok', text: `${baseUrl} lists ${listed} symbols` });
    checks.push(await sockets(parts, withKeys));
    if (mode !== undefined && mode !== 'paper') checks.push(...protection({ mode, config }, parts));
    const found = await parts.connection.examine?.();
    if (found === undefined) return checks;
    checks.push(clockCheck(found.clockOffset));
    if (withKeys) checks.push(keyCheck(found.rights, isLoopback(baseUrl) && mode !== 'live'));
  } catch (error) {
    const name = checks.length === 0 ? 'REST' : 'key';
    checks.push({ check: name, state: 'failed', text: sentence(error) });
  }
  return checks;
}

/** Whether something cancels orders when the daemon is gone. */
function protection(
  setting: Parameters<typeof protectionNotes>[0],
  { venue: module }: LiveParts,
): readonly Check[] {
  const [sentinel = '', own = ''] = protectionNotes(setting, module.capabilities);
  const isMissing = setting.mode === 'live' && /^no sentinel|none watches/.test(sentinel);
  return [
    { check: 'sentinel', state: isMissing ? 'warning' : 'ok', text: sentinel },
    { check: 'venue switch', state: 'ok', text: own },
  ];
}

/** Whether the sessions of the venue come up, with one subscription. */
async function sockets(parts: LiveParts, withKeys: boolean): Promise<Check> {
  const { listed, addresses } = parts;
  const feeds = { book: true, trades: false, ticker: false, candles: [] };
  const subscriptions = listed.all.slice(0, 1).map(({ id }) => ({ instrument: id, ...feeds }));
  const check = 'sockets';
  try {
    await withSessions({ parts, instruments: listed, subscriptions, withKeys }, () => Promise.resolve());
    return {
      check,
      state: 'ok',
      text: `${addresses.wsUrl} answers${withKeys ? ' and takes the login' : ''}`,
    };
  } catch (error) {
    return { check, state: 'failed', text: sentence(error) };
  }
}

const offsetSecondsMax = 2;

function clockCheck(offset: number): Check {
  const seconds = Math.abs(offset) / microsPerSecond;
  const far = `${seconds.toFixed(1)} s ${offset < 0 ? 'ahead of' : 'behind'} that of the venue`;
  if (seconds >= offsetSecondsMax)
    return { check: 'clock', state: 'failed', text: `the clock of this machine is ${far}: set it` };
  return { check: 'clock', state: 'ok', text: offset === 0 ? 'agrees with that of the venue' : far };
}

type Rights = { readonly reads: boolean; readonly trades: boolean; readonly withdraws: boolean } | undefined;

/** A key that can withdraw is refused: who steals it takes the money. On this machine it is play money. */
function keyCheck(rights: Rights, local: boolean): Check {
  const check = 'key';
  if (rights === undefined)
    return {
      check,
      state: 'warning',
      text: 'the key works, and the venue does not show its rights: see on its page that withdrawal is off',
    };
  if (rights.withdraws)
    return {
      check,
      state: local ? 'warning' : 'failed',
      text: 'the key may withdraw: make one without that right, since a bot never needs it',
    };
  const missing = [...(rights.reads ? [] : ['read']), ...(rights.trades ? [] : ['trade'])];
  if (missing.length > 0)
    return { check, state: 'failed', text: `the key may not ${missing.join(' or ')}: give it that right` };
  return { check, state: 'ok', text: 'the key may read and trade, and not withdraw' };
}

function sentence(error: unknown): string {
  if (error instanceof GodwitError) return error.message;
  throw error;
}
