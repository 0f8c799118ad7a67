import type { Amount } from '../../../../src/core/base/amount.ts';
import type { Micros } from '../../../../src/core/base/clock.ts';
import type { Random } from '../../../../src/core/base/random.ts';
import type { Event } from '../../../../src/core/model/event.ts';
import type { InstrumentId, Lots, Ticks } from '../../../../src/core/model/instrument.ts';
import type { Candle, MarketTrade, Ticker } from '../../../../src/core/model/market.ts';
import { candlePeriods } from '../../../../src/core/model/market.ts';

const kinds = [
  'bookSnapshot',
  'bookUpdate',
  'bookUpdate',
  'bookUpdate',
  'bookStale',
  'trades',
  'ticker',
  'candles',
] as const;
const reasons = ['gap', 'disconnected', 'silent', 'malformed', 'refused'] as const;

/** Market events of every kind, with the odd extreme value, in rough order of time. */
export function randomEvents(random: Random, count: number, instruments: number): Event[] {
  let time = 1_700_000_000_000_000;
  return Array.from({ length: count }, () => {
    time += random.between(-3, 5_000);
    return randomEvent(random, time, random.between(0, instruments - 1) as InstrumentId);
  });
}

function randomEvent(random: Random, time: number, instrument: InstrumentId): Event {
  const receiveTime = time as Micros;
  const exchangeTime = (time - random.between(-2_000, 90_000)) as Micros;
  const times = { exchangeTime, receiveTime };
  const kind = random.pick(kinds);
  switch (kind) {
    case 'bookSnapshot':
    case 'bookUpdate': {
      const { levels, start, end } = randomLevels(random);
      return { kind, instrument, sequence: whole(random), levels, start, end, ...times };
    }
    case 'bookStale':
      return {
        kind,
        instrument,
        reason: random.pick(reasons),
        expected: whole(random),
        found: whole(random),
        ...times,
      };
    case 'trades': {
      const trades = Array.from({ length: random.between(0, 4) }, () => randomTrade(random, exchangeTime));
      return { kind, instrument, snapshot: random.chance(0.5), trades, ...times };
    }
    case 'ticker':
      return { kind, instrument, ticker: randomTicker(random, instrument, exchangeTime), ...times };
    case 'candles':
      return {
        kind,
        instrument,
        snapshot: random.chance(0.5),
        candles: [randomCandle(random, instrument, time)],
        ...times,
      };
  }
}

function randomLevels(random: Random): { levels: Float64Array; start: number; end: number } {
  const before = random.between(0, 3);
  const count = random.between(0, 12);
  const levels = new Float64Array((before + count + 2) * 3);
  for (let i = before; i < before + count; i++) {
    levels[i * 3] = random.between(0, 1);
    levels[i * 3 + 1] = price(random);
    levels[i * 3 + 2] = random.chance(0.3) ? 0 : whole(random);
  }
  return { levels, start: before * 3, end: (before + count) * 3 };
}

function randomTrade(random: Random, time: Micros): MarketTrade {
  return {
    tradeId: random.chance(0.2)
      ? random.pick(['0012', 'abc-1', '98765432109876543210', ''])
      : String(whole(random)),
    price: price(random),
    quantity: whole(random) as Lots,
    side: random.chance(0.5) ? 'buy' : 'sell',
    time: random.chance(0.5) ? time : ((time - 1_234) as Micros),
  };
}

function randomTicker(random: Random, instrument: InstrumentId, time: Micros): Ticker {
  const maybe = <Value>(value: Value): Value | undefined => (random.chance(0.8) ? value : undefined);
  return {
    instrument,
    time: random.chance(0.5) ? time : ((time + 5) as Micros),
    bid: maybe(price(random)),
    bidQuantity: maybe(whole(random) as Lots),
    ask: maybe(price(random)),
    askQuantity: maybe(whole(random) as Lots),
    last: maybe(amount(random)),
    open: maybe(amount(random)),
    high: maybe(amount(random)),
    low: maybe(amount(random)),
    volume: maybe(amount(random)),
    volumeQuote: maybe(amount(random)),
  };
}

function randomCandle(random: Random, instrument: InstrumentId, time: number): Candle {
  return {
    instrument,
    period: random.pick(candlePeriods),
    time: time as Micros,
    open: amount(random),
    close: amount(random),
    min: amount(random),
    max: amount(random),
    volume: amount(random),
    volumeQuote: amount(random),
  };
}

function price(random: Random): Ticks {
  if (random.chance(0.02)) return 99_999_999_999_999_000 as Ticks;
  if (random.chance(0.05)) return whole(random) as Ticks;
  return (100_000 + random.between(-300, 300)) as Ticks;
}

/** Whole numbers of every length up to 2^53 - 1. */
function whole(random: Random): number {
  return Math.floor(random.float() * 2 ** random.between(1, 53));
}

function amount(random: Random): Amount {
  return (BigInt(whole(random)) * (random.chance(0.2) ? -1n : 1n) * BigInt(random.between(1, 1e9))) as Amount;
}
