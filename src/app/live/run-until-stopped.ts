import { titleOf } from '../run/assembly.ts';
import { writeExport } from '../process/export-folder.ts';
import { keepNewestSessions } from '../run/kept-files.ts';
import { sessionName } from '../run/id.ts';
import { haltText } from '../../core/state/index.ts';
import type { StateView } from '../../core/state/index.ts';
import { fail } from '../../core/base/assert.ts';
import type { Clock, Micros } from '../../core/base/clock.ts';
import { seconds } from '../../core/base/clock.ts';
import {
  renderReport,
  reportJson,
  identified,
  doubt,
  makeDocument,
  runReport,
  storeReport,
  storeSession,
  closedTradesCsv,
} from '../../research/report/index.ts';
import type { DocumentSetting, ReportDocument, RunReport, Summary } from '../../research/report/index.ts';
import type { FigureOptions } from '../../research/statistics/index.ts';
import type { RunExport } from '../../research/export/index.ts';
import { protectionText } from '../../core/orders/index.ts';
import type { Daemon } from './daemon.ts';
import { accountState, stoppedStrategies } from './account-now.ts';
import { exitCodes } from '../process/exit-codes.ts';
import { smallSizes } from '../run/small-sizes.ts';
import type { Output } from '../process/output.ts';
import type { StopCause } from '../process/stop-signal.ts';
import { exitCodeOfStop } from '../process/stop-signal.ts';
import { untilStopped } from '../process/until-stopped.ts';
import { watchRun } from './watch-run.ts';
import type { VenueBudgets } from '../../venues/index.ts';

/** End that no signal asks for: the operator or a changed grid does, or a heap that is nearly full. */
export interface AskedEnd {
  readonly cause: 'asked' | 'memory';
  readonly why: string;
}

export interface FollowedRun {
  readonly daemon: Pick<
    Daemon,
    'trader' | 'stop' | 'run' | 'broken' | 'digest' | 'at' | 'unrecorded' | 'loaded' | 'changed'
  >;
  readonly budgets: VenueBudgets;
  readonly clock: Clock;
  readonly output: Output;
  readonly json: boolean;
  /** How late market data may come. */
  readonly lagMax?: Micros;
  /** Ends by itself after so long. */
  readonly forMs: number | undefined;
  /** Resolves when something of the process asks for the end. */
  readonly asked?: Promise<AskedEnd> | undefined;
  /** Takes every line that a person should read at once. */
  readonly onIncident?: ((line: string) => void) | undefined;
  /** SIGHUP: a request to stop when left out. */
  readonly onHangUp?: (() => void) | undefined;
  /** A signal came, or the time is up; perhaps while the run stops already. */
  readonly onEnd?: (() => void) | undefined;
  /** The stop begins. */
  readonly onStopping?: (() => void) | undefined;
  readonly identity: Readonly<Record<string, string | number>>;
  /** `report:` of the configuration. */
  readonly figures?: FigureOptions | undefined;
  /** Parameters, settings and command, for the report. */
  readonly inputs?: Pick<DocumentSetting, 'parameters' | 'settings' | 'command'>;
  /** Takes every row of the session, where an export is wanted. */
  readonly rows?: RunExport | undefined;
  /** Where the report is left: the run directory. */
  readonly directory: string;
}

/** Orders must be gone this long after the stop; the whole exit takes at most 10 s. */
const cancelLimit = seconds(6);

