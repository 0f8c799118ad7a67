import type { Micros } from '../../core/base/clock.ts';
import { millis, seconds } from '../../core/base/clock.ts';
import type { Logger } from '../../core/base/logger.ts';
import { catchUnhandled } from '../../core/bus/index.ts';
import { Recorder } from '../../data/frames/index.ts';
import type { RunStarted, SeriesEvent } from '../../core/model/event.ts';
import type { DiskJournal, JournalSync } from '../../core/journal/index.ts';
import type { Frame } from '../../core/model/frame.ts';
import type { Instruments } from '../../core/model/instrument.ts';
import type { AskCandles } from '../../core/model/market.ts';
import type { OperatorAct } from '../../core/model/operator.ts';
import type { Order } from '../../core/model/order.ts';
import type { RunAt } from '../../research/report/index.ts';
import { runAtOf } from '../../research/report/index.ts';
import type { ServedPrograms } from '../run/programs.ts';
import type { Trader } from '../../core/trader/index.ts';
import { openTrader } from '../run/assembly.ts';
import { decidingConfig } from '../run/hashes.ts';
import type { LostRecords } from './lost-records.ts';
import { followLoss } from './lost-records.ts';
import type { JournalInstruments } from '../run/journal-header.ts';
import { goneNotes, instrumentsOfJournal } from '../run/journal-header.ts';
import { headerOf, keepFailure, openJournal } from './run-journal.ts';
import { KeptStates } from '../run/kept-states.ts';
import { liveMarketData } from './market-data.ts';
import type { KeepAlive } from './keep-alive.ts';
import { armKeepAlive } from './keep-alive.ts';
import type { LiveParts } from './parts.ts';
import { channelsOf } from './parts.ts';
import { paperVenue } from './paper-venue.ts';
import { pause } from '../../core/base/pause.ts';
import { thirdFeeNotes } from '../run/fee-currencies.ts';
import { runId } from '../run/id.ts';
import { handToScope, onLateError } from '../run/uncaught-errors.ts';
import { RunInputs } from './run-inputs.ts';
import type { SeriesFeed } from './series-feed.ts';
import { ShadowRun } from './shadow-run.ts';
import type { StrategyActsDeps, WithChanges } from './strategy-acts.ts';
import { StrategyActs, withChangedParams } from './strategy-acts.ts';
import type { LoadedStrategy } from '../run/strategy-plans.ts';
import { loadStrategies } from '../run/load-strategies.ts';
import { strategiesText } from '../run/strategy-plans.ts';

/** A trader on a live venue, with its journal and, when asked for, a recording of every frame. */
export interface Daemon {
  readonly trader: Trader;
  readonly run: string;
  /** Name of each strategy, and a hash of its files. */
  readonly strategies: string;
  /** The strategies, in the order of the configuration. */
  readonly loaded: readonly LoadedStrategy[];
  /** Records that wait for the disk, and the last sync. */
  journal(): { readonly waiting: number; readonly synced: JournalSync | undefined };
  /** The configuration with what an operator changed in earlier runs, and a sentence on each strategy of which it did. */
  readonly changed: WithChanges;
  /** Starts, stops and changes one strategy. */
  readonly strategyActs: StrategyActs;
  /** Records that the journal lost, if it did. */
  readonly lost: LostRecords | undefined;
  /** The switch of the venue that cancels when it is not renewed; none where the venue has none, or it is not to be armed. */
  readonly keepAlive: KeepAlive | undefined;
  /** Question for candles of the venue's history, where it has one. */
  readonly candles: AskCandles | undefined;
  /** The strategies in shadow, when the configuration has any. */
  readonly shadows: ShadowRun | undefined;
  /** The hash over everything the journal took so far, the market included. */
  digest(): string;
  /** An operator asks for something: an input of the run like any other. */
  act(act: OperatorAct, who: string, why: string): void;
  /** Runs a task at a time of the core, before whatever reaches it later. */
  readonly at: RunAt;
  /** Why the frames of the run are no longer recorded; `undefined` while they are, or were not to be. */
  readonly unrecorded: () => string | undefined;
  /** Resolves with a sentence when the venue's grid has changed: the run has to be opened anew, and goes on with what it holds. */
  readonly gridChanged: Promise<string>;
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
  /** Takes a sentence on a strategy that needs a second attempt to load. */
  readonly late?: ((line: string) => void) | undefined;
  /** Place at which programs of others are served. */
  readonly programs?: ServedPrograms | undefined;
}

/** How long after the last order is gone the venue's late reports are still let in. */
const settleTime = millis(200);

/**
 * Opens the run directory, verifies its journal and takes over what that came to, connects, and lets the events in.
 * From here on no throwing subscriber of any stream ends the process: it is logged.
 */
