import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import type { Micros } from '../../../src/core/base/clock.ts';
import type { InstrumentId, Lots, Ticks } from '../../../src/core/model/instrument.ts';
import type { BarSpec, Candle, MarketTrade } from '../../../src/core/model/market.ts';
import { CandleStore } from '../../../src/core/state/candles.ts';
import { CandleBuilder } from '../../../src/core/state/candle-builder.ts';
import { abcInstruments } from '../../venues/hitbtc/wire/arbitrary.ts';

const instrument = abcInstruments.at(0 as InstrumentId);
const [tick, lot, unit] = [
  instrument.priceAmount(1 as Ticks),
  instrument.quantityAmount(1 as Lots),
  instrument.notional(1 as Ticks, 1 as Lots),
];

/** Made-up trades, several at one time, with quiet hours: the same as in the Python program that made the figures below. */
function madeUpTrades(count: number): readonly MarketTrade[] {
  let seed = 39n;
  const next = (below: number): number => {
    seed = (seed * 1_103_515_245n + 12_345n) % 2_147_483_648n;
    return Number((seed >> 8n) % BigInt(below));
  };
  const steps = [0, 0, 1, 250_000, 1_000_000, 7_300_000];
  let [time, price] = [1_700_000_123_456_789, 10_000];
  return Array.from({ length: count }, (_, at) => {
    time += steps[next(6)] ?? 0;
    if (next(97) === 0) time += 900_000_000;
    price = Math.max(1, price + next(9) - 4);
    const quantity = 1 + next(40);
    return {
      tradeId: String(at),
      price: price as Ticks,
      quantity: quantity as Lots,
      side: 'buy',
      time: time as Micros,
    };
  });
}

const trades = madeUpTrades(3_000);

/** Begin, open, high, low, close, lots, ticks times lots, trades, and of bars that end with a trade their end. */
function rowOf({
  time,
  open,
  max,
  min,
  close,
  volume,
  volumeQuote,
  trades: count,
  end,
}: Candle): readonly number[] {
  const whole = (amount: bigint, of: bigint): number => Number(amount / of);
  const prices = [open, max, min, close].map((price) => whole(price, tick));
  const sums = [whole(volume, lot), whole(volumeQuote, unit), count ?? 0];
  return [time, ...prices, ...sums, ...(end === undefined ? [] : [end])];
}

function build(spec: BarSpec, from: readonly MarketTrade[] = trades): readonly Candle[] {
  const builder = new CandleBuilder(instrument, spec);
  const closed = from.flatMap((trade) => builder.add(trade) ?? []);
  const running = builder.running();
  return running === undefined || running.unpriced === 'begun' ? closed : [...closed, running];
}

function digestOf(bars: readonly Candle[]): string {
  const text = bars.map((bar) => rowOf(bar).join(',')).join('\n');
  return createHash('sha256').update(text).digest('hex').slice(0, 16);
}

const sizes = {
  'tick:100': [30, '37fe051606e1728e'],
  'tick:1': [3_000, '7f811a9f6f60cb7f'],
  'volume:2500': [24, 'b4805688ce62f249'],
  'value:30000000': [20, 'cd20cd919afd7a5a'],
  'range:25': [49, '461d1db794a025c9'],
} as const;

test.each(Object.entries(sizes))(
  'bars of %s end with the trade that brings them to their size, as those of an independent program do',
  (name, [count, digest]) => {
    const [kind, size = ''] = name.split(':');
    const steps = { volume: lot, value: unit }[kind ?? ''] ?? 0n;
    const scaled = steps === 0n ? size : textOf(BigInt(size) * steps);
    const bars = build(`${kind}:${scaled}` as BarSpec).filter(({ end }) => end !== undefined);
    expect([bars.length, digestOf(bars)]).toEqual([count, digest]);
    // Their times name them, and no bar begins before the one before it is over.
    const apart = bars.every((bar, at) => at === 0 || bar.time >= (bars[at - 1]?.end ?? 0));
    expect([apart, new Set(bars.map(({ time }) => time)).size]).toEqual([true, count]);
  },
);