/** Follows the daemon until a signal or its time, then cancels own orders, reports, and says how it ended. */
export async function runUntilStopped(setting: FollowedRun): Promise<number> {
  const { daemon, output } = setting;
  const { summary, end } = watchRun({ ...setting, trader: daemon.trader, at: daemon.at });
  const { loaded, changed, trader } = daemon;
  summary.signs.smallSizes = () => smallSizes(loaded, changed.config.strategies, trader.instruments);
  // Latched by an earlier run: its event was not shown in this one.
  if (daemon.trader.view.mode === 'halted')
    output.progress(haltText({ mode: 'halted', why: daemon.trader.view.modeWhy }));
  const stopped = untilStopped({
    clock: setting.clock,
    forMs: setting.forMs,
    onHangUp: setting.onHangUp,
    onSecond: () => {
      const ids = daemon.trader.unresolved.join(', ') || 'none';
      output.progress(`Second signal: exiting at once. Orders that may be live: ${ids}`);
    },
  });
  void stopped.then(() => setting.onEnd?.());
  let reason = '';
  const asked = setting.asked?.then(({ cause, why }): StopCause => {
    reason = why;
    return cause;
  });
  const cause = await Promise.race([stopped, daemon.broken, ...(asked === undefined ? [] : [asked])]).catch(
    async (error: unknown) => {
      setting.onStopping?.();
      end();
      await daemon.stop('the run cannot go on', cancelLimit);
      throw error;
    },
  );
  setting.onStopping?.();
  const { shown, why } = stopTexts(cause, reason);
  output.progress(`${shown}: cancelling own orders.`);
  const halt = latchedHalt(daemon.trader.view);
  const made: { report?: RunReport; document?: ReportDocument } = {};
  const left = await daemon.stop(why, cancelLimit, () => {
    end();
    summary.finish();
    // Made while the books are live: what is held is valued at their mid.
    made.document = sessionDocument(setting, summary);
    made.report = runReport(summary, {
      identity: setting.identity,
      warning: made.document.warning,
      account: accountState(daemon.trader),
    });
  });
  if (made.report === undefined || made.document === undefined) fail('a run was stopped without a report');
  // The journal goes on until all is closed, and a replay of the recording goes as far.
  const identity = { ...setting.identity, decisions: daemon.digest() };
  const report = { ...made.report, identity };
  const document = identified(made.document, identity);
  output.data(setting.json ? reportJson(report) : `\n${renderReport(report, { colours: output.colour })}`);
  keepReport(setting, document, closedTradesCsv(summary));
  const isExported = await writeExport(setting.rows, { summary, isStartAssumed: false }, output);
  for (const order of daemon.trader.kept)
    output.progress(`Kept at the venue: ${protectionText(order, daemon.trader.view)} (orders.onStop).`);
  if (left.length > 0) output.progress(`These orders may still be live: ${left.join(', ')}`);
  if (halt !== undefined)
    output.progress(`At the end ${halt}. Once the cause is resolved, start with --clear-halt.`);
  const unrecorded = daemon.unrecorded();
  if (unrecorded !== undefined) output.progress(`The recording is not whole: ${unrecorded}.`);
  const faulty = stoppedStrategies(daemon.trader);
  for (const { strategy, why: reason } of faulty)
    output.progress(`Strategy ${strategy} was stopped before the end: ${reason}`);
  if (left.length > 0 || halt !== undefined || unrecorded !== undefined || !isExported)
    return exitCodes.failed;
  return faulty.length > 0 && cause !== 'memory' ? exitCodes.strategyStopped : exitCodeOfStop(cause);
}

/** A halt that an operator must clear in the next run, in a line; `undefined` where there is none. */
function latchedHalt(view: StateView): string | undefined {
  const { mode, modeWhy: why, modeLatched } = view;
  // What waits for room on the disk may be lost with the end, and the next run then begins halted.
  const isKept = modeLatched || view.awaits('unwritten') !== undefined;
  return mode === 'halted' && isKept ? haltText({ mode, why }) : undefined;
}

/** Texts on the end of a run: for the person, and for its journal. */
function stopTexts(cause: StopCause, reason: string): { readonly shown: string; readonly why: string } {
  switch (cause) {
    case 'ended':
      return { shown: 'Time is up', why: 'the run ended' };
    case 'asked':
      return { shown: reason, why: reason };
    case 'memory':
      return { shown: 'The heap is nearly full', why: reason };
    case 'orphaned':
      return {
        shown: 'The process that started this one is gone',
        why: 'stopped with the process that started it',
      };
    default:
      return { shown: cause, why: `stopped by ${cause}` };
  }
}

function sessionDocument({ daemon, identity, inputs }: FollowedRun, summary: Summary): ReportDocument {
  const names = daemon.trader.hosts.map(({ name }) => name);
  return makeDocument(summary, {
    title: titleOf(names, summary),
    identity,
    account: accountState(daemon.trader),
    doubts: stoppedStrategies(daemon.trader).map(({ strategy, why }) =>
      doubt('STRATEGY_STOPPED', `strategy ${strategy} was stopped: ${why}`),
    ),
    ...inputs,
    band: 'a session happens once: godwit drift compares it with a backtest',
    noTrial: 'a session is no trial: nothing was chosen on its data',
    walkForward: 'a session is not divided: godwit walk-forward, on recordings',
  });
}

/**
 * Leaves the report in the run directory, as the latest and under a name of its own, and names it. A full disk must not
 * hide how the run ended.
 */
function keepReport(
  { directory, output, daemon }: FollowedRun,
  document: ReportDocument,
  trades: string,
): void {
  try {
    const { html } = storeReport(directory, document, trades);
    storeSession(directory, sessionName(daemon.run), document, trades);
    keepNewestSessions(directory);
    output.progress(`Report: ${html}`);
  } catch (error) {
    output.progress(`The report was not kept: ${error instanceof Error ? error.message : String(error)}`);
  }
}
