import { concatMap, map, Observable } from 'rxjs';
import type { Cancel, Clock, Micros } from '../../core/base/clock.ts';
import { micros } from '../../core/base/clock.ts';
import type { Random } from '../../core/base/random.ts';
import type { Venue } from '../../core/bus/index.ts';
import type { Config } from '../config/schema.ts';
import type { Command } from '../../core/model/command.ts';
import type { Event } from '../../core/model/event.ts';
import type { Instruments } from '../../core/model/instrument.ts';
import { canceledReport } from '../../core/model/canceled-report.ts';
import { isMarketEvent } from '../../core/model/market-data.ts';
import type { Order } from '../../core/model/order.ts';
import type { StampedEvent } from '../../core/model/stamped-event.ts';
import { stateAfter } from '../../core/trader/index.ts';
import { openShadowEngine } from '../../sim/fill-models/fifo/shadow-engine.ts';
import { SimVenue } from '../../sim/index.ts';
import { checkFeeCurrencies } from '../run/fee-currencies.ts';
import { marginSetupFor } from '../run/margin-setup.ts';
import { openingBalances } from '../run/opening-balances.ts';
import type { LoadedStrategy } from '../run/strategy-plans.ts';
import { leftOf } from './left-accounts.ts';

export interface PaperParts {
  readonly config: Config;
  readonly random: Random;
  /** The core's clock. */
  readonly turns: Clock;
  /** The live streams, or those of a recording. */
  readonly marketData: Pick<Venue, 'events' | 'close' | 'looks'>;
  readonly instruments: Instruments;
  readonly loaded: readonly LoadedStrategy[];
  /** Records of earlier runs in the journal: the account goes on where it ended. */
  readonly history: readonly StampedEvent[];
  /** Own orders that may be live, as the trader knows them once it stands. */
  readonly open: () => readonly Order[];
}

/** Paper: market data from the live streams, fills from the simulated venue they pass through. */
export function paperVenue(parts: PaperParts): Venue {
  const { config, random, turns, marketData, instruments, loaded, history, open } = parts;
  checkFeeCurrencies(instruments, loaded);
  const clock = new VenueClock(turns);
  const left = leftOf(stateAfter(history, { instruments }));
  const sim = new SimVenue({
    openEngine: openShadowEngine,
    clock,
    instruments,
    options: config.sim,
    random: random.fork('sim'),
    balances: left?.spot ?? openingBalances(config.backtest.balances, instruments, loaded),
    margin: marginSetupFor(config, instruments, loaded, left),
    // Every trade leaves a record, so that none of before has such a number.
    tradesFrom: (history.at(-1)?.sequence ?? 0) + 1,
    marketData: 'live',
  });
  return {
    events: new Observable<Event>((subscriber) => {
      const simulated = withGone(sim.events.pipe(map((event) => clock.received(event))), open).subscribe(
        subscriber,
      );
      // The live session's own ups and downs count, and what becomes of symbols; its account has no part in this.
      const received = marketData.events.subscribe((event) => {
        if (isMarketEvent(event)) sim.accept(event);
        else if (event.kind === 'instrumentChanged' || isVoice(event)) subscriber.next(event);
        else if (event.kind === 'clockMeasured') {
          clock.offset = event.offset;
          subscriber.next(event);
        } else if ((event.kind === 'sessionUp' || event.kind === 'sessionDown') && event.session === 'market')
          subscriber.next(event);
      });
      return () => {
        received.unsubscribe();
        simulated.unsubscribe();
      };
    }),
    looks: marketData.looks,
    send: (command: Command) => sim.send(command),
    close: async () => {
      await marketData.close();
      await sim.close();
    },
  };
}

/** The clock of the simulated venue: it dates and lets expire as the venue does whose market it has. */
class VenueClock implements Clock {
  readonly #own: Clock;
  /** How far the venue is ahead. */
  offset = micros(0);

  constructor(own: Clock) {
    this.#own = own;
  }

  now(): Micros {
    return micros(this.#own.now() + this.offset);
  }

  uptime(): Micros {
    return this.#own.uptime();
  }

  after(delay: Micros, task: () => void): Cancel {
    return this.#own.after(delay, task);
  }

  /**
   * An event of the simulated venue, received by our own clock. What the market said was so before. One that was dated by an offset
   * that has been measured anew since is never received later than now: what comes after it would count as older.
   */
  received(event: Event): Event {
    if (isMarketEvent(event)) return event;
    const back = Math.max(this.offset, event.receiveTime - this.#own.now());
    if (back === 0) return event;
    const receiveTime = micros(event.receiveTime - back);
    return event.kind === 'readAnswered'
      ? { ...event, receiveTime, askedAt: micros(event.askedAt - back) }
      : { ...event, receiveTime };
  }
}

/** Orders that earlier runs left at a simulated venue are gone: they are reported as canceled when the session is up. */
function withGone(events: Observable<Event>, open: () => readonly Order[]): Observable<Event> {
  return events.pipe(
    concatMap((event) =>
      event.kind === 'sessionUp' && event.session === 'trading'
        ? [event, ...open().map((order) => canceledReport(order, event))]
        : [event],
    ),
  );
}

/** Whether an event is what a strategy in a thread of its own said, or a series, in a recording of the run. */
function isVoice({ kind }: Event): boolean {
  return (
    kind === 'intent' ||
    kind === 'strategyNoted' ||
    kind === 'strategyTimer' ||
    kind === 'strategyStopped' ||
    kind === 'seriesRow' ||
    kind === 'seriesStale'
  );
}
