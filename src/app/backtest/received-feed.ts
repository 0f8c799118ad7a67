import type { Micros } from '../../core/base/clock.ts';
import { seconds, timeText } from '../../core/base/clock.ts';
import { BadInput } from '../../core/base/errors.ts';
import { VirtualClock } from '../../core/base/virtual-clock.ts';
import type { Recording } from '../../data/recording/index.ts';
import type { Event, MarketEvent } from '../../core/model/event.ts';
import { levelStride } from '../../core/model/level-buffer.ts';
import { inOrder, runStart } from '../../research/scenario/tick-feed.ts';
import type { SimVenue } from '../../sim/index.ts';
import type { Assembly } from '../run/assembly.ts';
import type { Batch } from '../run/drive.ts';
import { endedEarly } from '../run/drive.ts';
import type { FedMarket, RunFeed } from './run-feed.ts';

/**
 * Opens a recording in the order of receipt, up to its first event. Events received from `until` on are left out. With `keepsEvents` an
 * event stays as it is after it has passed. Throws `BadInput` when there is no event.
 */
export async function openReceivedFeed(
  recording: Recording,
  { until, keepsEvents }: { readonly until: Micros | undefined; readonly keepsEvents: boolean },
): Promise<RunFeed> {
  let now = (): number => Number.NEGATIVE_INFINITY;
  const batches = recording.events(keepsEvents ? undefined : () => now());
  const first = await batches.next();
  const opening = first.done === true ? undefined : first.value[0];
  if (opening === undefined || first.done === true)
    throw new BadInput(`${recording.paths.join(', ')}: expected market events, found none`);
  const clock = new VirtualClock(runStart(opening));
  now = () => clock.now();
  return {
    clock,
    source: behind(first.value, batches),
    ending: 'the recording ended',
    market: (parts) => new ReceivedMarket(clock, parts, { recording, until }),
  };
}

async function* behind(
  first: readonly Event[],
  rest: AsyncIterable<readonly Event[]>,
): AsyncGenerator<Batch<MarketEvent>, void, undefined> {
  yield { events: first as readonly MarketEvent[] };
  for await (const events of rest) yield { events: events as readonly MarketEvent[] };
}

const gapMax = seconds(366 * 86_400);

/**
 * Takes events in the order of receipt, those received from `until` on not. Each meets the market at its exchange time: what is due before happens first, what is
 * due then behind it.
 */
class ReceivedMarket implements FedMarket {
  readonly #clock: VirtualClock;
  readonly #venue: SimVenue;
  readonly #trader: Assembly<SimVenue>['trader'];
  readonly #recording: Recording;
  readonly #until: number;
  #latest = 0;
  changes = 0;

  constructor(
    clock: VirtualClock,
    { venue, trader }: Assembly<SimVenue>,
    { recording, until }: { readonly recording: Recording; readonly until: Micros | undefined },
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