export async function openDaemon(given: DaemonSetting): Promise<Daemon> {
  const { clock, log, listed, budgets, turns } = given;
  logUncaught(log);
  const known = instrumentsOfJournal(headerOf(given), listed);
  const { instruments, header } = known;
  for (const sentence of known.regridded) log.warn({}, sentence);
  const kept = new KeptStates(given.config.run.directory);
  const run = runId(clock);
  const { journal, history } = openJournal(given, header);
  const changed = withChangedParams(given.config, history);
  const setting = { ...given, config: changed.config };
  const recorder = openRecorder(setting, instruments);
  const inputs = new RunInputs({ real: clock, turns, record: recorder?.take });
  const loaded = await closedUnless(journal, () => loadChecked({ setting, known, inputs, kept, run }));
  const shadows = await closedUnless(journal, () =>
    ShadowRun.open({ ...setting, instruments, header, run, live: loaded }),
  );
  let trader: Trader | undefined;
  const { gridChanged, broken, ends } = endsOfRun();
  const marketData = liveMarketData({
    setting,
    instruments,
    loaded,
    inputs,
    record: recorder?.take,
    trader: () => trader,
    gridChanged: gridChanged.resolve,
    broken: (error) => broken.reject(error),
  });
  const open = (): readonly Order[] => trader?.view.openOrders() ?? [];
  const paper = { ...setting, marketData, instruments, loaded, history, open };
  trader = openTrader({
    config: changed.config,
    module: setting.venue,
    instruments,
    clock: turns,
    venue: setting.mode === 'paper' ? paperVenue(paper) : marketData,
    journal: inputs.journal(journal),
    budgets,
    log,
    run,
    history,
    loaded,
  });
  const begun = trader;
  shadows?.followTrader(begun);
  const lost = journal.loss && followLoss(journal.loss, begun);
  const series = await closedUnless(journal, () => openSeries({ setting, trader: begun, inputs, loaded }));
  begin({ setting, trader: begun, journal, inputs, loaded, run, series });
  const keepAlive = armKeepAlive(setting, marketData);
  const parts = { setting, trader, keepAlive, shadows, recorder, inputs, series };
  return {
    trader,
    run,
    strategies: strategiesText(loaded),
    loaded,
    journal: () => ({ waiting: journal.outstanding, synced: journal.synced }),
    changed: { ...changed, notes: [...changed.notes, ...notesOn(followed(loaded, begun), known)] },
    ...actsOf({ configured: given.config, config: changed.config, loaded, trader, shadows }, inputs),
    lost,
    keepAlive,
    candles: marketData.candles,
    shadows,
    digest: () => journal.digest(),
    at: runAtOf(turns),
    unrecorded: () => recorder?.halted(),
    ...ends,
    stop: (...ending) => stop(parts, ending),
  };
}

/** Ends of a run that do not come from outside. What breaks it may break before somebody waits for it. */
function endsOfRun(): {
  readonly gridChanged: PromiseWithResolvers<string>;
  readonly broken: PromiseWithResolvers<never>;
  readonly ends: Pick<Daemon, 'gridChanged' | 'broken'>;
} {
  const broken = Promise.withResolvers<never>();
  broken.promise.catch(() => {});
  const gridChanged = Promise.withResolvers<string>();
  const ends = { gridChanged: gridChanged.promise, broken: broken.promise };
  return { gridChanged, broken, ends };
}

/** Acts of operators, each of which enters the run as an input of it. */
function actsOf(
  parts: Omit<StrategyActsDeps, 'enter' | 'trader'> & { readonly trader: Trader },
  inputs: RunInputs,
): Pick<Daemon, 'act' | 'strategyActs'> {
  const act: StrategyActsDeps['enter'] = (what, who, why, plan) =>
    inputs.enter({ mark: 'act', act: what, who, why }, () => parts.trader.act(what, who, why, plan));
  return { act, strategyActs: new StrategyActs({ ...parts, enter: act }) };
}

interface Loading {
  readonly setting: DaemonSetting;
  readonly known: JournalInstruments;
  readonly inputs: RunInputs;
  readonly kept: KeptStates;
  readonly run: string;
}

/** The strategies, of which each symbol that they follow is as the journal knows it. */
async function loadChecked({
  setting,
  known,
  inputs,
  kept,
  run,
}: Loading): Promise<readonly LoadedStrategy[]> {
  const { config, clock, turns } = setting;
  setting.programs?.beginRun(setting.budgets);
  const loaded = await loadStrategies(config.strategies, {
    clock: turns,
    outside: { clock, voice: (publish) => inputs.voice(publish) },
    instruments: known.instruments,
    stateOptions: config.state,
    seed: config.run.seed,
    idPrefix: config.orders.idPrefix,
    run,
    kept,
    late: setting.late,
    programs: setting.programs,
  });
  return loaded;
}

interface Beginning {
  readonly setting: DaemonSetting;
  readonly trader: Trader;
  readonly journal: DiskJournal;
  readonly inputs: RunInputs;
  readonly loaded: readonly LoadedStrategy[];
  readonly run: string;
  readonly series: SeriesFeed | undefined;
}