/** The figures of `resample` of pandas 2.3.3, with origin `epoch`, of weeks 5 January 1970. */
test.each([
  ['10s', 417, 'd98263f5f3cc37d0'],
  ['90s', 70, 'de40d8e0c882038a'],
  ['7m', 37, '41ebb2ef09b18360'],
  ['45m', 12, 'fe8386ca739762f0'],
  ['60m', 9, '84bd7b688e2130ef'],
  ['2w', 1, 'fd4d85fe5df74d69'],
] as const)(
  'bars of %s stand where pandas puts them, with the same prices and sums',
  (spec, count, digest) => {
    const bars = build(spec);
    expect([bars.length, digestOf(bars)]).toEqual([count, digest]);
    expect(bars.map(({ incomplete }) => incomplete)).toEqual(
      bars.map((_, at) => (at === 0 ? true : undefined)),
    );
  },
);

test('a store that takes over the bars of another within one goes on as that one does', () => {
  const specs: readonly BarSpec[] = ['45m', 'tick:7', `volume:${textOf(100n * lot)}` as BarSpec, 'range:9'];
  const instruments = abcInstruments;
  const id = instrument.id;
  const whole = new CandleStore(instruments, { candlePeriods: specs, candlesMax: 500 });
  for (const cut of [1, 700, 701, 702, 1_234]) {
    const first = new CandleStore(instruments, { candlePeriods: specs, candlesMax: 500 });
    const later = new CandleStore(instruments, { candlePeriods: specs, candlesMax: 500 });
    const head = trades.slice(0, cut);
    first.addTrades(id, head, 0);
    // A replica receives the last trades, then the bars.
    later.addTrades(id, head.slice(-50), 0);
    const candles = specs.flatMap((spec) => first.sourceOf(id, spec)?.candles ?? []);
    const times = { exchangeTime: 0 as Micros, receiveTime: 0 as Micros };
    later.apply({ kind: 'candles', instrument: id, snapshot: true, built: true, candles, ...times });
    for (const one of [first, later]) one.addTrades(id, trades.slice(cut, cut + 400), 0);
    for (const spec of specs) expect(later.of(id, spec)).toEqual(first.of(id, spec));
  }
  whole.addTrades(id, trades, 0);
  expect(whole.closedCount(id, 'tick:7')).toBe(Math.floor(trades.length / 7));
});

test('lost trades mark the bar that lacks them, and the bar by time that may begin among them; no other', () => {
  const at = (seconds: number): MarketTrade =>
    ({ ...trades[0], time: (1_700_000_000 + seconds) * 1_000_000 }) as MarketTrade;
  const marks = (spec: BarSpec, lostBefore: number): readonly (true | undefined)[] => {
    const builder = new CandleBuilder(instrument, spec);
    const closed = [0, 10, 70, 75, 130, 190, 250].flatMap((second, index) => {
      if (index === lostBefore) builder.loseTrades();
      return builder.add(at(second)) ?? [];
    });
    return closed.map(({ incomplete }) => incomplete);
  };
  expect(marks('60s', -1)).toEqual([true, undefined, undefined, undefined]);
  expect(marks('60s', 4)).toEqual([true, true, true, undefined]);
  expect(marks('60s', 3)).toEqual([true, true, undefined, undefined]);
  // A bar of two trades that had closed lacks none.
  expect(marks('tick:2', 4)).toEqual([undefined, undefined, undefined]);
  expect(marks('tick:2', 3)).toEqual([undefined, true, undefined]);
});

function textOf(amount: bigint): string {
  const digits = String(amount).padStart(25, '0');
  return `${digits.slice(0, -24)}.${digits.slice(-24)}`.replace(/\.?0+$/, '');
}
