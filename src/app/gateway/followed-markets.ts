import type { Clock, Micros } from '../../core/base/clock.ts';
import type { BookStale, MarketData } from '../../core/model/event.ts';
import type { Instrument, InstrumentId, Instruments, Lots } from '../../core/model/instrument.ts';
import type { Level, MarketTrade } from '../../core/model/market.ts';
import type { Side } from '../../core/model/order.ts';
import type { StateView } from '../../core/state/index.ts';
import type { Markets } from '../../exchange/base/index.ts';
import { MarketState } from '../../exchange/base/index.ts';

/** Trades that are kept of each symbol; what else a market may keep is not served from here. */
const history = { publicTradesMax: 1_000, candlesMax: 1, ordersMax: 1, tradesMax: 1 };

/**
 * Books and trades of the symbols that a run follows, as feeds and reads of programs see them. A market is kept from when it is first
 * asked for: it begins with what the state has, and takes each event after the state has it.
 */
export class FollowedMarkets implements Markets {
  readonly instruments: Instruments;
  readonly markets: readonly MarketState[];
  readonly #kept: MarketState[] = [];
  readonly #byId = new Map<InstrumentId, MarketState>();
  readonly #view: StateView;
  readonly #clock: Clock;

  constructor(view: StateView, clock: Clock) {
    this.instruments = view.instruments;
    this.markets = this.#kept;
    this.#view = view;
    this.#clock = clock;
  }

  now(): Micros {
    return this.#clock.now();
  }

  /** Whether the book of an instrument may be traded on, so that it may be shown. */
  isLive({ id }: Instrument): boolean {
    return this.#view.book(id).status === 'live';
  }

  market(id: InstrumentId): MarketState {
    let market = this.#byId.get(id);
    if (market === undefined) {
      market = new MarketState(this.instruments.at(id), history, this.#view.book(id).exchangeTime);
      this.#byId.set(id, market);
      this.#kept.push(market);
      this.#takeBook(market);
      takeTrades(market, this.#view.trades(id));
      market.book.publish();
    }
    return market;
  }

  /** Takes an event of the market that the state has. */
  take(event: MarketData | BookStale): void {
    const market = 'instrument' in event ? this.#byId.get(event.instrument) : undefined;
    if (market === undefined) return;
    switch (event.kind) {
      case 'bookSnapshot':
        this.#takeBook(market);
        return;
      case 'bookUpdate':
        market.observe(event);
        return;
      case 'trades':
        takeTrades(market, event.trades);
        return;
      default:
    }
  }

  /** Makes the levels those of the book of the state. */
  #takeBook(market: MarketState): void {
    const book = this.#view.book(market.instrument.id);
    const { exchangeTime: time } = book;
    for (const side of ['buy', 'sell'] as const) {
      const levels = book.levels(side, book.depth(side));
      for (const { price } of gone(market, side, levels))
        market.onLevel({ side, price, quantity: 0 as Lots }, time);
      for (const { price, quantity } of levels) market.onLevel({ side, price, quantity }, time);
    }
  }
}

function gone(market: MarketState, side: Side, levels: readonly Level[]): readonly Level[] {
  const stay = new Set(levels.map(({ price }) => price));
  return market.book.liveLevels(side, 0).filter(({ price }) => !stay.has(price));
}

/** Takes trades that are newer than those known: a history that follows a reconnect repeats some. A venue without numbers has none here. */
function takeTrades(market: MarketState, trades: readonly MarketTrade[]): void {
  for (const trade of trades) {
    const tradeId = Number(trade.tradeId);
    if (Number.isSafeInteger(tradeId) && tradeId > market.lastTradeNumber)
      market.onTrade({ ...trade, tradeId });
  }
}
