import type { BookSide } from '../../src/data/formats/order-levels.ts';
import { OrderLevels } from '../../src/data/formats/order-levels.ts';
import { OrderWriter } from '../../src/data/formats/order-writer.ts';
import { LevelBuffer } from '../../src/core/model/level-buffer.ts';
import { orderActions } from '../../src/core/model/order-changes.ts';
import type { OpenEngine } from '../../src/sim/engine.ts';
import { FeeSchedule } from '../../src/sim/fee-schedule.ts';
import type { L3Rule } from '../../src/sim/l3-fifo.ts';
import { l3Fifo } from '../../src/sim/l3-fifo.ts';
import { openQueueEngine } from '../../src/sim/fill-models/queue/engine.ts';
import { SpotAccount } from '../../src/sim/account.ts';
import { instrument, SimHarness } from './sim-harness.ts';

/** The two engines that know the queue model, by the name a scenario gives them. */
export const l3Engines = ['shadow', 'queue'] as const;
export type L3Engine = (typeof l3Engines)[number];

/** The queue engine with known places. */
export function queueOf(partial: boolean, ruleOf: L3Rule = l3Fifo): OpenEngine {
  return (setup) =>
    openQueueEngine(setup, {
      account: new SpotAccount(setup.balances),
      ruleOf,
      fees: setup.instruments.all.map((one) => new FeeSchedule(one, [])),
      partial,
      impact: false,
    });
}

/** A simulated venue on a market that is reported order by order, as importers tell it. */
export class L3Harness {
  readonly harness: SimHarness;
  readonly #writer = new OrderWriter(1);
  readonly #orders = new OrderLevels(this.#writer);
  readonly #buffer = new LevelBuffer();
  #sequence = 0;
  #isMissed = false;

  constructor(engine: L3Engine, partial = true, rule: L3Rule = l3Fifo) {
    this.harness = new SimHarness(
      engine === 'queue'
        ? { orders: true, openEngine: queueOf(partial, rule) }
        : { orders: true, options: { queueModel: l3Fifo } },
    );
    this.#tell('bookSnapshot');
  }

  joins(id: string, side: 'bid' | 'ask', price: number, lots: number): void {
    this.#orders.add(id, sideOf(side), price, lots);
    this.#tell('bookUpdate');
  }

  leaves(id: string, lots = this.#orders.sizeOf(id)): void {
    this.#orders.reduce(id, lots);
    this.#tell('bookUpdate');
  }

  changes(id: string, price: number, lots: number): void {
    this.#orders.changeOrder(id, price, lots);
    this.#tell('bookUpdate');
  }

  /** Each of these orders loses so much to one taker. */
  executes(...taken: readonly (readonly [id: string, lots: number])[]): void {
    for (const [id, lots] of taken) {
      this.#orders.executed(id, lots);
      this.#orders.reduce(id, lots);
    }
    this.#tell('bookUpdate');
  }

  /** A trade with an order that no book shows, or that is older than the recording. */
  unseen(action: 'hidden' | 'executes', side: 'bid' | 'ask', price: number, lots: number): void {
    this.#writer.write(orderActions[action], { order: 0, side: sideOf(side), price, lots });
    const now = this.harness.clock.now();
    const taker = side === 'bid' ? 'sell' : 'buy';
    this.harness.data({
      kind: 'trades',
      instrument,
      snapshot: false,
      trades: [{ tradeId: '1', price: price as never, quantity: lots as never, side: taker, time: now }],
      exchangeTime: now,
      receiveTime: now,
      orders: this.#writer.take(),
    });
  }

  /** The whole book reported again, with changes that were not reported one by one. */
  retold(missed?: (market: L3Harness) => void): void {
    this.#isMissed = true;
    missed?.(this);
    this.#isMissed = false;
    this.#tell('bookSnapshot');
  }

  #tell(kind: 'bookUpdate' | 'bookSnapshot'): void {
    if (this.#isMissed) return;
    const buffer = this.#buffer;
    buffer.beginMessage();
    if (kind === 'bookUpdate') this.#orders.drain(buffer);
    else {
      this.#orders.fill(buffer);
      this.#orders.writeAll();
    }
    this.#sequence += 1;
    const now = this.harness.clock.now();
    this.harness.data({
      kind,
      instrument,
      sequence: this.#sequence,
      levels: buffer.chunk,
      start: buffer.start,
      end: buffer.end,
      exchangeTime: now,
      receiveTime: now,
      orders: this.#writer.take(),
    });
  }
}

function sideOf(side: 'bid' | 'ask'): BookSide {
  return side === 'bid' ? 0 : 1;
}
