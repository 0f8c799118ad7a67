import type { Clock, Micros } from '../../core/base/clock.ts';
import { fail } from '../../core/base/assert.ts';
import { timeText } from '../../core/base/clock.ts';
import type { Logger } from '../../core/base/logger.ts';
import { Random } from '../../core/base/random.ts';
import { SystemClock } from '../../core/base/system-clock.ts';
import type { VirtualClock } from '../../core/base/virtual-clock.ts';
import type { RunningExchange } from '../../exchange/index.ts';
import { ExchangeServer, running } from '../../exchange/index.ts';
import { sharedEngineOf } from '../../research/scenario/engine.ts';
import { runStart } from '../../research/scenario/tick-feed.ts';
import type { SharedEngine } from '../../sim/index.ts';
import { SimVenue } from '../../sim/index.ts';
import type { FedRecording } from '../backtest/index.ts';
import { openReceivedFeed } from '../backtest/index.ts';
import type { Config } from '../config/schema.ts';
import { replayBindings } from './asks.ts';
import type { Round } from './course.ts';
import { MarketCourse } from './course.ts';
import { recordedListing } from './listing.ts';
import { MarketPace } from './pace.ts';
import type { ServedRecording, ServedSpan } from './source.ts';
import { movedInTime, openServed } from './source.ts';

/** A recorded market that is served, as a command line names it. */
export interface RecordedMarket {
  /** Files or folders of one recording. */
  readonly recording: readonly string[];
  /** Part of it that is served, by receive time; all where left out. */
  readonly span: ServedSpan;
  /** Times as fast as it was recorded, or as clients ask. */
  readonly speed: number | 'asked';
  /** Time that clients see: that of the recording, or that of the machine, to which the recording is moved. */
  readonly clock: 'recorded' | 'wall';
  readonly fills: 'fifo' | 'queue';
  /** Begins again at its end. */
  readonly loops: boolean;
}

export interface OpenedSetting {
  readonly config: Config;
  readonly host: string;
  readonly port: number;
  readonly version?: string;
  readonly log: Logger;
  /** Called with a sentence when the recording has been shown up to its end. */
  readonly onEnd: (sentence: string) => void;
  readonly onFailure: (error: unknown) => void;
}

/** An exchange that serves a recorded market. */
export interface ServedMarket extends RunningExchange {
  /** Time at which the market begins, by its own clock. */
  readonly begin: Micros;
}

/**
 * Serves a recorded market on the face of the embedded exchange. The recording meets the market as in a backtest: what it changes
 * happens at its exchange time, and clients are shown it at its receive time. Own orders stand among it as the fill model says, and
 * change nothing of what is shown. Throws `BadInput` when the recording or the port cannot be served.
 */
export async function openRecordedMarket(
  market: RecordedMarket,
  setting: OpenedSetting,
): Promise<ServedMarket> {
  const { config, onEnd, onFailure } = setting;
  const served = await openServed(market.recording, market.span);
  const wall = new SystemClock();
  const times = timesOf(market, served, wall.now());
  const feed = await openReceivedFeed(times.recording, feedSetup(times, config));
  const { clock } = feed;
  const counted = { shown: 0 };
  let course: MarketCourse | undefined;
  const view = { speed: market.speed, clock: market.clock, shown: () => counted.shown };
  const bindings = replayBindings(() => course ?? fail('a market was asked for before it was open'), view);
  const { server, venue } = await startServer(market, setting, { served, clock, wall, bindings });
  venue.marketData.on((data) => {
    try {
      counted.shown += 1;
      server.observe(data);
    } catch (error) {
      onFailure(error);
    }
  });
  const fed = { venue, trader: { start: () => {} } };
  const roundOf = (one: typeof feed): Round => ({
    source: asyncIterator(one.source),
    market: one.market(fed),
  });
  course = new MarketCourse({
    clock,
    first: roundOf(feed),
    again: market.loops
      ? async (begin) => {
          cancelAll(server);
          const next = times.from(begin);
          return roundOf(await openReceivedFeed(next.recording, feedSetup(next, config, clock)));
        }
      : undefined,
    shown: view.shown,
    onEnd: (time, damage) => onEnd(damage ?? endSentence(time)),
  });
  return runningMarket(server, course, paceOf(market, course, { wall, onFailure }));
}

