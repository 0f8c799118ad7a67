import { assert } from '../../../core/base/assert.ts';
import type { OrderCommand } from '../../../core/model/command.ts';
import type { Micros } from '../../../core/base/clock.ts';
import { millis } from '../../../core/base/clock.ts';
import { Exchange } from '../../../exchange/matching/exchange.ts';
import type { Outcome } from '../../../exchange/matching/outcome.ts';
import type { MarketEvent, TradesPrinted } from '../../../core/model/event.ts';
import type { InstrumentId, Lots } from '../../../core/model/instrument.ts';
import type { Balance } from '../../../core/model/market.ts';
import type { VenueOrder } from '../../../core/model/order.ts';
import type { EngineSetup, OpenEngine, SimEngine } from '../../engine.ts';
import { exchangeCommandOf, ourAccount as account } from '../../engine.ts';
import { l3Fifo, needOrders } from '../../l3-fifo.ts';
import type { QueueModel } from '../../queue-model.ts';
import { lotOf, queueModelOf } from '../../queue-model.ts';
import { Shadow } from './shadow.ts';

/**
 * The strict fill model: the recorded market stands as anonymous orders in the matching core, and ours among them.
 * One matching core for backtest, paper and the embedded exchange.
 */
export class ShadowEngine implements SimEngine {
  readonly #exchange: Exchange;
  /** By instrument id; `undefined`: the single orders of the recording give all places. */
  readonly #models: readonly QueueModel[] | undefined;
  readonly #happened: EngineSetup['happened'];
  readonly #shadows: (Shadow | undefined)[] = [];
  /** Time of the market data event under way. */
  #now = 0 as Micros;

  /** Throws `BadInput` when the queue model needs single orders and the data has none. */
  constructor({ instruments, options, balances, now, happened, orders, tradesFrom }: EngineSetup) {
    this.#now = now;
    this.#happened = happened;
    const { queueModel, queuePower } = options;
    if (queueModel === l3Fifo) needOrders(orders);
    else this.#models = instruments.all.map((one) => queueModelOf(queueModel, queuePower, lotOf(one)));
    this.#exchange = new Exchange({
      instruments,
      options: {
        idReuseAfter: millis(options.idReuseAfterMs),
        fatFingerFraction: options.fatFingerFraction,
        windowTicks: options.windowTicks,
        tradeNumberStart: tradesFrom,
        // The recorded feed delivers them.
        publicOutcomes: false,
      },
    });
    for (const balance of balances) this.#deposit(balance);
  }

  data(event: MarketEvent, now: Micros): void {
    this.#now = now;
    switch (event.kind) {
      case 'bookUpdate':
        this.#shadow(event.instrument).update(event);
        break;
      case 'bookSnapshot':
        this.#shadow(event.instrument).snapshot(event);
        break;
      case 'trades':
        if (!event.snapshot) this.#trades(event);
        break;
      default:
        break;
    }
  }

  execute(command: OrderCommand, now: Micros): readonly Outcome[] {
    return this.#settled(this.#exchange.handle(exchangeCommandOf(command), now));
  }

  expire(now: Micros): readonly Outcome[] {
    return this.#settled(this.#exchange.handle({ kind: 'expire' }, now));
  }

  nextExpiry(): Micros | undefined {
    return this.#exchange.nextExpiry();
  }

  balances(): Balance[] {
    return this.#exchange.balances(account);
  }

  activeOrders(): VenueOrder[] {
    return this.#exchange.activeOrders(account);
  }

  #deposit({ currency, available, reserved }: Balance): void {
    const change = (available + reserved) as Balance['available'];
    const outcomes = this.#exchange.handle({ kind: 'adjustBalance', account, currency, change }, this.#now);
    assert(
      outcomes[0]?.kind !== 'refused',
      `the simulated account cannot start with less than no ${currency}`,
    );
  }

  #trades(event: TradesPrinted): void {
    const { instrument } = event;
    const shadow = this.#shadow(instrument);
    shadow.executed(event);
    for (const trade of event.trades) {
      shadow.trade(trade);
      const outcomes = this.#exchange.anonymous.print(instrument, trade.price, this.#now);
      if (outcomes.length > 0) this.#happened(this.#settled(outcomes), this.#now);
    }
  }

  #shadow(instrument: InstrumentId): Shadow {
    const known = this.#shadows[instrument];
    if (known !== undefined) return known;
    const book = this.#exchange.anonymous.book(instrument);
    const shadow = new Shadow(instrument, book, this.#models?.[instrument], (id, handle, lots) =>
      this.#takeOurs(id, handle, lots),
    );
    this.#shadows[instrument] = shadow;
    return shadow;
  }

  #takeOurs(instrument: InstrumentId, handle: number, lots: Lots): void {
    const outcomes = this.#exchange.anonymous.takeFrom(instrument, handle, lots, this.#now);
    if (outcomes.length > 0) this.#happened(this.#settled(outcomes), this.#now);
  }

  /** Follow-up of changed orders: what we took of the recorded market. */
  #settled(outcomes: readonly Outcome[]): readonly Outcome[] {
    for (const outcome of outcomes) {
      if (outcome.kind !== 'report') continue;
      const { order, fill } = outcome;
      const shadow = this.#shadow(order.instrument);
      if (fill?.taker === true) shadow.took(order.side, fill.price, fill.quantity);
      shadow.forget();
    }
    return outcomes;
  }
}

export const openShadowEngine: OpenEngine = (setup) => new ShadowEngine(setup);
