import { fail } from '../../core/base/assert.ts';
import type { Instrument } from '../../core/model/instrument.ts';
import {
  encodeBook,
  futuresState,
  convertedCandle,
  encodeCandle,
  encodePriceTicker,
  encodePublicTrade,
  encodeTicker,
  priceRate,
  topOfBook,
} from '../../venues/hitbtc/wire/resources/index.ts';
import type { FuturesState } from '../../venues/hitbtc/wire/resources/index.ts';
import { encodeV3Notification } from '../../venues/hitbtc/wire/v3/index.ts';
import type { V3Channel } from '../../venues/hitbtc/wire/v3/index.ts';
import type { BookChange, PublishedBook, Markets, MarketState } from '../base/index.ts';
import { convertCandle as converted } from '../base/index.ts';
import type { Current, DataFormat, FeedFormat, FrameKind, Keyed } from '../sockets/index.ts';
import type { Rates } from './rates.ts';

/** The contracts that are listed, by symbol. */
interface ListedContracts {
  /** Without a state until the contract was looked at. */
  find(
    symbol: string,
  ): { readonly instrument: Instrument; readonly state: FuturesState | undefined } | undefined;
}

interface V3FeedDeps {
  readonly core: Markets;
  readonly rates: Rates;
  readonly futures: ListedContracts;
}

/** Source: v3-gaps, section 1.4. */
const futuresInfoMs = 3_000;

/** Makes the feeds of the v3 public socket. Source: v3-gaps, section 1.3. */
export class V3Feeds {
  readonly #core: Markets;
  readonly #rates: Rates;
  readonly #futures: ListedContracts;

  constructor({ core, rates, futures }: V3FeedDeps) {
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
          trades: ({ instrument }, trades) =>
            JSON.stringify(trades.map((trade) => encodePublicTrade('channel', trade, instrument))),
        };
      case 'candles':
        return {
          ...head,
          kind: 'candles',
          period: channel.period,
          candles: ({ instrument }, candles) =>
            JSON.stringify(candles.map((candle) => encodeCandle('channel', candle, instrument))),
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
              : JSON.stringify(
                  candles.map((candle) => convertedCandle.channel.write(converted(candle, rate))),
                );
          },
        };
      case 'book':
        return {
          ...head,
          kind: 'book',
          snapshot: ({ instrument, book }) => bookText(book.published(0), instrument),
          update: ({ instrument }, change) => bookText(change, instrument),
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
          current: ofMarket(({ instrument, book }) =>
            afterStamp(encodeBook('channel', book.published(channel.depth), instrument), 2),
          ),
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
      text: JSON.stringify(futuresState.channel.write(contract.state, contract.instrument)),
    };
  }

  #ticker(market: MarketState): Current {
    const last = market.lastTradeNumber;
    const lastTradeId = last === 0 ? undefined : String(last);
    const seen = { ...market.ticker(this.#core.now()), lastTradeId };
    return afterStamp(encodeTicker('channel', seen, market.instrument));
  }

  #priceTicker(market: MarketState): Current {
    return afterStamp(encodePriceTicker(market.ticker(this.#core.now()), market.instrument));
  }

  #rate(currency: string, target: string): Current | undefined {
    const price = this.#rates.rate(currency, target);
    if (price === undefined) return undefined;
    return afterStamp(priceRate.channel.write({ time: this.#rates.changedAt(currency, target), price }));
  }
}

/** A payload whose first members (its stamps) do not make it a different value. */
function afterStamp(payload: object, stamps = 1): Current {
  const text = JSON.stringify(payload);
  let at = 0;
  for (let i = 0; i < stamps && at >= 0; i++) at = text.indexOf(',', at + 1);
  return { mark: at < 0 ? '-' : text.slice(at), text };
}

function bookText(book: BookChange, instrument: Instrument): string {
  return JSON.stringify(encodeBook('channel', book, instrument));
}

function top(instrument: Instrument, book: PublishedBook): Current {
  const { time, asks, bids } = book.published(1);
  const [ask] = asks;
  const [bid] = bids;
  const best = {
    time,
    ask: ask?.price ?? null,
    askQuantity: ask?.quantity ?? null,
    bid: bid?.price ?? null,
    bidQuantity: bid?.quantity ?? null,
  };
  return afterStamp(topOfBook.channel.write(best, instrument));
}
