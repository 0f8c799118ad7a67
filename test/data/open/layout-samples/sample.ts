import { formatAmount } from '../../../../src/core/base/amount.ts';
import { timeText } from '../../../../src/core/base/clock.ts';
import type { OpenOptions } from '../../../../src/data/formats/format.ts';
import type { NamedSeries } from '../../../../src/data/open/market-data.ts';
import type { Recording } from '../../../../src/data/recording/contract.ts';

/** A file of made-up numbers in one layout, and what it holds. */
export interface LayoutSample {
  /** The whole content; a text, or bytes. */
  readonly content: string | Uint8Array;
  /** Symbols with their currencies, such as `BTCUSDT BTC/USDT`. */
  readonly symbol: string;
  /**
   * What the first event says: of a candle `M5 2024-01-02T00:00:00.000Z open high low close volume`, of a trade
   * `2024-01-02T00:00:00.000Z side price x quantity`, of a ticker, of others their kind.
   */
  readonly first: string;
  /** How many candles, trades or other events there are. */
  readonly count: number;
  /** What the flags say that the layout needs; without them the file is refused in a sentence that names them. */
  readonly options?: OpenOptions;
  /** Packs the content as the layout has it. */
  readonly pack?: (content: string | Uint8Array) => Uint8Array;
}

/** The content of a recording, as samples say it. */
export async function saidBy(
  recording: Recording,
): Promise<Pick<LayoutSample, 'symbol' | 'first' | 'count'>> {
  const said: string[] = [];
  for await (const batch of recording.events()) {
    for (const event of batch) {
      if (event.kind === 'candles')
        for (const { period, time, open, max, min, close, volume } of event.candles) {
          const numbers = [open, max, min, close, volume].map(formatAmount);
          said.push([period, timeText(time), ...numbers].join(' '));
        }
      else if (event.kind === 'trades') {
        const instrument = recording.instruments.at(event.instrument);
        for (const { time, side, price, quantity } of event.trades)
          said.push(
            `${timeText(time)} ${side} ${instrument.priceText(price)} x ${instrument.quantityText(quantity)}`,
          );
      } else said.push(event.kind);
    }
  }
  const symbols = recording.instruments.all.map(
    ({ symbol, spec }) => `${symbol} ${spec.baseCurrency}/${spec.quoteCurrency}`,
  );
  return { symbol: symbols.join(', '), first: said[0] ?? '', count: said.length };
}

/** The content of a series, as samples say it. */
export async function saidBySeries(
  { series }: NamedSeries,
  path: string,
): Promise<Pick<LayoutSample, 'symbol' | 'first' | 'count'>> {
  const said: string[] = [];
  const symbols = new Set<string>();
  for await (const rows of series.read(path, {}))
    for (const { time, symbol, values } of rows) {
      symbols.add(symbol);
      said.push([timeText(time), ...values].join(' '));
    }
  return { symbol: [...symbols].join(', '), first: said[0] ?? '', count: said.length };
}
