import { describe, expect, test } from 'vitest';
import { formatAmount, parseAmount } from '../../../src/core/base/amount.ts';
import { microsPerSecond } from '../../../src/core/base/clock.ts';
import type { Micros } from '../../../src/core/base/clock.ts';
import { candleLengths } from '../../../src/core/model/bar-spec.ts';
import { periodEnd, periodStart } from '../../../src/core/model/candle-period.ts';
import type {
  BalancesChanged,
  BookSnapshot,
  CandlesChanged,
  TradesPrinted,
} from '../../../src/core/model/event.ts';
import type { Balance, Candle, CandlePeriod, MarketTrade } from '../../../src/core/model/market.ts';
import { answered, applyAll, at, first, lots, newState, second, ticks } from './support/world.ts';

function trade(tradeId: number, time: number, price: number, quantity = 1): MarketTrade {
  return {
    tradeId: String(tradeId),
    price: ticks(price),
    quantity: lots(quantity),
    side: 'buy',
    time: time as Micros,
  };
}

function printed(trades: MarketTrade[], snapshot = false): TradesPrinted {
  return { kind: 'trades', ...at(trades.at(-1)?.time ?? 0), instrument: first, snapshot, trades };
}

function balance(currency: string, available: string): Balance {
  return { currency, available: parseAmount(available), reserved: parseAmount('0') };
}

function balances(time: number, complete: boolean, list: Balance[]): BalancesChanged {
  return { kind: 'balances', ...at(time), complete, balances: list };
}

const minute = 60 * microsPerSecond;

describe('books', () => {
  test('are empty until a snapshot, then follow their events; others stay as they are', () => {
    const state = newState();
    expect(state.book(first).status).toBe('empty');
    const levels = new Float64Array([0, 100, 5, 1, 102, 7]);
    const snapshot: BookSnapshot = {
      kind: 'bookSnapshot',
      ...at(9),
      instrument: first,
      sequence: 4,
      levels,
      start: 0,
      end: 6,
    };
    state.apply(snapshot);
    expect(state.book(first)).toMatchObject({ status: 'live', bestBid: 100, bestAsk: 102, sequence: 4 });
    expect(state.book(second).status).toBe('empty');
    expect(state.time).toBe(9);
    state.apply({ kind: 'bookStale', ...at(10), instrument: first, reason: 'gap', expected: 5, found: 7 });
    expect(state.book(first).status).toBe('stale');
  });
});

describe('public trades', () => {
  test('are kept up to the bound, oldest first', () => {
    const state = newState({ tradesMax: 3 });
    state.apply(printed([1, 2, 3, 4, 5].map((n) => trade(n, n, n))));
    expect(state.trades(first).map(({ tradeId }) => tradeId)).toEqual(['3', '4', '5']);
    expect(state.lastTrade(first)?.tradeId).toBe('5');
    expect(state.trades(second)).toEqual([]);
    expect(state.lastTrade(second)).toBeUndefined();
  });

  test('of a snapshot after a reconnect count only as far as they are new', () => {
    const state = newState({ candlePeriods: ['M1'] });
    state.apply(printed([trade(1, 1, 10), trade(2, 2, 10)], true));
    state.apply(printed([trade(1, 1, 10), trade(2, 2, 10), trade(3, 3, 10)], true));
    expect(state.trades(first).map(({ tradeId }) => tradeId)).toEqual(['1', '2', '3']);
    state.apply(printed([trade(7, 2, 10), trade(2, 3, 10), trade(8, 3, 10), trade(9, 7, 10)], true));
    expect(state.trades(first).map(({ tradeId }) => tradeId)).toEqual(['1', '2', '3', '8', '9']);
    expect(formatAmount(state.candles(first, 'M1')[0]?.volume ?? parseAmount('0'))).toBe('0.005');
  });
});

