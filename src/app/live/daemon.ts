import type { Micros } from '../../base/clock.ts';
import { millis, seconds } from '../../base/clock.ts';
import type { Logger } from '../../base/logger.ts';
import type { Recorder as FrameRecorder } from '../../client/frame-tap.ts';
import { catchUnhandled } from '../../bus/guarded.ts';
import { Recorder } from '../../feed/recorder.ts';
import { DiskJournal } from '../../journal/disk-journal.ts';
import { failureMark, removeFailureMark } from '../../journal/failure-mark.ts';
import { readHeader } from '../../journal/replay.ts';
import type { RunStarted } from '../../model/event.ts';
import type { Instruments } from '../../model/instrument.ts';
import type { Order } from '../../model/order.ts';
import type { StampedEvent } from '../../model/stamped-event.ts';
import { externalStrategy } from '../../state/order-entry.ts';
import { Trader } from '../../trader/trader.ts';
import { decidingConfig } from '../run/deciding-config.ts';
import { checkAccount, instrumentsOfJournal, journalAccount, journalHeader } from './journal-header.ts';
import { KeptStates } from '../run/kept-states.ts';
import { liveFacts } from './live-facts.ts';
import type { LiveParts } from './live-parts.ts';
import { paperVenue } from './paper-venue.ts';
import { pause } from '../process/pause.ts';
import { hasJournal } from './run-directory.ts';
import { runId } from '../run/run-id.ts';
import { chargeStray, onLateStray } from '../run/strays.ts';
import { RunInputs } from './run-inputs.ts';
import { loadStrategies, strategiesText } from '../run/strategy-plans.ts';

/** A trader on a live venue, with its journal and, when asked for, a recording of every frame. */
export interface Daemon {
  readonly trader: Trader;
  readonly run: string;
  /** Name of each strategy, and a hash of its files. */
  readonly strategies: string;
  /** The hash over everything the journal was told so far, the market included. */
  digest(): string;
  /** Rejects when the run cannot go on: the venue does not accept the key. Never resolves. */
  readonly broken: Promise<never>;
  /**
   * Cancels own orders, waits until they are gone (or `limit` has passed), and releases everything. `settled` is
   * called in between, while the books are still live. Returns the client ids of orders that may still be.
   */
  stop(why: string, limit: Micros, settled?: () => void): Promise<readonly string[]>;
}

export interface DaemonSetting extends LiveParts {
  readonly mode: RunStarted['mode'];
  /** Where to record the frames of the run, or nowhere. */
  readonly recordTo: string | undefined;
  /** The operator clears a halt that an earlier run latched. */
  readonly clearHalt?: boolean;
}

/** How long after the last order is gone the venue's late reports are still let in. */
const settleTime = millis(200);

/**
 * Opens the run directory, verifies its journal and takes over what that came to, connects, and lets the events in.
 * From here on no throwing subscriber of any stream ends the process: it is logged.
 */
export async function openDaemon(setting: DaemonSetting): Promise<Daemon> {
  const { config, clock, log, listed, budgets, turns } = setting;
  const { directory } = config.run;
  tellStrays(log);
  const header = headerOf(setting);
  const instruments = instrumentsOfJournal(header, listed, directory);
  const kept = new KeptStates(directory);
  const run = runId(clock);
  const recorder = openRecorder(setting, instruments);
  const inputs = new RunInputs({ real: clock, turns, record: recorder?.take });
  const loaded = await loadStrategies(config.strategies, {
    clock: turns,
    outside: { clock, voice: (publish) => inputs.voice(publish) },
    instruments,
    stateOptions: config.state,
    seed: config.run.seed,
    idPrefix: config.orders.idPrefix,
    run,
    kept,
  });
  const { journal, history } = openJournal(setting, header);
  let trader: Trader | undefined;
  const broken = Promise.withResolvers<never>();
  broken.promise.catch(() => {});
  const facts = liveFacts({
    setting,
    instruments,
    loaded,
    inputs,
    record: recorder?.take,
    trader: () => trader,
    broken: (error) => broken.reject(error),
  });
  const open = (): readonly Order[] => trader?.view.openOrders() ?? [];
  const paper = { ...setting, facts, instruments, loaded, history, open };
  trader = new Trader({
    instruments,
    clock: turns,
    venue: setting.mode === 'paper' ? paperVenue(paper) : facts,
    journal: inputs.journal(journal),
    budgets,
    log,
    run,
    history,
    strategies: loaded.map((one) => one.plan),
    orderOptions: config.orders,
    gateOptions: config.gate,
    stateOptions: config.state,
  });
  const begun = trader;
  const start = {
    run,
    mode: setting.mode,
    configuration: decidingConfig(config),
    strategies: loaded.map((one) => one.sha256),
    earlier: journal.tail,
    clearHalt: setting.clearHalt === true,
  };
  inputs.enter({ mark: 'start', ...start }, () => begun.start(setting.mode, start.clearHalt));
  keepFailure(setting, journal, (why) => inputs.enter({ mark: 'halt', why }, () => begun.halt(why)));
  const running = { setting, trader: begun, recorder, inputs };
  return {
    trader,
    run,
    strategies: strategiesText(loaded),
    digest: () => journal.digest(),
    broken: broken.promise,
    stop: (why, limit, settled) => stop(running, { why, limit, settled }),
  };
}

