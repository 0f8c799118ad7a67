import { BadInput } from '../../core/base/errors.ts';
import type { Micros } from '../../core/base/clock.ts';
import { Random } from '../../core/base/random.ts';
import { VirtualClock } from '../../core/base/virtual-clock.ts';
import type { VenueModule } from '../../venues/index.ts';
import { loadVenue, withVenueWindows } from '../venue/load.ts';
import type { Venue } from '../../core/bus/index.ts';
import type { Tree } from '../../core/config/layers.ts';
import { isTree } from '../../core/config/layers.ts';
import type { Config } from '../config/schema.ts';
import type { Recording } from '../../data/recording/index.ts';
import type { Command } from '../../core/model/command.ts';
import type { Frame } from '../../core/model/frame.ts';
import { runChannel } from '../../core/model/frame.ts';
import type { OperatorAct } from '../../core/model/operator.ts';
import type { Order } from '../../core/model/order.ts';
import type { StampedEvent } from '../../core/model/stamped-event.ts';
import type { StrategyPlan, Trader } from '../../core/trader/index.ts';
import { openTrader } from '../run/assembly.ts';
import type { Batch } from '../run/drive.ts';
import { drive } from '../run/drive.ts';
import { decidingConfig, hashOf } from '../run/hashes.ts';
import { paperVenue } from '../live/paper-venue.ts';
import { ReplayJournal, ReplayVenue } from './venue.ts';
import type { RunMark } from '../run/mark.ts';
import { readMark } from '../run/mark.ts';
import { inScope } from '../run/uncaught-errors.ts';
import type { LoadedStrategy } from '../run/strategy-plans.ts';
import { isTradedIn } from '../live/subscriptions.ts';
import { loadStrategies } from '../run/load-strategies.ts';

type Params = Config['strategies'][number]['params'];

export interface ReplaySetting {
  /** The configuration of the replay, made from that of the run: as it is, or with changes. */
  readonly configure: (recorded: Tree) => Config;
  readonly recording: Recording;
  /** Records of the journal before the run, when it did not begin with an empty one. */
  readonly history?: (run: string) => readonly StampedEvent[];
  /** Shows every event of the replay, after it was recorded. */
  readonly watch?: (stamped: StampedEvent) => void;
  /** Shows the commands that leave, in mode paper those to the simulated venue. */
  readonly onSent?: (command: Command) => void;
}

export interface ReplayResult {
  readonly start: StartMark;
  /** Things that are not as they were in the run, so that other decisions are no surprise. */
  readonly changed: readonly ('configuration' | 'strategies')[];
  /** Hash over everything that happened: equal to that of the run's journal when the replay had the same events. */
  readonly digest: string;
  readonly strays: number;
  /** Sequence of the last event. */
  readonly last: number;
}

export type StartMark = Extract<RunMark, { readonly mark: 'start' }>;

/** A run went on with what a journal held, and without that its decisions cannot be repeated. */
export class JournalNeeded extends BadInput {
  readonly run: string;

  constructor(message: string, run: string) {
    super(message);
    this.run = run;
  }
}

/**
 * Replays a recorded run: the same frames, the same clock, the same strategies, and nothing sent. Throws `BadInput`
 * when the recording is not that of a whole run.
 */
export function replaySession(setting: ReplaySetting): Promise<ReplayResult> {
  // What a strategy throws outside of its handlers stops it where it did in the run: a mark says when.
  return inScope(ignore, () => replayed(setting));
}

function ignore(): void {}

async function replayed(setting: ReplaySetting): Promise<ReplayResult> {
  const { recording } = setting;
  const begun = await beginOf(recording);
  const { start, time } = begun;
  const configured = setting.configure(start.configuration);
  const venue = await loadVenue(configured.venue);
  const config = withVenueWindows(configured, venue.capabilities);
  const clock = new VirtualClock(time);
  const onSent = setting.onSent ?? ignore;
  const replay = new ReplayVenue(clock, recording.instruments, venue, onSent);
  const journal = new ReplayJournal();
  const loaded = await loadStrategies(config.strategies, {
    clock,
    instruments: recording.instruments,
    stateOptions: config.state,
    seed: config.run.seed,
    idPrefix: config.orders.idPrefix,
    run: start.run,
    host: 'recorded',
  });
  const trader = traderOf(setting, { ...begun, config, venue, clock, replay, journal, loaded });
  replay.isTraded = (currency) => isTradedIn(currency, loaded, recording.instruments, trader);
  let last = 0;
  trader.watch((stamped) => {
    last = stamped.sequence;
    setting.watch?.(stamped);
  });
  const onMark = (mark: RunMark): void => {
    switch (mark.mark) {
      case 'start':
        return trader.start(mark.mode, mark.clearHalt === true);
      case 'durable':
        return journal.durable();
      case 'journalFailed':
        return journal.failed(mark.why);
      case 'journalWaits':
        return journal.waits(mark.why);
      case 'act':
        return trader.act(mark.act, mark.who, mark.why, plans.next(mark.act));
      case 'halt':
        return trader.halt(mark.why);
      case 'unread':
        return trader.unread(mark.why);
      case 'stop':
        return trader.stop(mark.why);
      case 'event':
    }
  };
  const plans = new PlansAgain(config.strategies, loaded);
  const source = framesIn(recording, plans);
  const damage = await drive(source, {
    accept: (frame) => {
      replay.play(frame, onMark);
      return true;
    },
  });
  if (damage !== undefined) throw damage;
  const digest = journal.digest();
  await trader.close();
  return {
    start,
    changed: changesOf(start, config, loaded),
    digest,
    strays: replay.strays,
    last,
  };
}