describe('candles', () => {
  test('are built from trades for the periods asked for, running one last', () => {
    const state = newState({ candlePeriods: ['M1', 'H1'] });
    state.apply(printed([trade(1, 0, 100, 2), trade(2, 10, 130), trade(3, 20, 90), trade(4, 30, 110)]));
    state.apply(printed([trade(5, minute + 1, 120)]));
    const text = state
      .candles(first, 'M1')
      .map((candle) => [
        candle.time,
        ...[candle.open, candle.max, candle.min, candle.close, candle.volume, candle.volumeQuote].map(
          formatAmount,
        ),
      ]);
    expect(text).toEqual([
      [0, '1', '1.3', '0.9', '1.1', '0.005', '0.0053'],
      [minute, '1.2', '1.2', '1.2', '1.2', '0.001', '0.0012'],
    ]);
    expect(state.candles(first, 'H1')).toHaveLength(1);
    expect(state.candles(first, 'D1')).toEqual([]);
  });

  test('sum exactly beyond what a double holds', () => {
    const state = newState({ candlePeriods: ['M1'] });
    const big = 2 ** 52 - 1;
    state.apply(printed([trade(1, 0, 3, big), trade(2, 1, 1_000_003, 1_000_000_007), trade(3, 2, 1, 1)]));
    const unit = parseAmount('0.00001');
    const sum = 3n * BigInt(big) + 1_000_003n * 1_000_000_007n + 1n;
    expect(state.candles(first, 'M1')[0]?.volumeQuote).toBe(sum * unit);
  });

  test.each([
    ['reach back to the last one known: only the first', 3, [true, undefined, undefined]],
    ['begin within the running bar: that one too', 4, [true, true, undefined]],
    ['begin in the bar behind it: both', 5, [true, true, true]],
  ])('bars are incomplete where the trades that follow an outage %s', (_, from, marks) => {
    const state = newState({ candlePeriods: ['M1'] });
    const all = [0, 30, 70, 80, 90, 130, 140].map((second, id) => trade(id, second * microsPerSecond, 100));
    state.apply(printed(all.slice(0, 2), true));
    for (const one of all.slice(2, 4)) state.apply(printed([one]));
    state.apply(printed(all.slice(from), true));
    expect(state.candles(first, 'M1').map(({ incomplete }) => incomplete)).toEqual(marks);
  });

  test('of the feed replace those built, and a running one is replaced by its next version', () => {
    const state = newState({ candlePeriods: ['M1'], candlesMax: 2 });
    state.apply(printed([trade(1, 0, 100)]));
    const candle = (time: number, close: string): Candle => {
      const amount = parseAmount(close);
      const prices = { open: amount, close: amount, min: amount, max: amount };
      return {
        instrument: first,
        period: 'M1',
        time: time as Micros,
        ...prices,
        volume: amount,
        volumeQuote: amount,
      };
    };
    const sent = (...candles: Candle[]): CandlesChanged => {
      return { kind: 'candles', ...at(1), instrument: first, snapshot: false, candles };
    };
    applyAll(state, [
      sent(candle(0, '5'), candle(minute, '6')),
      sent(candle(minute, '7')),
      sent(candle(2 * minute, '8')),
    ]);
    expect(state.candles(first, 'M1').map(({ close }) => formatAmount(close))).toEqual(['7', '8']);
  });

  test('begin where their period begins', () => {
    const text = (period: CandlePeriod, time: string): string[] => {
      const length = candleLengths[period];
      const start = periodStart(length, (Date.parse(time) * 1_000) as Micros);
      const end = periodEnd(length, start);
      return [start, end].map((edge) => new Date(edge / 1_000).toISOString().slice(0, 16));
    };
    expect(text('M15', '2026-02-28T10:29:59Z')).toEqual(['2026-02-28T10:15', '2026-02-28T10:30']);
    expect(text('H4', '2026-02-28T10:29:59Z')).toEqual(['2026-02-28T08:00', '2026-02-28T12:00']);
    expect(text('D7', '2026-02-28T10:29:59Z')).toEqual(['2026-02-23T00:00', '2026-03-02T00:00']);
    expect(text('1M', '2024-02-29T23:59:59Z')).toEqual(['2024-02-01T00:00', '2024-03-01T00:00']);
  });
});

describe('balances', () => {
  test('change one by one or as a complete list', () => {
    const state = newState();
    state.apply(balances(10, true, [balance('USD', '5'), balance('AAA', '1')]));
    state.apply(balances(11, false, [balance('USD', '6')]));
    expect(state.balances().map(({ currency, available }) => [currency, formatAmount(available)])).toEqual([
      ['USD', '6'],
      ['AAA', '1'],
    ]);
    state.apply(balances(12, true, [balance('AAA', '2')]));
    expect(formatAmount(state.balance('USD').available)).toBe('0');
    expect(formatAmount(state.balance('BBB').available)).toBe('0');
  });

  test('of a read do not undo what came after the question left', () => {
    const state = newState();
    state.apply(balances(45, false, [balance('USD', '6')]));
    const read = { balances: [balance('USD', '5'), balance('AAA', '1')], askedAt: 40 };
    state.apply(answered({ of: 'balances' }, read));
    expect(formatAmount(state.balance('USD').available)).toBe('6');
    expect(formatAmount(state.balance('AAA').available)).toBe('1');
    state.apply(answered({ of: 'balances' }, { ...read, askedAt: 46 }));
    expect(formatAmount(state.balance('USD').available)).toBe('5');
  });
});

describe('balances of an earlier run', () => {
  test('give way to the first answer of the next, though the clock was set back', () => {
    const state = newState();
    state.apply(balances(7_200, false, [balance('USD', '6')]));
    const times = { exchangeTime: 10 as Micros, receiveTime: 10 as Micros };
    state.apply({ kind: 'runStarted', run: 'r2', mode: 'live', ...times });
    expect(formatAmount(state.balance('USD').available)).toBe('6');
    state.apply(answered({ of: 'balances' }, { balances: [balance('USD', '5')], askedAt: 20 }));
    expect(formatAmount(state.balance('USD').available)).toBe('5');
  });
});

describe('mode, sessions and status', () => {
  test('are what the last event said', () => {
    const state = newState();
    expect([state.mode, state.sessionUp('market'), state.sessionUp('trading')]).toEqual([
      'active',
      false,
      false,
    ]);
    state.apply({ kind: 'sessionUp', ...at(1), session: 'trading' });
    expect([state.sessionUp('market'), state.sessionUp('trading')]).toEqual([false, true]);
    state.apply({ kind: 'sessionDown', ...at(2), session: 'trading', why: 'closed' });
    expect(state.sessionUp('trading')).toBe(false);
    state.apply({ kind: 'modeChanged', ...at(3), mode: 'halted', why: 'kill', latched: true });
    expect([state.mode, state.modeWhy, state.modeLatched]).toEqual(['halted', 'kill', true]);
    expect(state.status(second)).toBe('working');
    state.apply({ kind: 'instrumentChanged', ...at(4), instrument: second, status: 'clearing' });
    expect(state.status(second)).toBe('clearing');
    expect(state.status(first)).toBe('working');
  });

  test('a stopped strategy stays stopped for its first reason', () => {
    const state = newState();
    expect(state.stopped('maker')).toBeUndefined();
    state.apply({ kind: 'strategyStopped', ...at(1), strategy: 'maker', why: 'threw' });
    state.apply({ kind: 'strategyStopped', ...at(2), strategy: 'maker', why: 'unloaded' });
    expect(state.stopped('maker')).toBe('threw');
  });
});
