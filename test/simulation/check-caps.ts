import type { VirtualClock } from '../../src/core/base/virtual-clock.ts';
import { lanes } from '../../src/core/model/command.ts';
import type { Event } from '../../src/core/model/event.ts';
import type { Instruments } from '../../src/core/model/instrument.ts';
import { stateDefaults } from '../../src/core/state/options.ts';
import type { StateView } from '../../src/core/state/view.ts';
import type { Trader } from '../../src/core/trader/trader.ts';
import type { Breaches } from './breaches.ts';
import { simGateOptions, tradesMax } from './sim-trader.ts';

/** What a process of the trader holds on to, as its machine sees it. */
export interface Holdings {
  readonly trader: Pick<Trader, 'waiting'>;
  /** Timers that have been set and neither fired nor were called off. */
  readonly timers: number;
  /** Connections that are open or opening, and all listeners of them. */
  readonly sockets: number;
  readonly listeners: number;
}

export interface CapsParts {
  readonly time: VirtualClock;
  readonly breaches: Breaches;
  readonly instruments: Instruments;
  /** Of the process that runs, if one does. */
  readonly holdings: () => Holdings | undefined;
}

/** So often it is looked, and not with every step. */
const everyMicros = 5_000_000;
/** Two connections, and two more that wait for their end. */
const socketsMax = 4;
/** Of each connection. */
const listenersMax = 10;
/** Timers that a process may have beside one for each command that waits or is on the wire, and each order in doubt. */
const timersMax = 24;

/**
 * Caps of what a trader holds: queues of the gate, timers, connections and their listeners, trades and closed orders that are kept,
 * what a carried state has (I21; N13: a storm of reconnects leaves neither timers nor listeners behind).
 */
export class CapsCheck {
  readonly #parts: CapsParts;
  #nextLook = 0;

  constructor(parts: CapsParts) {
    this.#parts = parts;
  }

  /** The trader has taken this event in. */
  after(event: Event): void {
    if (event.kind !== 'stateCarried') return;
    const { orders, fills } = event.state;
    this.#most('ended orders in a carried state', orders.closed.length, stateDefaults.carriedClosedMax);
    this.#most('trades in a carried state', Object.keys(fills).length, stateDefaults.carriedFillsMax);
  }

  afterStep(view: StateView): void {
    const { time, holdings, instruments } = this.#parts;
    if (time.now() < this.#nextLook) return;
    this.#nextLook = time.now() + everyMicros;
    const held = holdings();
    if (held === undefined) return;
    const { waiting } = held.trader;
    let commands = waiting.inFlight;
    for (const lane of lanes) {
      this.#most(`commands in lane ${lane}`, waiting[lane], simGateOptions.queueMax);
      commands += waiting[lane];
    }
    for (const { id, symbol } of instruments.all)
      this.#most(`public trades of ${symbol}`, view.trades(id).length, tradesMax);
    this.#most('timers', held.timers, timersMax + 2 * commands + 2 * view.openCount());
    this.#most('connections', held.sockets, socketsMax);
    this.#most('listeners', held.listeners, listenersMax * held.sockets);
  }

  #most(what: string, count: number, most: number): void {
    if (count > most) this.#parts.breaches.add('I21', `there are ${count} ${what}, expected at most ${most}`);
  }
}