interface ServerDeps {
  readonly served: ServedRecording;
  readonly clock: VirtualClock;
  readonly wall: Clock;
  readonly bindings: ReturnType<typeof replayBindings>;
}

/** The exchange, and the venue behind it that is handed the recording. */
async function startServer(
  { fills }: RecordedMarket,
  { config, host, port, version, log }: OpenedSetting,
  { served: { recording }, clock, wall, bindings }: ServerDeps,
): Promise<{ readonly server: ExchangeServer; readonly venue: SimVenue }> {
  const random = new Random(config.run.seed);
  let engine: SharedEngine | undefined;
  let venue: SimVenue | undefined;
  const server = await ExchangeServer.start({
    options: recordedListing(recording.instruments, config),
    clock,
    wall,
    random: random.fork('exchange'),
    host,
    port,
    log,
    bindings,
    ...(version === undefined ? {} : { version }),
    market: ({ instruments, rules, happened }) => {
      const open = sharedEngineOf(fills);
      venue = new SimVenue({
        clock,
        instruments,
        options: config.sim,
        random: random.fork('sim'),
        balances: [],
        openEngine: (deps) => (engine = open({ ...deps, rules, happened })),
        orders: recording.orders,
      });
      return engine ?? fail('a simulated venue was opened without its engine');
    },
  });
  return { server, venue: venue ?? fail('an exchange was opened without its market') };
}

/** Starts what moves the market on by itself; nothing where clients do. */
function paceOf(
  { speed, clock }: RecordedMarket,
  course: MarketCourse,
  parts: { readonly wall: Clock; readonly onFailure: (error: unknown) => void },
): MarketPace | undefined {
  if (speed === 'asked') return undefined;
  // By the time of the machine the recording is drawn together or apart, and goes on as that does.
  const pace = new MarketPace(course, { ...parts, speed: clock === 'wall' ? 1 : speed });
  pace.start();
  return pace;
}

function runningMarket(
  server: ExchangeServer,
  course: MarketCourse,
  pace: MarketPace | undefined,
): ServedMarket {
  return {
    ...running(server),
    begin: course.clock.now(),
    stop: async () => {
      pace?.stop();
      await course.stop();
      await server.close();
    },
  };
}

function endSentence(time: Micros): string {
  return `the recording ended at ${timeText(time)}: its last books stay, and orders are answered as before`;
}

/** A recording at the times that clients see. */
interface ShownTimes {
  readonly recording: FedRecording;
  readonly start: Micros | undefined;
  readonly until: Micros | undefined;
}

/** The recording as it is shown first, and as it is shown once more `from` a time on. */
function timesOf(
  { span, speed, clock }: RecordedMarket,
  { recording, first }: ServedRecording,
  now: Micros,
): ShownTimes & { from(begin: Micros): ShownTimes } {
  const begun = Math.max(span.start ?? 0, runStart(first));
  const rate = clock === 'wall' && speed !== 'asked' ? speed : 1;
  const shownFrom = (begin: Micros): ShownTimes => {
    const moved = (time: Micros): Micros => (begin + Math.round((time - begun) / rate)) as Micros;
    return {
      recording: movedInTime(recording, moved),
      start: span.start && moved(span.start),
      until: span.end && moved(span.end),
    };
  };
  const unmoved = { recording, start: span.start, until: span.end };
  return { ...(clock === 'recorded' ? unmoved : shownFrom(now)), from: shownFrom };
}

function feedSetup({ start, until }: ShownTimes, { state }: Config, clock?: VirtualClock) {
  return { start, until, candlesMax: state.candlesMax, keepsEvents: false, clock };
}

/** Cancels every order. At the seam of two rounds the books jump: what rests in them has lost its place. */
function cancelAll({ accounts, core }: ExchangeServer): void {
  for (const { id } of accounts.all) core.handle({ kind: 'cancelAll', account: id, instrument: undefined });
}

async function* eventsOf<Item>(source: AsyncIterable<Item> | Iterable<Item>) {
  yield* source;
}

function asyncIterator<Item>(source: AsyncIterable<Item> | Iterable<Item>): AsyncIterator<Item> {
  return eventsOf(source);
}
