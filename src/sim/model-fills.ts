import { assert } from '../core/base/assert.ts';
import type { Micros } from '../core/base/clock.ts';
import type { Instrument, Lots, Ticks } from '../core/model/instrument.ts';
import type { ExchangeState, Fills, Met, ExchangeMarket, OrderRecord } from '../exchange/matching/index.ts';
import { leftBook, capOf, isReducing, settleExecution } from '../exchange/matching/index.ts';
import type { TopOfBook, FillModel, OpenFillModel, PlannedFill } from './fill-models/models.ts';

export interface ModelFillsDeps {
  readonly exchange: ExchangeState;
  readonly market: ExchangeMarket;
  readonly open: OpenFillModel;
  readonly turn: MarketTurn;
}

/** The market event under way. */
export class MarketTurn {
  now: Micros;
  /** Whether a fill model may fill orders now. */
  inEvent = false;
  /** Whether anything has come of the event. */
  begun = false;

  constructor(now: Micros) {
    this.now = now;
  }

  /** Something is about to happen to an order of ours. Nothing comes of most events. */
  beginCommand(exchange: ExchangeState): void {
    assert(this.inEvent, 'a fill model filled an order outside onMarket and onTrade');
    if (this.begun) return;
    this.begun = true;
    exchange.beginCommand(this.now);
  }
}

/** Executes orders of one instrument as a fill model says. */
export class ModelFills implements Fills {
  readonly instrument: Instrument;
  readonly model: FillModel;
  readonly #exchange: ExchangeState;
  readonly #market: ExchangeMarket;

  constructor({ exchange, market, open, turn }: ModelFillsDeps) {
    const { instrument } = market;
    this.instrument = instrument;
    this.#exchange = exchange;
    this.#market = market;
    this.model = open({
      instrument,
      fill: (order, lots) => {
        turn.beginCommand(exchange);
        return this.#fill(order as OrderRecord, lots);
      },
    });
  }

  get book(): TopOfBook {
    return this.model.book;
  }

  get market(): ExchangeMarket {
    return this.#market;
  }

  wouldTake(record: OrderRecord): boolean {
    return this.model.fills(record).length > 0;
  }

  visit(record: OrderRecord, _met: Met, each: (price: Ticks, lots: Lots) => void): void {
    for (const { price, lots } of this.#planOf(record)) each(price as Ticks, lots as Lots);
  }

  takeOrder(record: OrderRecord): void {
    const plan = this.#planOf(record);
    for (const { price, lots } of plan) {
      this.#market.last = price as Ticks;
      settleExecution(this.#exchange, record, this.#exchange.execution(price as Ticks, lots as Lots), true);
    }
    this.model.onTaken?.(record, plan);
  }

  restOrder(record: OrderRecord): void {
    this.model.onNew(record);
  }

  leaveBook(record: OrderRecord): void {
    this.model.onEnd(record);
  }

  #planOf(record: OrderRecord): readonly PlannedFill[] {
    const plan = this.model.fills(record);
    let left: number = record.remaining;
    for (const { price, lots } of plan) {
      assert(isCount(price) && isCount(lots), 'a fill model planned a fill that is not whole ticks and lots');
      left -= lots;
    }
    assert(left >= 0, 'a fill model planned more than the order has left');
    return isReducing(record) ? atMost(plan, capOf(record)) : plan;
  }

  #fill(record: OrderRecord, planned: number): number {
    if (!record.isLive || record.where !== 'book') return 0;
    const { price, remaining } = record;
    assert(
      isCount(planned) && planned <= remaining && price !== undefined,
      'a fill model filled what does not rest',
    );
    const lots = Math.min(planned, capOf(record));
    if (lots === 0) return 0;
    if (lots === remaining) {
      this.model.onEnd(record);
      leftBook(record);
    }
    this.#market.last = price;
    settleExecution(this.#exchange, record, this.#exchange.execution(price, lots as Lots), false);
    return lots;
  }
}

/** The first fills of a plan, so many lots. */
function atMost(plan: readonly PlannedFill[], lots: number): readonly PlannedFill[] {
  const kept: PlannedFill[] = [];
  let left = lots;
  for (const fill of plan) {
    if (left <= 0) break;
    kept.push({ ...fill, lots: Math.min(fill.lots, left) });
    left -= fill.lots;
  }
  return kept;
}

function isCount(value: number): boolean {
  return Number.isSafeInteger(value) && value > 0;
}
