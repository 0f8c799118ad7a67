import type { Cancel, Clock } from '../../core/base/clock.ts';
import type { InstrumentId } from '../../core/model/instrument.ts';
import type { Logger } from '../../core/base/logger.ts';
import type { Trader } from '../../core/trader/index.ts';
import type { OpenOperate, OpenedOperate } from '../operate/open.ts';
import { openOperate } from '../operate/open.ts';
import { handed } from '../process/handed.ts';
import type { HeapUse } from '../process/heap-guard.ts';
import { guardHeap, heapText } from '../process/heap-guard.ts';
import { packageVersion } from '../process/package.ts';
import { hasTerminal } from '../process/stop-signal.ts';
import { serviceManager } from '../process/service-manager.ts';
import { hashOf, decidingConfig } from '../run/hashes.ts';
import { accountRows } from './account-now.ts';
import type { Daemon } from './daemon.ts';
import { enterRun } from './guarded.ts';
import type { LostRecords } from './lost-records.ts';
import type { LiveParts } from './parts.ts';
import type { AskedEnd, FollowedRun } from './run-until-stopped.ts';
import { runUntilStopped } from './run-until-stopped.ts';
import type { Guard } from '../sentinel/index.ts';
import { logSession } from './session-log.ts';
import { ServiceReport } from './service-report.ts';
import type { TradeMode } from './check-trade.ts';
import type { NextRun } from './next-run.ts';
import type { ConfigSource } from './reloads.ts';
import { Reloads } from './reloads.ts';

export interface OperatedSession extends Omit<
  FollowedRun,
  'asked' | 'onEnd' | 'onIncident' | 'onStopping' | 'onHangUp'
> {
  readonly daemon: Daemon;
  readonly parts: LiveParts;
  readonly mode: TradeMode;
  /** Where its configuration is read again. */
  readonly source: ConfigSource;
  readonly explains: ExplainsOrders;
  /** The lease, the heartbeat and the sentinel; none where nothing is traded for real. */
  readonly guard?: Guard | undefined;
  readonly next: NextRun;
  /** Whether the page is opened in a browser once it is served. */
  readonly opensPage?: boolean;
  /** Where the frames of the run are recorded, if they are. */
  readonly recordTo: string | undefined;
  /** The log on disk of the session. */
  readonly sessionLog: Logger;
}

/** Makes what explains orders of a run directory, with the recordings that may hold them. */
export type ExplainsOrders = (
  places: { readonly directory: string; readonly folders: readonly string[] },
  clock: Clock,
) => { explain(id: string): ReturnType<OpenOperate['run']['explain']> };

/** Follows a daemon until it is stopped, by a signal, its time, or its operator, who sees and steers it meanwhile. */
export async function runOperated(session: OperatedSession): Promise<number> {
  const { daemon, parts, output, mode, sessionLog } = session;
  const stop = Promise.withResolvers<AskedEnd>();
  const ask = (why: string): void => stop.resolve({ cause: 'asked', why });
  let operate: OpenedOperate | undefined;
  const manager = serviceManager(handed.environment);
  const service = manager && new ServiceReport(manager, { ...daemon, now: () => parts.turns.now() });
  const reloads = new Reloads({
    source: session.source,
    trader: daemon.trader,
    strategyActs: daemon.strategyActs,
    act: (act, who, why) => daemon.act(act, who, why),
    renews: (other) => operate?.renews(other) ?? (() => {}),
    begins: () => service?.reloading(),
    ends: () => service?.reloaded(),
  });
  // Signals are listened to from now on: what opens meanwhile must not let one pass.
  const run = runOf(session, reloads, ask);
  const opening = openOperate({ ...parts, ...session, config: daemon.changed.config, run });
  const open = async (): Promise<void> => {
    try {
      operate = await opening;
    } catch (error) {
      stop.reject(error);
    }
    if (operate === undefined) return;
    output.progress(`Operated at ${operate.url}: godwit status, pause, halt, stop.`);
    if (output.watched === true) output.progress(`Dashboard: ${operate.dashboard}`);
  };
  const opened = open();
  const say = (line: string): void => {
    output.progress(line);
    operate?.alert(line);
  };
  connectGuards(session, say);
  const unlog = logSession({ ...daemon, log: sessionLog, mode, venue: parts.addresses.baseUrl });
  void followGrid(session, ask);
  daemon.shadows?.onEnd((why) => say(`The shadows have ended, and the live strategies go on: ${why}`));
  if (daemon.lost !== undefined) tellLoss(daemon.lost, say);
  const unguard = guardMemory(session, say, stop.resolve);
  try {
    return await runUntilStopped({
      ...session,
      asked: stop.promise,
      onEnd: () => session.next.end(),
      onIncident: (line) => {
        sessionLog.warn({}, line);
        operate?.alert(line);
      },
      onStopping: () => {
        unguard();
        session.guard?.enter('stops');
        unlog();
        sessionLog.info({}, 'the stop begins: own orders are canceled');
        service?.stopping(session.next.goesOn);
      },
      onHangUp: hasTerminal() ? undefined : () => void reloads.bySignal(say),
    });
  } finally {
    await opened;
    await operate?.close(daemon.trader.view.modeWhy);
    sessionLog.info({ why: daemon.trader.view.modeWhy }, 'the run has ended');
  }
}

