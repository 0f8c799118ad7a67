import { fail } from '../../core/base/assert.ts';
import type { Instrument } from '../../core/model/instrument.ts';
import {
  encodeV3Book,
  encodeV3Candles,
  encodeV3ConvertedCandles,
  encodeV3Notification,
  encodeV3PriceTicker,
  encodeV3Rate,
  encodeV3Ticker,
  encodeV3Top,
  encodeV3Trades,
} from '../../venues/hitbtc/wire/v3/public-notices.ts';
import type { V3Channel } from '../../venues/hitbtc/wire/v3/channels.ts';
import { futuresNotice } from '../../venues/hitbtc/wire/resources/futures.ts';
import type { PublishedBook } from '../market/published-book.ts';
import { convertedCandle } from '../market/candles.ts';
import type { Core } from '../core.ts';
import type { Current, DataFormat, FeedFormat, FrameKind, Keyed } from './feed-format.ts';
import type { FuturesMarket } from '../futures/market.ts';
import type { MarketState } from '../market/market.ts';
import type { Rates } from '../market/rates.ts';
import type { World } from '../world.ts';

/** Source: v3-gaps, section 1.4. */
const futuresInfoMs = 3_000;

/** Makes the feeds of the v3 public socket. Source: v3-gaps, section 1.3. */
export class V3Feeds {
  readonly #core: Core;
  readonly #rates: Rates;
  readonly #futures: FuturesMarket;

  constructor({ core, rates, futures }: Pick<World, 'core' | 'rates' | 'futures'>) {
    this.#core = core;
    this.#rates = rates;
    this.#futures = futures;
  }

  /** The message format of a channel; `target` for the channels that convert. */
  format(channel: V3Channel, target: string | undefined): FeedFormat {
    const head = {
      name: channel.name,
      target,
      message: (kind: FrameKind, payloads: readonly Keyed[]) =>
        encodeV3Notification(channel.name, kind, payloads, target),
    };
    switch (channel.kind) {
      case 'trades':
        return {
          ...head,
          kind: 'trades',
          trades: (market, trades) => encodeV3Trades(market.instrument, trades),
        };
      case 'candles':
        return {
          ...head,
          kind: 'candles',
          period: channel.period,
          candles: (market, candles) => encodeV3Candles(market.instrument, candles),
        };
      case 'convertedCandles':
        return {
          ...head,
          kind: 'candles',
          period: channel.period,
          candles: (market, candles) => {
            const rate = this.#rates.rate(market.instrument.spec.quoteCurrency, target ?? '');
            return rate === undefined
              ? '[]'
              : encodeV3ConvertedCandles(candles.map((candle) => convertedCandle(candle, rate)));
          },
        };
      case 'book':
        return {
          ...head,
          kind: 'book',
          snapshot: ({ instrument, book }) => encodeV3Book(instrument, published(book, 0)),
          update: ({ instrument }, change) => encodeV3Book(instrument, change),
        };
      case 'futuresInfo':
        return {
          ...head,
          kind: 'data',
          everyMs: futuresInfoMs,
          batch: false,
          current: (symbol) => this.#futuresState(symbol),
        };
      default:
        return { ...head, ...this.#data(channel, target) };
    }
  }

  #data(
    channel: V3Channel,
    target: string | undefined,
  ): Pick<DataFormat, 'kind' | 'everyMs' | 'batch' | 'current'> {
    if (!('speedMs' in channel)) return fail('a channel without a cadence', { channel: channel.name });
    const head = { kind: 'data' as const, everyMs: channel.speedMs, batch: channel.batch };
    const ofMarket = (read: (market: MarketState) => Current | undefined) => (key: string) => {
      const instrument = this.#core.instruments.find(key);
      return instrument === undefined ? undefined : read(this.#core.market(instrument.id));
    };
    switch (channel.kind) {
      case 'ticker':
        return { ...head, current: ofMarket((market) => this.#ticker(market)) };
      case 'priceTicker':
        return { ...head, current: ofMarket((market) => this.#priceTicker(market)) };
      case 'priceRate':
        return { ...head, current: (currency) => this.#rate(currency, target ?? '') };
      case 'partialBook':
        return {
          ...head,
          current: ofMarket(({ instrument, book }) => partial(instrument, book, channel.depth)),
        };
      case 'top':
        return { ...head, current: ofMarket(({ instrument, book }) => top(instrument, book)) };
    }
  }

  /** Sent after every look at the contract, whether a value has changed or not. */
  #futuresState(symbol: string): Current | undefined {
    const contract = this.#futures.find(symbol);
    if (contract?.state === undefined) return undefined;
    return {
      mark: String(contract.state.time),
      text: JSON.stringify(futuresNotice.v3.write(contract.state, contract.instrument)),
    };
  }

  #ticker(market: MarketState): Current {
    const ticker = market.ticker(this.#core.now());
    const last = market.lastTradeNumber;
    return afterMembers(encodeV3Ticker(market.instrument, ticker, last === 0 ? undefined : last), 1);
  }

  #priceTicker(market: MarketState): Current {
    return afterMembers(encodeV3PriceTicker(market.instrument, market.ticker(this.#core.now())), 1);
  }

  #rate(currency: string, target: string): Current | undefined {
    const rate = this.#rates.rate(currency, target);
    if (rate === undefined) return undefined;
    return afterMembers(encodeV3Rate(this.#rates.changedAt(currency, target), rate), 1);
  }
}

/** A text whose first `count` members (its stamps) do not make it a different value. */
function afterMembers(text: string, count: number): Current {
  let at = 0;
  for (let i = 0; i < count && at >= 0; i++) at = text.indexOf(',', at + 1);
  return { mark: at < 0 ? '-' : text.slice(at), text };
}

function published(book: PublishedBook, depth: number): Parameters<typeof encodeV3Book>[1] {
  return {
    time: book.publishedTime,
    sequence: book.sequence,
    asks: book.publishedLevels('sell', depth),
    bids: book.publishedLevels('buy', depth),
  };
}

function partial(instrument: Instrument, book: PublishedBook, depth: number): Current {
  return afterMembers(encodeV3Book(instrument, published(book, depth)), 2);
}

function top(instrument: Instrument, book: PublishedBook): Current {
  const [ask] = book.publishedLevels('sell', 1);
  const [bid] = book.publishedLevels('buy', 1);
  return afterMembers(encodeV3Top(instrument, book.publishedTime, ask, bid), 1);
}
