import type { Micros } from '../../core/base/clock.ts';
import type { BadInput } from '../../core/base/errors.ts';
import { VirtualClock } from '../../core/base/virtual-clock.ts';
import type { MarketEvent } from '../../core/model/event.ts';
import { LateClock } from '../../research/checks/index.ts';
import type { ScenarioData, TickFeed } from '../../research/scenario/index.ts';
import { feedSetupOf, checkTerms, idleMax, openTickFeed } from '../../research/scenario/index.ts';
import type { SimVenue } from '../../sim/index.ts';
import type { Assembly } from '../run/assembly.ts';
import { endedEarly } from '../run/drive.ts';
import type { ConfiguredScenario } from '../run/scenario.ts';
import type { FedMarket, RunFeed } from './run-feed.ts';

/**
 * Opens the data of a scenario by exchange time, up to the start of its clock: the market at the start is built. Timers of strategies run
 * behind everything else that is due at their time. Throws `BadInput` when nothing comes from the start on, `ConfigError` where data and terms do not fit.
 */
export async function openClockedFeed(loaded: ConfiguredScenario, data: ScenarioData): Promise<RunFeed> {
  const { end } = loaded.scenario.clock;
  const feed = data.feed ?? (await openTickFeed(feedSetupOf(loaded, data, loaded.config.state.candlesMax)));
  checkTerms(loaded, data.recording.instruments, feed);
  const clock = new VirtualClock(feed.start);
  return {
    clock,
    late: new LateClock(clock),
    until: end,
    source: feed.marketData,
    ending: 'the clock of the scenario ended',
    market: (parts) => new ClockedMarket(clock, parts, { feed, end }),
  };
}

/** Each event meets the market at its exchange time, as far as the clock of the scenario goes; what is due before happens first, what is due then behind it. */
class ClockedMarket implements FedMarket {
  readonly changes = undefined;
  readonly #clock: VirtualClock;
  readonly #parts: Assembly<SimVenue>;
  readonly #venue: SimVenue;
  readonly #feed: TickFeed;
  readonly #end: number;
  #last = 0;
  #isPast = false;

  constructor(
    clock: VirtualClock,
    parts: Assembly<SimVenue>,
    { feed, end }: { readonly feed: TickFeed; readonly end: Micros | undefined },
  ) {
    this.#clock = clock;
    this.#parts = parts;
    this.#venue = parts.venue;
    this.#feed = feed;
    this.#end = end ?? Number.POSITIVE_INFINITY;
    this.#last = feed.start;
  }

  /** The account is compared with the venue before the clock starts, and strategies start with it, on a built market. */
  beginRun(): void {
    this.#venue.prelude = true;
    this.#parts.trader.start('backtest');
    for (const event of this.#feed.opening) this.#venue.accept(event);
    this.#clock.advanceTo(this.#feed.start);
    this.#venue.prelude = false;
  }

  accept(event: MarketEvent, order: number): boolean {
    if (event.exchangeTime > this.#end) {
      this.#isPast = true;
      return false;
    }
    this.#clock.advanceTo((event.exchangeTime - 1) as Micros);
    this.#venue.accept(event, order);
    if (event.receiveTime > this.#last) this.#last = event.receiveTime;
    return true;
  }

  endRun(damage: BadInput | undefined): string | undefined {
    this.#clock.advanceTo(this.#endOfClock(damage !== undefined) as Micros);
    return endedEarly(damage);
  }

  #endOfClock(isDamaged: boolean): number {
    if (this.#isPast) return this.#end;
    if (isDamaged) return Math.min(this.#last, this.#end);
    return this.#end - this.#last <= idleMax ? this.#end : this.#last;
  }
}