/** Lets the run begin: halted, where the journal of an earlier one failed. */
function begin({ setting, trader, journal, inputs, loaded, run, series }: Beginning): void {
  const start = {
    run,
    mode: setting.mode,
    configuration: decidingConfig(setting.config),
    strategies: loaded.map((one) => one.sha256),
    earlier: journal.tail,
    clearHalt: setting.clearHalt === true,
  };
  inputs.enter({ mark: 'start', ...start }, () => trader.start(setting.mode, start.clearHalt));
  series?.start();
  keepFailure(setting, journal, (why) => inputs.enter({ mark: 'halt', why }, () => trader.halt(why)));
}

/** The series that the strategies declare, each row of which is an input of the run. What follows them is loaded when it is needed. */
async function openSeries({
  setting,
  trader,
  inputs,
  loaded,
}: Pick<Beginning, 'setting' | 'trader' | 'inputs' | 'loaded'>): Promise<SeriesFeed | undefined> {
  const { config, clock, log } = setting;
  if (config.series === undefined && loaded.every(({ series }) => series.length === 0)) return undefined;
  const { openSeriesFeed } = await import('./series-feed.ts');
  const publish = inputs.voice((event) => trader.hearSeries(event as SeriesEvent));
  return await openSeriesFeed({ config, loaded, clock, log, publish });
}

/** For the life of the process: such an error comes late, perhaps after the daemon has stopped. */
function logUncaught(log: Logger): void {
  catchUnhandled((error) => {
    if (!handToScope(error)) log.error({ error: String(error) }, 'a subscriber of a stream threw');
  });
  onLateError((what) => log.warn({ what }, 'a strategy threw when it had ended'));
}

/** Closes what is open already when what follows throws. */
async function closedUnless<Result>(
  open: { close(): Promise<void> },
  work: () => Result | Promise<Result>,
): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    await open.close();
    throw error;
  }
}

/** Notes of a start on symbols: those that are gone, and those whose fees are in no profit. */
function notesOn(symbols: readonly string[], known: JournalInstruments): readonly string[] {
  return [...goneNotes(symbols, known), ...thirdFeeNotes(symbols, known.instruments)];
}

/** The symbols that strategies follow, and those on which something may be live or is held. */
function followed(loaded: readonly LoadedStrategy[], trader: Trader): readonly string[] {
  return [...loaded.flatMap(({ feeds }) => feeds.map(({ symbol }) => symbol)), ...held(trader)];
}

/** The symbols on which something may be live, or is held. */
function held({ view, instruments }: Trader): ReadonlySet<string> {
  const ids = [...view.openOrders(), ...view.positions().filter(({ quantity }) => quantity !== 0)];
  return new Set(ids.map(({ instrument }) => instruments.at(instrument).symbol));
}

interface Recording {
  readonly take: (frame: Frame) => void;
  halted(): string | undefined;
  close(): Promise<void>;
}

function openRecorder(setting: DaemonSetting, instruments: Instruments): Recording | undefined {
  if (setting.recordTo === undefined) return undefined;
  const { directory: _directory, symbols: _symbols, ...options } = setting.config.record;
  const recorder = new Recorder({
    channels: channelsOf(setting.venue),
    folder: setting.recordTo,
    options,
    instruments: instruments.all.map((instrument) => instrument.spec),
    clock: setting.clock,
    onHalt: (error) => setting.log.error({ error: error.message }, 'the recorder halted'),
  });
  return {
    take: (frame) => void recorder.accept(frame),
    halted: () => recorder.halted?.message,
    close: () => recorder.close(),
  };
}

interface Running {
  readonly setting: DaemonSetting;
  readonly trader: Trader;
  readonly keepAlive: KeepAlive | undefined;
  readonly shadows: ShadowRun | undefined;
  readonly recorder: Recording | undefined;
  readonly inputs: RunInputs;
  readonly series: SeriesFeed | undefined;
}

/** Returns the client ids of orders that may still be live. */
async function stop(
  { setting, trader, keepAlive, shadows, recorder, inputs, series }: Running,
  [why, limit, settled]: Parameters<Daemon['stop']>,
): Promise<readonly string[]> {
  const { clock } = setting;
  series?.close();
  inputs.enter({ mark: 'stop', why }, () => trader.stop(why));
  shadows?.stop(why);
  const end = clock.uptime() + limit;
  while (!trader.quiet && clock.uptime() < end) await pause(clock, millis(20));
  if (trader.quiet) await pause(clock, settleTime);
  const left = trader.unresolved;
  settled?.();
  // Where orders may be live, the venue cancels them when it is renewed no more.
  if (left.length === 0) await keepAlive?.disarm(seconds(1));
  else keepAlive?.close();
  await Promise.race([Promise.all([trader.close(), shadows?.close()]), pause(clock, seconds(2))]);
  setting.turns.close();
  await recorder?.close();
  return left;
}
