import type { CandlePeriod } from '../../core/model/market.ts';
import {
  encodeBook,
  encodeTicker,
  encodeV2Candles,
  encodeV2Trades,
} from '../../venues/hitbtc/wire/resources/index.ts';
import { rpcNotificationText } from '../../venues/hitbtc/wire/index.ts';
import type { Instrument } from '../../core/model/instrument.ts';
import type { BookChange, Core } from '../base/index.ts';
import type { FeedFormat, FrameKind, Keyed } from '../sockets/index.ts';

/** Feeds of the v2 market data socket. */
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
          snapshot: ({ instrument, book }) => bookText(book.published(0), instrument),
          update: ({ instrument }, change) => bookText(change, instrument),
        };
      case 'trades':
        return {
          ...head('v2 trades', 'snapshotTrades', 'updateTrades'),
          kind: 'trades',
          trades: ({ instrument }, trades) => JSON.stringify(encodeV2Trades(trades, instrument)),
        };
      case 'candles':
        return {
          ...head(`v2 candles ${period}`, 'snapshotCandles', 'updateCandles'),
          kind: 'candles',
          period,
          candles: ({ instrument }, candles) => JSON.stringify(encodeV2Candles(period, candles, instrument)),
        };
    }
  }
}

function bookText(book: BookChange, instrument: Instrument): string {
  return JSON.stringify(encodeBook('v2', book, instrument));
}

function head(name: string, first: string, later: string): Pick<FeedFormat, 'name' | 'target' | 'message'> {
  return {
    name,
    target: undefined,
    message: (kind: FrameKind, payloads: readonly Keyed[]) =>
      rpcNotificationText(kind === 'update' ? later : first, payloads[0]?.text ?? '{}'),
  };
}
