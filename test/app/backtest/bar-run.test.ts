import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { parseAmount, zero } from '../../../src/core/base/amount.ts';
import { runBars } from '../../../src/app/backtest/bar-run.ts';
import type { BarRunResult } from '../../../src/app/backtest/bar-run.ts';
import { configSchema } from '../../../src/app/config/schema.ts';
import type { CandlesChanged } from '../../../src/core/model/event.ts';
import { Instruments } from '../../../src/core/model/instrument.ts';
import type { InstrumentId } from '../../../src/core/model/instrument.ts';
import { barRulesOf } from '../../../src/research/scenario/bar-fills.ts';
import { readBarFills } from '../../support/bar-fills.ts';
import type { Micros } from '../../../src/core/base/clock.ts';

const minute = 60_000_000;
const begin = 1_600_000_020_000_000;
const path = fileURLToPath(new URL('../../conformance/strategies/ema-cross.ts', import.meta.url));

/** A price that swings: 600 bars of a wave with a ripple. */
function bars(): readonly CandlesChanged[] {
  let open = 1_000;
  return Array.from({ length: 600 }, (_, at) => {
    const close = Math.round(1_000 + 80 * Math.sin(at / 25) + 15 * Math.sin(at * 1.7));
    const [high, low] = [Math.max(open, close) + 3, Math.min(open, close) - 3];
    const time = (begin + at * minute) as Micros;
    const [first, max, min, last] = [open, high, low, close].map((price) => parseAmount(String(price)));
    open = close;
    const end = (time + minute) as Micros;
    const candle = {
      instrument: 0 as InstrumentId,
      period: 'M1',
      time,
      open: first,
      max,
      min,
      close: last,
      volume: zero,
      volumeQuote: zero,
    };
    return {
      kind: 'candles',
      instrument: 0 as InstrumentId,
      snapshot: false,
      candles: [candle],
      exchangeTime: end,
      receiveTime: end,
    } as CandlesChanged;
  });
}

async function run(events: readonly (readonly CandlesChanged[])[], seed = 1): Promise<BarRunResult> {
  return await runBars({
    config: configSchema.parse({
      run: { seed },
      report: { tradesMin: 5, daysMin: 2 },
      strategies: [{ name: 'cross', path, params: { symbol: 'ABC', quantity: '1' }, host: 'thread' }],
    }),
    instruments: new Instruments([
      {
        symbol: 'ABC',
        type: 'spot',
        baseCurrency: 'ABC',
        quoteCurrency: 'USD',
        feeCurrency: 'USD',
        tickSize: '1',
        quantityIncrement: '1',
        takeRate: '0.001',
        makeRate: '0',
        status: 'working',
        marginTrading: false,
      },
    ]),
    events,
    rules: barRulesOf(readBarFills({ account: { kind: 'margin' } })),
    balances: { USD: '100000' },
  });
}

test('the same bars give the same digest, however they are batched; other bars give another', async () => {
  const all = bars();
  const once = await run([all]);
  const again = await run(all.map((event) => [event]));
  expect(again.digest).toBe(once.digest);
  expect(again.accounts).toEqual(once.accounts);
  const shorter = await run([all.slice(0, 590)]);
  expect(shorter.digest).not.toBe(once.digest);
});

test('the results of the run fit together: orders, executions, round trips, equity', async () => {
  const { bars: count, orders, denials, problems, books, accounts, statistics } = await run([bars()]);
  expect({ count, denials, problems }).toEqual({ count: 600, denials: [], problems: [] });
  expect(orders.filled).toBe(books.fills.length);
  expect(books.trips.length).toBeGreaterThan(5);
  const [account] = accounts;
  const net = books.trips.reduce((sum, trip) => sum + trip.net, 0);
  const equity = books.equity.values.at(-1) ?? 0;
  expect(Number(account?.equity) / 1e24).toBeCloseTo(equity, 6);
  const open = books.fills.length % 2 === 1;
  if (!open) expect(equity).toBeCloseTo(100_000 + net, 6);
  expect(statistics.trades.count).toBe(books.trips.length);
  expect(statistics.end.value).toBeCloseTo(equity, 6);
});

test('data without a bar or a trade is refused', async () => {
  await expect(run([])).rejects.toThrow('expected bars or trades in the data, found none');
});
