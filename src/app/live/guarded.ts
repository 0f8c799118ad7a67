import type { Cancel, Clock } from '../../core/base/clock.ts';
import { Random } from '../../core/base/random.ts';
import { otherHeads } from '../../core/orders/index.ts';
import type { Trader } from '../../core/trader/index.ts';
import type { Capabilities } from '../../core/model/capabilities.ts';
import { createLogger } from '../process/logger.ts';
import { hasTerminal } from '../process/stop-signal.ts';
import { Guard, startSentinel, watchingService, writeOthers } from '../sentinel/index.ts';
import type { Config } from '../config/schema.ts';
import type { Output } from '../process/output.ts';
import type { Daemon } from './daemon.ts';
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

/** Sentences on what cancels orders where this daemon is gone or stands: the sentinel, and the switch of the venue. None in mode paper. */
export function protectionNotes(
  setting: Pick<GuardedSetting, 'mode' | 'config'>,
  capabilities: Capabilities,
): readonly string[] {
  const { mode, config } = setting;
  if (mode === 'paper') return [];
  const { cancel, keepAlive, keepAliveMs } = config.sentinel;
  return [
    wantsSentinel(setting)
      ? `${sentinelText(config)}; it cancels ${cancel === 'all' ? 'every own order' : 'own orders that can raise exposure'}`
      : `no sentinel: ${config.sentinel.enabled === false ? 'sentinel.enabled is false' : 'mode sim has one where sentinel.enabled is true'}`,
    capabilities.keepAlive === undefined
      ? 'the venue has no switch of its own that would cancel orders'
      : keepAlive
        ? `a switch of the venue is armed, which cancels all orders of the account after ${keepAliveMs / 1_000} s`
        : 'the switch of the venue is not armed: sentinel.keepAlive is false',
  ];
}

function sentinelText({ run, sentinel }: Config): string {
  if (sentinel.startedBy === 'daemon')
    return 'trade starts a sentinel, which ends where the whole cgroup of the daemon is ended';
  const pid = watchingService(run.directory);
  return pid === undefined
    ? 'the sentinel is to be a service, and none watches this run directory now (godwit-sentinel.service)'
    : `the sentinel is a service, process ${pid}`;
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
  if (isOwn && environment['INVOCATION_ID'] !== undefined && !hasTerminal())
    output.progress(
      'note: under systemd the end of the unit ends the sentinel, too, unless a unit of its own runs it (sentinel.startedBy: service, docs/service.md)',
    );
  return guard;
}

/** Begins of ids that are remembered: a run that was another's once is never ours. */
const othersMax = 100;

interface EnteredRun {
  readonly daemon: Pick<Daemon, 'run' | 'trader' | 'act'>;
  readonly config: Config;
  readonly say: (line: string) => void;
}

/** Tells guard and sentinel of a run that begins to trade. */
export function enterRun(guard: Guard, { daemon, config, say }: EnteredRun): void {
  const { run, sentinel } = config;
  keepOthers(daemon.trader, run.directory, (why) =>
    say(`The runs of other Godwits cannot be written for the sentinel: ${why}`),
  );
  guard.enter('trades', daemon.run);
  guard.followRun({
    say,
    kill: (why) => daemon.act({ act: 'kill', cancel: sentinel.cancel }, 'kill file', why),
    acted: ({ at, canceled, orders = [], kept, unresolved, why }) =>
      daemon.act({ act: 'sentinel', at, canceled, orders, kept, unresolved }, 'sentinel', why),
  });
}

/**
 * Writes for the sentinel which runs under our prefix are of other Godwits, as soon as one is seen. One that cannot be written leaves the
 * sentinel with what it knows: rather too much is cancelled than too little.
 */
function keepOthers(
  trader: Pick<Trader, 'view' | 'watch'>,
  directory: string,
  failed: (why: string) => void,
): Cancel {
  const known = new Set(otherHeads(trader.view.differences.all));
  const write = (): void => {
    try {
      writeOthers(directory, [...known].slice(-othersMax));
    } catch (error) {
      failed(String(error));
    }
  };
  write();
  return trader.watch(({ event }) => {
    if (event.kind !== 'differenceFound') return;
    const [head] = otherHeads([event.difference]);
    if (head === undefined || known.has(head)) return;
    known.add(head);
    write();
  });
}