interface Parts {
  readonly start: StartMark;
  readonly config: Config;
  readonly venue: VenueModule;
  readonly clock: VirtualClock;
  readonly replay: ReplayVenue;
  readonly journal: ReplayJournal;
  readonly loaded: readonly LoadedStrategy[];
}

function traderOf(setting: ReplaySetting, parts: Parts): Trader {
  const { start, config, venue: module, clock, replay, journal, loaded } = parts;
  const { instruments } = setting.recording;
  const history = setting.history?.(start.run) ?? [];
  if ((history.at(-1)?.sequence ?? 0) !== start.earlier) {
    throw new JournalNeeded(
      `the run ${start.run} went on with a journal of ${start.earlier} events; name its directory by --journal`,
      start.run,
    );
  }
  const random = new Random(config.run.seed);
  const open = (): readonly Order[] => trader.view.openOrders();
  const paper = { config, random, turns: clock, marketData: replay, instruments, loaded, history, open };
  const trader = openTrader({
    config,
    module,
    instruments,
    clock,
    venue: start.mode === 'paper' ? telling(paperVenue(paper), setting.onSent) : replay,
    journal,
    run: start.run,
    history,
    loaded,
  });
  return trader;
}

/** The venue, which tells what it is sent. */
function telling(venue: Venue, onSent: ReplaySetting['onSent']): Venue {
  return {
    events: venue.events,
    send: (command) => {
      onSent?.(command);
      venue.send(command);
    },
    close: () => venue.close(),
  };
}

function changesOf(
  start: StartMark,
  config: Config,
  loaded: readonly LoadedStrategy[],
): ReplayResult['changed'] {
  const changed: ('configuration' | 'strategies')[] = [];
  if (hashOf(withoutPaths(start.configuration)) !== hashOf(withoutPaths(decidingConfig(config))))
    changed.push('configuration');
  if (start.strategies.join() !== loaded.map((one) => one.sha256).join()) changed.push('strategies');
  return changed;
}

/** Where a strategy lies decides nothing, for its files are compared by their hash; nor does a shadow. */
function withoutPaths(configuration: Tree): Tree {
  const { strategies } = configuration;
  if (!Array.isArray(strategies)) return configuration;
  return {
    ...configuration,
    strategies: strategies.map((one: unknown) =>
      isTree(one) ? { ...one, path: '', shadow: undefined } : one,
    ),
  };
}

async function beginOf(recording: Recording): Promise<{ start: StartMark; time: Micros }> {
  for await (const frames of framesOf(recording)) {
    for (const frame of frames) {
      if (frame.channel !== runChannel) continue;
      const mark = readMark(frame);
      if (mark.mark === 'start') return { start: mark, time: frame.receiveTime };
    }
  }
  throw new BadInput(
    `${recording.paths.join(', ')}: expected the recording of a run (trade --record), found market data alone; use backtest for it`,
  );
}

function framesOf(recording: Recording): AsyncGenerator<readonly Frame[], void, undefined> {
  if (recording.frames === undefined)
    throw new BadInput(`${recording.paths.join(', ')}: expected a frame log, found ${recording.format}`);
  return recording.frames();
}

async function* framesIn(
  recording: Recording,
  plans: PlansAgain,
): AsyncGenerator<Batch<Frame>, void, undefined> {
  for await (const events of framesOf(recording)) {
    for (const frame of events) if (frame.channel === runChannel) await plans.prepare(readMark(frame));
    yield { events };
  }
}

/** Plans that strategies began anew with in the run, loaded ahead of the acts that say so: an act is played in an instant. */
class PlansAgain {
  readonly #now: Map<string, { loaded: LoadedStrategy; params: Params; path: string; shadow: string }>;
  readonly #ready: (StrategyPlan | undefined)[] = [];

  constructor(strategies: Config['strategies'], loaded: readonly LoadedStrategy[]) {
    this.#now = new Map(
      loaded.map((one, at) => {
        const { params = {}, path = '', shadow } = strategies[at] ?? {};
        return [one.plan.name, { loaded: one, params, path, shadow: shadow?.path ?? path }];
      }),
    );
  }

  async prepare(mark: RunMark): Promise<void> {
    if (mark.mark !== 'act' || !isAnew(mark.act)) return;
    const { act } = mark;
    const now = this.#now.get(act.strategy);
    if (now === undefined) return void this.#ready.push(undefined);
    if ('params' in act) now.params = JSON.parse(act.params) as Params;
    // Its path is of the machine of the run; the configuration has both paths of this one.
    if (act.act === 'promote') [now.path, now.shadow] = [now.shadow, now.path];
    now.loaded = await now.loaded.again(now.params, now.path);
    this.#ready.push(now.loaded.plan);
  }

  /** The plan of an act, in the order in which they were prepared. */
  next(act: OperatorAct): StrategyPlan | undefined {
    return isAnew(act) ? this.#ready.shift() : undefined;
  }
}

function isAnew(act: OperatorAct): act is Extract<OperatorAct, { readonly strategy: string }> {
  return act.act === 'startStrategy' || act.act === 'setParams' || act.act === 'promote';
}
