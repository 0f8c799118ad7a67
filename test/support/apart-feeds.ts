import type { Moment, RawFile } from './source-files.ts';

/** Numbers from a seed, 0 to 1. */
function numbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return state / 2_147_483_648;
  };
}

const count = 240;
const stepMillis = 250;

/** From 0 up to `height`, down to `-height` and back, once in `period` steps. */
function wave(index: number, period: number, height: number): number {
  const at = ((index + period / 4) % period) / period;
  return Math.round((at < 0.5 ? 4 * at - 1 : 3 - 4 * at) * height);
}

function walked(seed: number, start: number, most: number): readonly number[] {
  const next = numbers(seed);
  let ticks = start;
  return Array.from({ length: count }, () => (ticks += Math.round((2 * next() - 1) * most)));
}

function moments(
  mids: readonly number[],
  { tick, decimals, from }: { readonly tick: number; readonly decimals: number; readonly from: number },
): readonly Moment[] {
  const text = (ticks: number): string => (ticks * tick).toFixed(decimals);
  return mids.map((mid, index) => ({
    at: from + index * stepMillis,
    bid: text(mid - 1),
    ask: text(mid + 1),
    ...(index % 4 === 1 ? { trade: [text(mid + 1), 'buy'] as const } : {}),
  }));
}

/** The files of `backtest/feeds/apart`, by name: one minute of made-up prices, each as recorded by itself. */
export function apartFiles(): Readonly<Record<string, RawFile>> {
  const btc = walked(11, 300_000, 12);
  const eth = walked(23, 200_000, 12);
  const cross = btc.map((ticks, index) => {
    const fair = ((eth[index] ?? 0) / 100 / (ticks / 10)) * 100_000;
    return Math.round(fair) + (index % 40 >= 20 && index % 40 < 26 ? 40 : 0);
  });
  const perpetual = btc.map((ticks, index) => ticks + wave(index, 80, 700));
  const other = btc.map((ticks, index) => ticks + wave(index, 60, 900));
  const usdt = { tick: 0.1, decimals: 1 };
  return {
    'spot-btcusdt.gz': { symbol: 'BTCUSDT', moments: moments(btc, { ...usdt, from: 0 }), latency: 4 },
    'spot-ethusdt.gz': {
      symbol: 'ETHUSDT',
      moments: moments(eth, { tick: 0.01, decimals: 2, from: 20 }),
      latency: 4,
    },
    'spot-ethbtc.gz': {
      symbol: 'ETHBTC',
      moments: moments(cross, { tick: 0.000_01, decimals: 5, from: 40 }),
      latency: 4,
    },
    'perpetual-btcusdt.gz': {
      symbol: 'BTCUSDT',
      moments: moments(perpetual, { ...usdt, from: 60 }),
      latency: 7,
    },
    'other-btcusdt.gz': { symbol: 'BTCUSDT', moments: moments(other, { ...usdt, from: 80 }), latency: 30 },
  };
}
