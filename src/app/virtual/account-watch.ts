import type { Instrument, InstrumentId } from '../../core/model/instrument.ts';
import type { Side, VenueOrder } from '../../core/model/order.ts';
import type { ReportOutcome } from '../../exchange/matching/index.ts';
import type { VirtualExchange } from './exchange.ts';

/** Figures of an account in one symbol, as the exchange has it: lots. */
interface Market {
  readonly instrument: Instrument;
  position: number;
  /** Part of the position that is on spot. */
  onSpot: number;
  /** Part of the position that orders brought that the exchange left alive against a replacement. */
  kept: number;
  readonly live: Map<string, { readonly side: Side; readonly left: number }>;
  positionMost: number;
  exposureMost: number;
}

/** Largest exposure of an account in one symbol. */
export interface WorstExposure {
  readonly symbol: string;
  /** Quantity that was held, or would have been had all live orders of a side executed. */
  readonly quantity: string;
  /** The same at the price of its last order, in the quote currency. */
  readonly value: string;
  readonly currency: string;
}

/** Follows an account at the exchange itself, whatever its daemon believes: positions, live orders and the worst that both came to. */
export class AccountWatch {
  readonly #exchange: VirtualExchange;
  readonly #markets = new Map<InstrumentId, Market>();
  readonly #replaced = new Set<string>();
  readonly #prices = new Map<InstrumentId, number>();
  #accepted = 0;
  #fills = 0;

  constructor(exchange: VirtualExchange) {
    this.#exchange = exchange;
    const { accounts } = exchange;
    exchange.world.core.listen({
      onReport: (report) => {
        if (accounts.includes(report.account)) this.#takeReport(report);
      },
      onBalance() {},
      onSettled() {},
    });
  }

  /** Orders that the exchange took. */
  get accepted(): number {
    return this.#accepted;
  }

  get fills(): number {
    return this.#fills;
  }

  /** Lots that trades on spot came to in a symbol. */
  positionOf(instrument: InstrumentId): number {
    return this.#markets.get(instrument)?.onSpot ?? 0;
  }

  /** Lots that were held at most in a symbol, those of orders left out that the exchange left alive against a replacement. */
  positionMost(instrument: InstrumentId): number {
    return this.#markets.get(instrument)?.positionMost ?? 0;
  }

  /** The largest exposure by its value, in the symbol where that is largest. */
  worst(): WorstExposure | undefined {
    let worst: { readonly market: Market; readonly value: number } | undefined;
    for (const market of this.#markets.values()) {
      const price = Number(
        market.instrument.priceText((this.#prices.get(market.instrument.id) ?? 0) as never),
      );
      const value = price * Number(market.instrument.quantityText(market.exposureMost as never));
      if (worst === undefined || value > worst.value) worst = { market, value };
    }
    if (worst === undefined || worst.market.exposureMost === 0) return undefined;
    const { instrument, exposureMost } = worst.market;
    return {
      symbol: instrument.symbol,
      quantity: instrument.quantityText(exposureMost as never),
      value: String(Number(worst.value.toPrecision(6))),
      currency: instrument.spec.quoteCurrency,
    };
  }

  #takeReport({ account, reportType, order, fill }: ReportOutcome): void {
    const market = this.#marketOf(order);
    if (reportType === 'new' || reportType === 'replaced') this.#accepted += 1;
    if (reportType === 'replaced' && order.originalClientOrderId !== undefined) {
      this.#replaced.add(order.originalClientOrderId);
      if (
        this.#exchange.world.core.exchange.order(this.#exchange.account, order.originalClientOrderId) ===
        undefined
      )
        market.live.delete(order.originalClientOrderId);
    }
    if (fill !== undefined) {
      this.#fills += 1;
      const lots = order.side === 'buy' ? fill.quantity : -fill.quantity;
      market.position += lots;
      if (account === this.#exchange.account) market.onSpot += lots;
      if (this.#replaced.has(order.clientOrderId)) market.kept += lots;
      this.#prices.set(order.instrument, fill.price);
    } else if (order.price !== undefined) this.#prices.set(order.instrument, order.price);
    const { clientOrderId, side, state, quantity, cumulative } = order;
    if (state === 'new' || state === 'partiallyFilled')
      market.live.set(clientOrderId, { side, left: quantity - cumulative });
    else market.live.delete(clientOrderId);
    const ofSide = (which: Side): number =>
      market.live.values().reduce((sum, one) => sum + (one.side === which ? one.left : 0), 0);
    const { position, kept } = market;
    market.positionMost = Math.max(market.positionMost, Math.abs(position - kept));
    market.exposureMost = Math.max(
      market.exposureMost,
      Math.abs(position + ofSide('buy')),
      Math.abs(position - ofSide('sell')),
    );
  }

  #marketOf({ instrument: id }: VenueOrder): Market {
    const known = this.#markets.get(id);
    if (known !== undefined) return known;
    const instrument = this.#exchange.world.core.instruments.at(id);
    const market: Market = {
      instrument,
      position: 0,
      onSpot: 0,
      kept: 0,
      live: new Map(),
      positionMost: 0,
      exposureMost: 0,
    };
    this.#markets.set(id, market);
    return market;
  }
}
