import type { Clock, Micros } from '../../../src/core/base/clock.ts';
import { seconds } from '../../../src/core/base/clock.ts';
import { DiskJournal } from '../../../src/core/journal/index.ts';
import type { CancelOrderCommand, Lane } from '../../../src/core/model/command.ts';
import type { Event, ReportType } from '../../../src/core/model/event.ts';
import type { InstrumentId, Instruments, Lots, Ticks } from '../../../src/core/model/instrument.ts';
import type { ClientOrderId, OrderRequest, OrderState } from '../../../src/core/model/order.ts';
import { stateDefaults } from '../../../src/core/state/options.ts';
import { State } from '../../../src/core/state/state.ts';

/** An order that is live at the end of the past. */
export interface LiveOrder {
  readonly id: string;
  readonly symbol: string;
  readonly price: number;
  readonly lots: number;
}

export interface PastParts {
  readonly directory: string;
  readonly header: string;
  readonly instruments: Instruments;
  readonly clock: Clock;
  /** Records there are at least. */
  readonly records: number;
  /** Of the strategy that placed all orders, and the run in which it did. */
  readonly strategy: string;
  readonly live: readonly LiveOrder[];
}

/** Group of records after which the disk is waited for: an order is durable before it leaves. */
const groupSize = 2_000;

/**
 * Writes the journal of a run that was killed: orders that were placed, confirmed and cancelled, one after the other, and then those that
 * are live still. The state is carried over as the trader does, the last time as long ago as it can be. Returns how many records there are.
 */
export async function writePast(parts: PastParts): Promise<number> {
  const { directory, header, instruments, clock, records, live } = parts;
  const journal = new DiskJournal({ directory, header });
  const state = new State({ instruments });
  const every = stateDefaults.carryEvery;
  const ended = Math.max(0, Math.ceil((records - live.length * recordsOfLive) / recordsOfEnded));
  const total = 1 + ended * recordsOfEnded + live.length * recordsOfLive;
  let sequence = 0;
  const keep = async (event: Event): Promise<void> => {
    sequence += 1;
    state.fold(event);
    journal.append(event, sequence);
    if ((total - sequence) % (every - 1) === every - 2) {
      sequence += 1;
      const carried = { kind: 'stateCarried', ...at(event.receiveTime), state: state.carry() } as const;
      state.fold(carried);
      journal.append(carried, sequence);
    }
    if (sequence % groupSize === 0) await durable(journal);
  };
  // An hour ago and before: what is known of it has settled.
  const step = 1_000;
  let time = (clock.now() - seconds(3_600) - total * step) as Micros;
  const tick = (): Micros => (time = (time + step) as Micros);
  await keep({ kind: 'runStarted', ...at(time), run: 'past00', mode: 'sim' });
  let commandId = 0;
  const history = new OrderHistory(parts, tick, () => (commandId += 1));
  for (let index = 0; index < ended; index++) {
    const id = `gw-past00-past-${index.toString(36).padStart(5, '0')}`;
    const symbol = live[index % live.length]?.symbol ?? instruments.at(0 as InstrumentId).symbol;
    for (const event of history.ended({ id, symbol, price: 9_000 + (index % 900), lots: 10 }))
      await keep(event);
  }
  for (const order of live) for (const event of history.live(order)) await keep(event);
  await durable(journal);
  await journal.close();
  return sequence;
}

const recordsOfLive = 4;
const recordsOfEnded = 8;

function at(time: Micros): { exchangeTime: Micros; receiveTime: Micros } {
  return { exchangeTime: time, receiveTime: time };
}

function durable(journal: DiskJournal): Promise<void> {
  return new Promise((resolve) => journal.whenDurable(resolve));
}

/** The records of one order, as a daemon writes them. */
class OrderHistory {
  readonly #parts: PastParts;
  readonly #tick: () => Micros;
  readonly #next: () => number;

  constructor(parts: PastParts, tick: () => Micros, next: () => number) {
    this.#parts = parts;
    this.#tick = tick;
    this.#next = next;
  }

  live(order: LiveOrder): readonly Event[] {
    const { strategy } = this.#parts;
    const request = this.#request(order);
    const command = { kind: 'newOrder', commandId: this.#next(), strategy, request } as const;
    return [
      { kind: 'intent', ...at(this.#tick()), intent: { action: 'place', strategy, request } },
      { kind: 'orderPending', ...at(this.#tick()), command },
      this.#report(request, 'new', 'new'),
      this.#settled(command.commandId, 'new', request.clientOrderId),
    ];
  }

  ended(order: LiveOrder): readonly Event[] {
    const { strategy } = this.#parts;
    const request = this.#request(order);
    const { clientOrderId, instrument } = request;
    const commandId = this.#next();
    const command: CancelOrderCommand = {
      kind: 'cancelOrder',
      commandId: this.#next(),
      strategy,
      clientOrderId,
      instrument,
    };
    return [
      { kind: 'intent', ...at(this.#tick()), intent: { action: 'place', strategy, request } },
      {
        kind: 'orderPending',
        ...at(this.#tick()),
        command: { kind: 'newOrder', commandId, strategy, request },
      },
      this.#report(request, 'new', 'new'),
      this.#settled(commandId, 'new', clientOrderId),
      { kind: 'intent', ...at(this.#tick()), intent: { action: 'cancel', strategy, clientOrderId } },
      { kind: 'cancelPending', ...at(this.#tick()), command },
      this.#report(request, 'canceled', 'canceled'),
      this.#settled(command.commandId, 'cancel', clientOrderId),
    ];
  }

  #request({ id, symbol, price, lots }: LiveOrder): OrderRequest {
    return {
      clientOrderId: id as ClientOrderId,
      instrument: this.#parts.instruments.get(symbol).id,
      side: 'buy',
      type: 'limit',
      timeInForce: 'GTC',
      quantity: lots as Lots,
      price: price as Ticks,
      stopPrice: undefined,
      expireTime: undefined,
      postOnly: false,
    };
  }

  #report(request: OrderRequest, reportType: ReportType, state: OrderState & ('new' | 'canceled')): Event {
    const time = this.#tick();
    return {
      kind: 'orderReport',
      ...at(time),
      reportType,
      order: {
        ...request,
        venueOrderId: request.clientOrderId.slice(-5),
        state,
        cumulative: 0 as Lots,
        originalClientOrderId: undefined,
        orderListId: undefined,
        createdAt: time,
        updatedAt: time,
      },
      fill: undefined,
    };
  }

  #settled(commandId: number, lane: Lane, clientOrderId: ClientOrderId): Event {
    return {
      kind: 'commandSettled',
      ...at(this.#tick()),
      commandId,
      lane,
      outcome: 'acknowledged',
      clientOrderId,
    };
  }
}
