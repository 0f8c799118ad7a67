import { afterEach, describe, expect, test } from 'vitest';
import type { ConfigInput } from './support/stage.ts';
import { Stage, strategyOf } from './support/stage.ts';
import { until } from './support/until.ts';

let stage: Stage;

afterEach(async () => {
  await stage.close();
});

async function traded(params: ConfigInput, more: ConfigInput = {}, host = 'thread'): Promise<void> {
  stage = await Stage.open({
    strategies: [strategyOf('candle-taker', { everyMs: 50, ...params }, { host, ...more })],
    config: { orders: { marketOrders: true } },
  });
  await until(
    'fills and verdicts',
    () => stage.all('orderReport').length + stage.all('orderDenied').length > 8,
  );
}

const codes = (): readonly string[] => [
  ...new Set(stage.all('orderDenied').map(({ denial }) => denial.code)),
];

describe('a strategy that listens to candles alone', () => {
  test.each(['thread', 'worker'])(
    'trades live, in a %s: its symbol has a book, of which it hears nothing',
    async (host) => {
      await traded({}, {}, host);
      // The first moments may be without a book: it is on its way.
      await until('a fill', () => stage.all('orderReport').some(({ fill }) => fill !== undefined));
      expect(stage.notes).toEqual([]);
    },
  );

  test('is denied a symbol that it does not declare, with the reason', async () => {
    await traded({ trades: 'ETHUSDT' });
    expect(codes()).toEqual(['INPUT_STALE']);
    expect(stage.all('orderDenied')[0]?.denial.why).toBe(
      'expected feeds() of strategy candle-taker to name ETHUSDT, because its book is followed only then',
    );
  });

  test('gets no book of a symbol that it may not trade', async () => {
    await traded({}, { limits: { symbols: ['ETHUSDT'] } });
    expect(codes()).toEqual(['SYMBOL_NOT_ALLOWED']);
    expect(stage.all('bookSnapshot')).toEqual([]);
  });
});