/** For the life of the process: such an error comes late, perhaps after the daemon has stopped. */
function tellStrays(log: Logger): void {
  catchUnhandled((error) => {
    if (!chargeStray(error)) log.error({ error: String(error) }, 'a subscriber of a stream threw');
  });
  onLateStray((what) => log.warn({ what }, 'a strategy threw when it had ended'));
}

interface Past {
  readonly journal: DiskJournal;
  readonly history: readonly StampedEvent[];
}

/** That of the journal that is there, or of the one to be. Throws `JournalForeign` when that is of another account. */
function headerOf({ config, mode, listed }: DaemonSetting): string {
  const { directory } = config.run;
  const account = journalAccount(mode, config);
  if (!hasJournal(directory)) return journalHeader(listed, account);
  const header = readHeader(directory);
  checkAccount(header, account, directory);
  return header;
}

function openJournal({ config, log }: DaemonSetting, header: string): Past {
  const history: StampedEvent[] = [];
  const journal = new DiskJournal({
    directory: config.run.directory,
    header,
    options: config.journal,
    onEvent: (stamped) => history.push(stamped),
  });
  if (journal.cut !== undefined)
    log.warn({ ...journal.cut }, 'the journal ended in a torn record, which was cut off');
  return { journal, history };
}

/** A journal that failed could not keep the halt that followed: this one does, unless the operator has cleared it. */
function keepFailure(
  { config, clearHalt }: DaemonSetting,
  journal: DiskJournal,
  halt: (why: string) => void,
): void {
  const { directory } = config.run;
  const failure = failureMark(directory);
  if (failure === undefined) return;
  if (clearHalt !== true) halt(`the journal of an earlier run failed: ${failure}`);
  journal.whenDurable(() => removeFailureMark(directory));
}

interface Recording {
  readonly take: FrameRecorder;
  close(): Promise<void>;
}

function openRecorder(setting: DaemonSetting, instruments: Instruments): Recording | undefined {
  if (setting.recordTo === undefined) return undefined;
  const { directory: _directory, symbols: _symbols, ...options } = setting.config.record;
  const recorder = new Recorder({
    folder: setting.recordTo,
    options,
    instruments: instruments.all.map((instrument) => instrument.spec),
    clock: setting.clock,
    onHalt: (error) => setting.log.error({ error: error.message }, 'the recorder halted'),
  });
  return { take: (frame) => void recorder.accept(frame), close: () => recorder.close() };
}

interface Running {
  readonly setting: DaemonSetting;
  readonly trader: Trader;
  readonly recorder: Recording | undefined;
  readonly inputs: RunInputs;
}

interface Ending {
  readonly why: string;
  readonly limit: Micros;
  readonly settled: (() => void) | undefined;
}

/** Returns the client ids of orders that may still be live. */
async function stop(
  { setting, trader, recorder, inputs }: Running,
  { why, limit, settled }: Ending,
): Promise<readonly string[]> {
  const { clock } = setting;
  inputs.enter({ mark: 'stop', why }, () => trader.stop(why));
  const end = clock.uptime() + limit;
  while (!trader.quiet && clock.uptime() < end) await pause(clock, millis(20));
  if (trader.quiet) await pause(clock, settleTime);
  const left = ownOpenIds(trader);
  settled?.();
  await Promise.race([trader.close(), pause(clock, seconds(2))]);
  setting.turns.close();
  await recorder?.close();
  return left;
}

/** Client ids of the run's own orders that may be live; orders of others are none of its business. */
export function ownOpenIds(trader: Trader): readonly string[] {
  return trader.view
    .openOrders()
    .filter((order) => order.strategy !== externalStrategy)
    .map((order) => order.clientOrderId);
}
