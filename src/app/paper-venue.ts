import { Observable } from 'rxjs';
import type { Venue } from '../bus/venue.ts';
import type { LiveVenue } from '../client/live-venue.ts';
import type { Command } from '../model/command.ts';
import type { Event, MarketEvent } from '../model/event.ts';
import type { Instruments } from '../model/instrument.ts';
import { SimVenue } from '../sim/sim-venue.ts';
import type { LiveParts } from './live-parts.ts';
import { openingBalances } from './opening-balances.ts';
import type { LoadedStrategy } from './strategy-plans.ts';

interface PaperParts {
  readonly instruments: Instruments;
  readonly loaded: readonly LoadedStrategy[];
}

/** Paper: market facts from the live streams, fills from the simulated venue they pass through. */
export function paperVenue(setting: LiveParts, live: LiveVenue, parts: PaperParts): Venue {
  const { config, clock } = setting;
  const sim = new SimVenue({
    clock,
    instruments: parts.instruments,
    options: config.sim,
    random: setting.random.fork('sim'),
    balances: openingBalances(config.backtest.balances, parts.instruments, parts.loaded),
    facts: 'live',
  });
  return {
    events: new Observable<Event>((subscriber) => {
      const simulated = sim.events.subscribe(subscriber);
      // The live session's own ups and downs count; its account has no part in this.
      const received = live.events.subscribe((event) => {
        if (isMarket(event)) sim.accept(event);
        else if ((event.kind === 'sessionUp' || event.kind === 'sessionDown') && event.session === 'market')
          subscriber.next(event);
      });
      return () => {
        received.unsubscribe();
        simulated.unsubscribe();
      };
    }),
    send: (command: Command) => sim.send(command),
    close: async () => {
      await live.close();
      await sim.close();
    },
  };
}

function isMarket(event: Event): event is MarketEvent {
  switch (event.kind) {
    case 'bookSnapshot':
    case 'bookUpdate':
    case 'bookStale':
    case 'trades':
    case 'ticker':
    case 'candles':
      return true;
    default:
      return false;
  }
}
