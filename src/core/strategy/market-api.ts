import type { Observable } from 'rxjs';
import type { z } from 'zod';
import { BadInput } from '../base/errors.ts';
import type { Streams } from '../bus/index.ts';
import type { ContractInfo } from '../model/event.ts';
import type { InstrumentId } from '../model/instrument.ts';
import { barFault, barNameOf } from '../model/bar-spec.ts';
import type { BarSpec, BookView, Candle, MarketTrade, Ticker } from '../model/market.ts';
import type { SeriesRow } from '../model/event.ts';
import type { StateView } from '../state/index.ts';
import type { Market } from './context.ts';
import type { DeclaredFeeds } from './feed-request.ts';
import { copyOfRow } from './market-dispatch.ts';
import type { SeriesRequest } from './series-request.ts';

/**
 * The market as one strategy sees it: declared feeds only, so that a strategy sees the same in the trader's
 * thread, where the state holds more, and in a worker, where it does not.
 */
export class MarketApi implements Market {
  readonly #state: StateView;
  readonly #feeds: DeclaredFeeds;
  readonly #streams: Streams;

  constructor(state: StateView, feeds: DeclaredFeeds, streams: Streams) {
    this.#state = state;
    this.#feeds = feeds;
    this.#streams = streams;
  }

  book(symbol: string): BookView {
    return this.#state.book(this.#declared(symbol, 'book', this.#feeds.books));
  }

  ticker(symbol: string): Ticker | undefined {
    const ticker = this.#state.ticker(this.#declared(symbol, 'ticker', this.#feeds.tickers));
    return ticker && { ...ticker };
  }

  contract(symbol: string): ContractInfo | undefined {
    const info = this.#state.contract(this.#declared(symbol, 'contract', this.#feeds.contracts));
    return info && { ...info };
  }

  series<Columns extends z.ZodObject>(
    which: string | SeriesRequest<Columns>,
  ): SeriesRow<z.output<Columns>> | undefined {
    const row = this.#state.series.of(this.#declaredSeries(which))?.row;
    // Cells are read as the declared columns say.
    return row && (copyOfRow(row) as SeriesRow<z.output<Columns>>);
  }

  series$<Columns extends z.ZodObject>(
    which: string | SeriesRequest<Columns>,
  ): Observable<SeriesRow<z.output<Columns>>> {
    return this.#streams.series$(this.#declaredSeries(which)) as Observable<SeriesRow<z.output<Columns>>>;
  }

  trades(symbol: string): readonly MarketTrade[] {
    return this.#state
      .trades(this.#declared(symbol, 'trades', this.#feeds.trades))
      .map((trade) => ({ ...trade }));
  }

  lastTrade(symbol: string): MarketTrade | undefined {
    const trade = this.#state.lastTrade(this.#declared(symbol, 'trades', this.#feeds.trades));
    return trade && { ...trade };
  }

  candles(symbol: string, period: BarSpec): readonly Candle[] {
    return this.#state
      .candles(this.#declaredCandles(symbol, period), barNameOf(period))
      .map((candle) => ({ ...candle, period }));
  }

  books$(symbol: string): Observable<BookView> {
    return this.#streams.books$(this.#declared(symbol, 'book', this.#feeds.books));
  }

  trades$(symbol: string): Observable<MarketTrade> {
    return this.#streams.trades$(this.#declared(symbol, 'trades', this.#feeds.trades));
  }

  tickers$(symbol: string): Observable<Ticker> {
    return this.#streams.tickers$(this.#declared(symbol, 'ticker', this.#feeds.tickers));
  }

  candles$(symbol: string, period: BarSpec): Observable<Candle> {
    const id = this.#declaredCandles(symbol, period);
    return this.#streams.candles$(id, this.#feeds.declaredName(id, barNameOf(period)));
  }

  #declared(symbol: string, what: string, flags: Uint8Array): InstrumentId {
    const { id } = this.#state.instruments.get(symbol);
    if (flags[id] !== 1) {
      throw new BadInput(`feeds() must declare { symbol: '${symbol}', ${what}: true } to use it`);
    }
    return id;
  }

  #declaredSeries(which: string | SeriesRequest): string {
    const name = typeof which === 'string' ? which : which.series;
    if (!this.#feeds.series.has(name))
      throw new BadInput(`feeds() must declare { series: '${name}' } to use it`);
    return name;
  }

  #declaredCandles(symbol: string, period: BarSpec): InstrumentId {
    const { id } = this.#state.instruments.get(symbol);
    if (barFault(period) !== undefined || this.#feeds.candles[id]?.includes(barNameOf(period)) !== true) {
      throw new BadInput(`feeds() must declare { symbol: '${symbol}', candles: ['${period}'] } to use them`);
    }
    return id;
  }
}
