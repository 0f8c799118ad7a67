import type { Micros } from '../base/clock.ts';
import { millis, seconds } from '../base/clock.ts';
import type { Recorder as FrameRecorder } from '../client/frame-tap.ts';
import type { Venue } from '../bus/venue.ts';
import { LiveVenue } from '../client/live-venue.ts';
import { Recorder } from '../feed/recorder.ts';
import { DiskJournal } from '../journal/disk-journal.ts';
import { readHeader } from '../journal/replay.ts';
import type { RunStarted } from '../model/event.ts';
import type { InstrumentId, Instruments } from '../model/instrument.ts';
import type { StampedEvent } from '../model/stamped-event.ts';
import { Trader } from '../trader/trader.ts';
import { configurationHash } from './configuration-hash.ts';
import { instrumentsOfJournal, journalHeader } from './account-instruments.ts';
import { feedWishes } from './feed-wishes.ts';
import { KeptStates } from './kept-states.ts';
import type { LiveParts } from './live-parts.ts';
import { paperVenue } from './paper-venue.ts';
import { pause } from './pause.ts';
import { hasJournal } from './run-directory.ts';
import { runId } from './run-id.ts';
import { RunInputs } from './run-inputs.ts';
import { loadStrategies } from './strategy-plans.ts';

/** A trader on a live venue, with its journal and, when asked for, a recording of every frame. */
export interface Daemon {
  readonly trader: Trader;
  readonly run: string;
  /** Cancels own orders, waits until they are gone (or `limit` has passed), and releases everything. */
  stop(why: string, limit: Micros): Promise<readonly string[]>;
}

export interface DaemonSetting extends LiveParts {
  readonly mode: RunStarted['mode'];
  /** Where to record the frames of the run, or nowhere. */
  readonly recordTo: string | undefined;
}

/** How long after the last order is gone the venue's late reports are still let in. */
const settleTime = millis(200);

/** Opens the run directory, replays its journal, connects, and lets the events in. */
export async function openDaemon(setting: DaemonSetting): Promise<Daemon> {
  const { config, clock, log, listed, budgets, turns } = setting;
  const { directory } = config.run;
  const instruments = hasJournal(directory)
    ? instrumentsOfJournal(readHeader(directory), listed, directory)
    : listed;
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
  const history: StampedEvent[] = [];
  const journal = new DiskJournal({
    directory,
    header: journalHeader(instruments),
    options: config.journal,
    onEvent: (stamped) => history.push(stamped),
  });
  if (journal.cut !== undefined)
    log.warn({ ...journal.cut }, 'the journal ended in a torn record, which was cut off');
  let trader: Trader | undefined;
  const live = new LiveVenue({
    clock,
    log,
    instruments,
    budgets,
    random: setting.random.fork('venue'),
    baseUrl: setting.addresses.baseUrl,
    wsUrl: setting.addresses.wsUrl,
    api: config.venue.api,
    options: config.client,
    feeds: feedWishes(
      loaded.flatMap((one) => one.feeds),
      instruments,
    ),
    first: () => instrumentsWithOrders(trader),
    onFatal: (why) => inputs.enter({ mark: 'halt', why }, () => trader?.halt(why)),
    ...(setting.credentials === undefined ? {} : { credentials: setting.credentials }),
    ...(recorder === undefined ? {} : { recorder: recorder.take }),
  });
  const facts: Venue = {
    events: inputs.events(live.events),
    send: (command) => live.send(command),
    close: () => live.close(),
  };
  trader = new Trader({
    instruments,
    clock: turns,
    venue: setting.mode === 'paper' ? paperVenue({ ...setting, facts, instruments, loaded }) : facts,
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
  const start = { run, mode: setting.mode, configuration: configurationHash(config), earlier: journal.tail };
  inputs.enter({ mark: 'start', ...start }, () => begun.start(setting.mode));
  return { trader, run, stop: (why, limit) => stop({ setting, trader: begun, recorder, inputs }, why, limit) };
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

function instrumentsWithOrders(trader: Trader | undefined): ReadonlySet<InstrumentId> {
  return new Set(trader?.view.openOrders().map((order) => order.instrument));
}

interface Running {
  readonly setting: DaemonSetting;
  readonly trader: Trader;
  readonly recorder: Recording | undefined;
  readonly inputs: RunInputs;
}

/** Returns the client ids of orders that may still be live. */
async function stop(
  { setting, trader, recorder, inputs }: Running,
  why: string,
  limit: Micros,
): Promise<readonly string[]> {
  const { clock } = setting;
  inputs.enter({ mark: 'stop', why }, () => trader.stop(why));
  const end = clock.uptime() + limit;
  while (!trader.quiet && clock.uptime() < end) await pause(clock, millis(20));
  if (trader.quiet) await pause(clock, settleTime);
  const left = trader.view
    .openOrders()
    .filter((order) => order.strategy !== 'external')
    .map((order) => order.clientOrderId);
  await Promise.race([trader.close(), pause(clock, seconds(2))]);
  setting.turns.close();
  await recorder?.close();
  return left;
}
