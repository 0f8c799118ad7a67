import type { Micros } from '../../core/base/clock.ts';
import { seconds, timeText } from '../../core/base/clock.ts';
import { BadInput } from '../../core/base/errors.ts';
import { VirtualClock } from '../../core/base/virtual-clock.ts';
import type { Recording } from '../../data/recording/index.ts';
import type { Event, MarketEvent } from '../../core/model/event.ts';
import { levelStride } from '../../core/model/level-buffer.ts';
import { StandingMarket, inOrder, runStart } from '../../research/scenario/tick-feed.ts';
import type { SimVenue } from '../../sim/index.ts';
import type { Batch } from '../run/drive.ts';
import { endedEarly } from '../run/drive.ts';
import type { FedMarket, RunFeed } from './run-feed.ts';

export interface ReceivedFeedSetup {
  /** Events received before it only build the market that the run begins with. */
  readonly start: Micros | undefined;
  /** Events received from then on are left out. */
  readonly until: Micros | undefined;
  /** Candles of each instrument and period that are history at the start. */
  readonly candlesMax: number;
  /** Whether an event stays as it is after it has passed. */
  readonly keepsEvents: boolean;
  /** A clock that has gone on already, where the market follows another; one that begins with it when left out. */
  readonly clock?: VirtualClock | undefined;
}

/** Receivers of the market data: the venue, and the trader that is started with them. */
export interface Fed {
  readonly venue: Pick<SimVenue, 'accept'>;
  readonly trader: { start(mode: 'backtest'): void };
}

/** A feed of any venue. */
export interface ReceivedFeed extends RunFeed {
  market(parts: Fed): FedMarket;
}

/** Parts of a recording that a feed reads. */
export type FedRecording = Pick<Recording, 'events' | 'instruments' | 'orders' | 'paths'>;

/**
 * Opens a recording in the order of receipt, up to its first event, or up to the first one from `start` on. Throws `BadInput` when there
 * is no event of the span.
 */
export async function openReceivedFeed(
  recording: FedRecording,
  setup: ReceivedFeedSetup,
): Promise<ReceivedFeed> {
  const { start, until, keepsEvents } = setup;
  let now = (): number => Number.NEGATIVE_INFINITY;
  const batches = recording.events(keepsEvents ? undefined : () => now());
  const market = new StandingMarket(recording, setup.candlesMax);
  const first = await firstOf(batches, start, (built) => {
    for (const event of built) market.build(event);
    const last = built.at(-1)?.receiveTime;
    if (last !== undefined) now = () => last;
  });
  const [opening] = first.events;
  if (opening === undefined || opening.receiveTime >= (until ?? Number.POSITIVE_INFINITY))
    throw new BadInput(
      `${recording.paths.join(', ')}: expected market events${spanText(setup)}, found ${opening === undefined ? 'none' : `the first at ${timeText(opening.receiveTime)}`}`,
    );
  const standing = start === undefined || !first.isBuilt ? undefined : market.opening(start);
  const begin = standing === undefined || start === undefined ? runStart(opening) : start;
  const clock = setup.clock ?? new VirtualClock(begin);
  now = () => clock.now();
  return {
    clock,
    source: behind([...(standing ?? []), ...first.events], batches),
    ending: 'the recording ended',
    market: (parts) => new ReceivedMarket(clock, parts, { recording, until }),
  };
}

/** Hands over what was received before `start`; returns the rest of the batch in which it lies, and whether anything came before. */
async function firstOf(
  batches: AsyncGenerator<readonly Event[], void, undefined>,
  start: Micros | undefined,
  build: (events: readonly Event[]) => void,
): Promise<{ readonly events: readonly Event[]; readonly isBuilt: boolean }> {
  let isBuilt = false;
  for (let next = await batches.next(); next.done !== true; next = await batches.next()) {
    const events = next.value;
    const first = start === undefined ? 0 : events.findIndex(({ receiveTime }) => receiveTime >= start);
    const before = first < 0 ? events : events.slice(0, first);
    isBuilt ||= before.length > 0;
    build(before);
    if (first >= 0 && events.length > 0) return { events: events.slice(first), isBuilt };
  }
  return { events: [], isBuilt };
}

function spanText({ start, until }: ReceivedFeedSetup): string {
  const from = start === undefined ? '' : ` from ${timeText(start)} on`;
  return until === undefined ? from : `${from} before ${timeText(until)}`;
}

async function* behind(
  first: readonly Event[],
  rest: AsyncGenerator<readonly Event[], void, undefined>,
): AsyncGenerator<Batch<MarketEvent>, void, undefined> {
  try {
    yield { events: first as readonly MarketEvent[] };
    for await (const events of rest) yield { events: events as readonly MarketEvent[] };
  } finally {
    // Also where it is left at the first batch: an unpacker may hold what the next one needs.
    await rest.return(undefined);
  }
}

const gapMax = seconds(366 * 86_400);

/**
 * Takes events in the order of receipt, those received from `until` on not. Each meets the market at its exchange time: what is due before happens first, what is
 * due then behind it.
 */
class ReceivedMarket implements FedMarket {
  readonly #clock: VirtualClock;
  readonly #venue: Fed['venue'];
  readonly #trader: Fed['trader'];
  readonly #recording: FedRecording;
  readonly #until: number;
  #latest = 0;
  changes = 0;

  constructor(
    clock: VirtualClock,
    { venue, trader }: Fed,
    { recording, until }: { readonly recording: FedRecording; readonly until: Micros | undefined },
  ) {
    this.#clock = clock;
    this.#venue = venue;
    this.#trader = trader;
    this.#recording = recording;
    this.#until = until ?? Number.POSITIVE_INFINITY;
  }

  beginRun(): void {
    this.#trader.start('backtest');
  }

  accept(event: MarketEvent): boolean {
    if (event.receiveTime >= this.#until) return false;
    if (event.receiveTime >= this.#latest) this.#latest = event.receiveTime;
    else inOrder(event, this.#latest, this.#recording);
    if (event.exchangeTime - this.#clock.now() > gapMax) this.#jumps(event);
    this.#clock.advanceTo((event.exchangeTime - 1) as Micros);
    this.#venue.accept(event);
    if (event.kind === 'bookUpdate' || event.kind === 'bookSnapshot')
      this.changes += (event.end - event.start) / levelStride;
    else if (event.kind === 'trades') this.changes += event.trades.length;
    return true;
  }

  endRun(damage: BadInput | undefined): string | undefined {
    return endedEarly(damage);
  }

  /** Every timer of every strategy would fire through it. */
  #jumps({ exchangeTime }: Event): never {
    const [before, after] = [this.#clock.now(), exchangeTime].map((time) => timeText(time));
    const { paths } = this.#recording;
    throw new BadInput(
      `${paths.join(', ')}: expected no gap longer than a year, found ${after} after ${before}: run the parts one by one`,
    );
  }
}
