import { amountToNumber, parseAmount, zero } from '../../src/core/base/amount.ts';
import type { Micros } from '../../src/core/base/clock.ts';
import { VirtualClock } from '../../src/core/base/virtual-clock.ts';
import type { Event } from '../../src/core/model/event.ts';
import { Instruments } from '../../src/core/model/instrument.ts';
import type { InstrumentId, Lots, Ticks } from '../../src/core/model/instrument.ts';
import type { CandlePeriod } from '../../src/core/model/market.ts';
import type { ClientOrderId } from '../../src/core/model/order.ts';
import { defaultTimeInForce } from '../../src/core/model/order.ts';
import { barRulesOf } from '../../src/research/scenario/bar-fills.ts';
import { readBarFills } from '../support/bar-fills.ts';
import type { BarFillsInput } from '../support/bar-fills.ts';
import { BarVenue } from '../../src/sim/fill-models/bars/venue.ts';

type Margin = Extract<NonNullable<BarFillsInput['account']>, { kind: 'margin' }>;

/** 2020-09-13T00:00:00Z. */
export const midnight = 1_599_955_200_000_000;

interface Asked {
  readonly side: 'buy' | 'sell';
  readonly quantity: number;
  readonly price?: number;
  readonly stop?: number;
  readonly instrument?: number;
}

interface Setup {
  readonly fills?: Omit<BarFillsInput, 'model' | 'account'>;
  readonly period?: CandlePeriod;
  readonly money?: string;
  /** What a unit of quantity stands for. */
  readonly contract?: string;
}

/** A margin account of 1000 USD at ten times leverage, on two instruments (tick 0.1, lot 1); orders meet the last close. */
export class MarginWorld {
  readonly noted: Event[] = [];
  readonly funded: number[] = [];
  readonly clock = new VirtualClock(midnight as Micros);
  readonly venue: BarVenue;
  readonly #period: CandlePeriod;
  #orders = 0;

  constructor(
    account: Omit<Margin, 'kind'>,
    { fills = {}, period = 'M1', money = '1000', contract = '1' }: Setup = {},
  ) {
    this.#period = period;
    const specOf = (symbol: string) => ({
      symbol,
      type: 'spot' as const,
      baseCurrency: symbol,
      quoteCurrency: 'USD',
      feeCurrency: 'USD',
      tickSize: '0.1',
      quantityIncrement: '1',
      contractSize: contract,
      takeRate: '0',
      makeRate: '0',
      status: 'working' as const,
      marginTrading: false,
    });
    this.venue = new BarVenue({
      clock: this.clock,
      instruments: new Instruments([specOf('ABC'), specOf('XYZ')]),
      rules: barRulesOf(
        readBarFills({ market: 'close', ...fills, account: { kind: 'margin', leverage: '10', ...account } }),
      ),
      balances: [{ currency: 'USD', available: parseAmount(money), reserved: zero }],
      funded: (_, amount) => this.funded.push(amountToNumber(amount)),
    });
    this.venue.events.subscribe((event) => this.noted.push(event));
    this.clock.drain(this.clock.now());
  }

  /** A bar that begins so many minutes after midnight: open, high, low, close. */
  bar(at: number, prices: readonly [number, number, number, number], instrument = 0): void {
    const time = (midnight + at * 60_000_000) as Micros;
    const [open, max, min, close] = prices.map((price) => parseAmount(price.toFixed(1)));
    if (open === undefined || max === undefined || min === undefined || close === undefined) return;
    const id = instrument as InstrumentId;
    const rest = { volume: zero, volumeQuote: zero };
    const candle = { instrument: id, period: this.#period, time, open, max, min, close, ...rest };
    this.venue.accept({
      kind: 'candles',
      instrument: id,
      snapshot: false,
      candles: [candle],
      exchangeTime: time,
      receiveTime: time,
    });
  }

  /** A bar, walked to its end. */
  whole(at: number, prices: readonly [number, number, number, number]): void {
    this.bar(at, prices);
    this.venue.finish();
  }

  /** A trade so many minutes after midnight. */
  trade(at: number, price: number): void {
    const time = (midnight + at * 60_000_000) as Micros;
    const trade = { id: at, price: ticks(price), quantity: 1 as Lots, side: 'buy' as const, time };
    this.venue.accept({
      kind: 'trades',
      instrument: 0 as InstrumentId,
      snapshot: false,
      trades: [trade as never],
      exchangeTime: time,
      receiveTime: time,
    });
  }

  order({ side, quantity, price, stop, instrument = 0 }: Asked): string {
    this.#orders += 1;
    const type = stop !== undefined ? 'stopMarket' : price === undefined ? 'market' : 'limit';
    const clientOrderId = `order-${String(this.#orders).padStart(4, '0')}` as ClientOrderId;
    const request = {
      clientOrderId,
      instrument: instrument as InstrumentId,
      side,
      type,
      timeInForce: type === 'stopMarket' ? 'GTC' : defaultTimeInForce(type),
      quantity: quantity as Lots,
      price: price === undefined ? undefined : ticks(price),
      stopPrice: stop === undefined ? undefined : ticks(stop),
      expireTime: undefined,
      postOnly: false,
    } as const;
    this.venue.send({ kind: 'newOrder', commandId: this.#orders, strategy: 'test', request });
    this.clock.drain(this.clock.now());
    return clientOrderId;
  }

  /** `side quantity at price` of every execution, in order; those that the venue made are marked. */
  get fills(): readonly string[] {
    return this.noted.flatMap((event) => {
      if (event.kind !== 'orderReport' || event.fill === undefined) return [];
      const { side, clientOrderId, instrument } = event.order;
      const mark = clientOrderId.startsWith('liquidation-') ? '!' : '';
      const of = instrument === 0 ? '' : ' XYZ';
      return `${mark}${side} ${event.fill.quantity}${of} at ${(event.fill.price / 10).toFixed(1)}`;
    });
  }

  /** What became of an order, in order. */
  reports(id: string): readonly string[] {
    return this.noted.flatMap((event) =>
      event.kind === 'orderReport' && event.order.clientOrderId === id ? event.reportType : [],
    );
  }

  get total(): number {
    return amountToNumber(this.venue.account.figures('USD').total);
  }

  /** The buying power reported last, in quote currency. */
  get notedPower(): number {
    const received = this.noted.flatMap((event) => (event.kind === 'balances' ? event.balances : []));
    const power = received.findLast(({ currency }) => currency === 'USD')?.buyingPower ?? zero;
    return power === 'unlimited' ? Number.POSITIVE_INFINITY : amountToNumber(power);
  }

  /** Minutes after midnight at which executions happened. */
  get filledAt(): readonly number[] {
    return this.noted.flatMap((event) =>
      event.kind === 'orderReport' && event.fill !== undefined
        ? (event.fill.time - midnight) / 60_000_000
        : [],
    );
  }
}

function ticks(price: number): Ticks {
  return Math.round(price * 10) as Ticks;
}
