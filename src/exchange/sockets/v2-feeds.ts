import type { CandlePeriod } from '../../core/model/market.ts';
import {
  encodeV2Book,
  encodeV2Candles,
  encodeV2Notification,
  encodeV2Trades,
} from '../../venues/hitbtc/wire/v2/public-notices.ts';
import type { Core } from '../core.ts';
import type { FeedFormat, FrameKind, Keyed } from './feed-format.ts';
import { encodeTicker } from '../../venues/hitbtc/wire/resources/market.ts';

/** What the v2 market data socket can be subscribed to. */
export type V2FeedName = 'ticker' | 'orderbook' | 'trades' | 'candles';

/** Makes the feeds of the v2 market data socket: one symbol per message. Source: v2-gaps, section 5. */
export class V2Feeds {
  readonly #core: Core;

  constructor(core: Core) {
    this.#core = core;
  }

  /** The feed of one kind; `period` is for candles. Tickers come on change, at the cadence of the book. */
  format(name: V2FeedName, period: CandlePeriod = 'M30'): FeedFormat {
    switch (name) {
      case 'ticker':
        return {
          ...head('v2 ticker', 'ticker', 'ticker'),
          kind: 'data',
          everyMs: 0,
          batch: false,
          current: (key) => {
            const instrument = this.#core.instruments.find(key);
            if (instrument === undefined) return undefined;
            const seen = this.#core.market(instrument.id).ticker(this.#core.now());
            const text = JSON.stringify(encodeTicker('v2', seen, instrument));
            return { mark: text, text };
          },
        };
      case 'orderbook':
        return {
          ...head('v2 orderbook', 'snapshotOrderbook', 'updateOrderbook'),
          kind: 'book',
          snapshot: ({ instrument, book }) =>
            encodeV2Book(instrument, {
              time: book.publishedTime,
              sequence: book.sequence,
              asks: book.publishedLevels('sell', 0),
              bids: book.publishedLevels('buy', 0),
            }),
          update: ({ instrument }, change) => encodeV2Book(instrument, change),
        };
      case 'trades':
        return {
          ...head('v2 trades', 'snapshotTrades', 'updateTrades'),
          kind: 'trades',
          trades: ({ instrument }, trades) => encodeV2Trades(instrument, trades),
        };
      case 'candles':
        return {
          ...head(`v2 candles ${period}`, 'snapshotCandles', 'updateCandles'),
          kind: 'candles',
          period,
          candles: ({ instrument }, candles) => encodeV2Candles(instrument, period, candles),
        };
    }
  }
}

function head(name: string, first: string, later: string): Pick<FeedFormat, 'name' | 'target' | 'message'> {
  return {
    name,
    target: undefined,
    message: (kind: FrameKind, payloads: readonly Keyed[]) =>
      encodeV2Notification(kind === 'update' ? later : first, payloads[0]?.text ?? '{}'),
  };
}