/** Lines of what guards the run reach the person, the alerts and the log of the session. */
function connectGuards(
  { daemon, parts, guard, sessionLog }: OperatedSession,
  say: (line: string) => void,
): void {
  const sayAndLog = (line: string): void => {
    sessionLog.warn({}, line);
    say(line);
  };
  if (guard !== undefined) enterRun(guard, { daemon, config: parts.config, say: sayAndLog });
  daemon.keepAlive?.sayTo(sayAndLog);
}

/** A changed grid ends the run, and another one of this process goes on. */
async function followGrid({ daemon, next }: OperatedSession, stop: (why: string) => void): Promise<void> {
  const why = await daemon.gridChanged;
  next.want();
  stop(why);
}

/** Ends the process in order where its heap is nearly full, while that can still be done. */
function guardMemory(
  { clock, next, sessionLog }: OperatedSession,
  say: (line: string) => void,
  stop: (end: AskedEnd) => void,
): Cancel {
  const onFull = (use: HeapUse): void => {
    const line = `The heap of the daemon is nearly full, ${heapText(use)} after a collection: it ends, and the next start goes on (docs/errors.md, exit code 9).`;
    next.end();
    sessionLog.error({}, line);
    say(line);
    stop({ cause: 'memory', why: 'the heap of the daemon was nearly full' });
  };
  return guardHeap({ clock, onFull });
}

function tellLoss({ why, broughtBack }: LostRecords, say: (line: string) => void): void {
  say(why);
  void broughtBack.then(say);
}

/** The run as its operator sees and steers it. */
function runOf(session: OperatedSession, reloads: Reloads, stop: (why: string) => void): OpenOperate['run'] {
  const { daemon, parts, mode, clock, budgets } = session;
  const { config } = daemon.changed;
  const folders = session.recordTo === undefined ? [] : [session.recordTo];
  const explainer = session.explains({ directory: session.directory, folders }, clock);
  return {
    trader: daemon.trader,
    clock,
    run: daemon.run,
    mode,
    account: config.account,
    venue: parts.addresses.baseUrl,
    versions: {
      godwit: packageVersion(),
      node: process.versions.node,
      configuration: hashOf(decidingConfig(config)),
    },
    strategies: strategiesOf(daemon, reloads),
    orders: () => reloads.config.orders,
    shown: () => shownOf(daemon.trader),
    budgets: () => budgets.usage(),
    journal: () => daemon.journal(),
    sentinel: () => session.guard?.row,
    candles: daemon.candles,
    explain: (id) => explainer.explain(id),
    act: (act, who, why) => daemon.act(act, who, why),
    strategyActs: daemon.strategyActs,
    shadows: daemon.shadows,
    reload: (asked) => reloads.reload(asked),
    stop: (why) => {
      session.next.end();
      stop(why);
    },
  };
}

/** Every symbol of which a feed is followed, and all on which something is held or live. */
function shownOf(trader: Trader): readonly InstrumentId[] {
  const declared = trader.hosts.flatMap(({ feeds }) =>
    feeds.map(({ symbol }) => trader.instruments.get(symbol).id),
  );
  return [...new Set([...declared, ...accountRows(trader)])];
}

function strategiesOf({ changed }: Daemon, reloads: Reloads): OpenOperate['run']['strategies'] {
  return changed.config.strategies.map(({ name, limits }, at) => ({
    name,
    get limits() {
      return reloads.config.strategies[at]?.limits ?? limits;
    },
  }));
}
