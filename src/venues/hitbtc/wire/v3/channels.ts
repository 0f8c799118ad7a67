import type { CandlePeriod } from '../../../../core/model/market.ts';
import { candlePeriods } from '../../../../core/model/market.ts';

/** A channel of the v3 public socket, taken apart. Source: v3-gaps, section 1.3. */
export type V3Channel =
  | { readonly kind: 'trades'; readonly name: string }
  | { readonly kind: 'candles' | 'convertedCandles'; readonly name: string; readonly period: CandlePeriod }
  | {
      readonly kind: 'ticker' | 'priceTicker' | 'priceRate';
      readonly name: string;
      readonly speedMs: number;
      readonly batch: boolean;
    }
  | { readonly kind: 'book'; readonly name: string }
  | {
      readonly kind: 'partialBook';
      readonly name: string;
      readonly depth: number;
      readonly speedMs: number;
      readonly batch: boolean;
    }
  | { readonly kind: 'top'; readonly name: string; readonly speedMs: number; readonly batch: boolean }
  | { readonly kind: 'futuresInfo'; readonly name: string };

const tickerSpeeds = { '1s': 1000, '3s': 3000 } as const;
const bookSpeeds = { '100ms': 100, '500ms': 500, '1000ms': 1000 } as const;
const depths = { D5: 5, D10: 10, D20: 20 } as const;

/** Every channel there is, by name. */
export const channels: ReadonlyMap<string, V3Channel> = new Map(
  allChannels().map((channel) => [channel.name, channel]),
);

/** The channel of that name, or `undefined`: the service knows no other. Source: v3-gaps, sections 1.3 and 1.6. */
export function findV3Channel(name: string): V3Channel | undefined {
  return channels.get(name);
}

/** Kinds of frames that a channel sends: history, then changes; or whole values each time. */
export function v3FrameKinds(channel: V3Channel): readonly ('snapshot' | 'update' | 'data')[] {
  switch (channel.kind) {
    case 'trades':
    case 'candles':
    case 'convertedCandles':
    case 'book':
      return ['snapshot', 'update'];
    default:
      return ['data'];
  }
}

function allChannels(): V3Channel[] {
  const list: V3Channel[] = [
    { kind: 'trades', name: 'trades' },
    { kind: 'book', name: 'orderbook/full' },
    { kind: 'futuresInfo', name: 'futures/info' },
  ];
  for (const period of candlePeriods) {
    list.push({ kind: 'candles', name: `candles/${period}`, period });
    list.push({ kind: 'convertedCandles', name: `converted/candles/${period}`, period });
  }
  for (const [speed, speedMs] of Object.entries(tickerSpeeds)) {
    for (const [kind, prefix] of [
      ['ticker', 'ticker'],
      ['priceTicker', 'ticker/price'],
      ['priceRate', 'price/rate'],
    ] as const) {
      list.push({ kind, name: `${prefix}/${speed}`, speedMs, batch: false });
      list.push({ kind, name: `${prefix}/${speed}/batch`, speedMs, batch: true });
    }
    // One SDK spells it so; the others do not (v3-gaps, section 1.3).
    list.push({ kind: 'priceRate', name: `price/rate/${speed}/batches`, speedMs, batch: true });
  }
  for (const [speed, speedMs] of Object.entries(bookSpeeds)) {
    list.push({ kind: 'top', name: `orderbook/top/${speed}`, speedMs, batch: false });
    list.push({ kind: 'top', name: `orderbook/top/${speed}/batch`, speedMs, batch: true });
    for (const [code, depth] of Object.entries(depths)) {
      const name = `orderbook/${code}/${speed}`;
      list.push({ kind: 'partialBook', name, depth, speedMs, batch: false });
      list.push({ kind: 'partialBook', name: `${name}/batch`, depth, speedMs, batch: true });
    }
  }
  return list;
}
