import { afterEach, expect, test } from 'vitest';
import { formatAmount } from '../../../../../src/core/base/amount.ts';
import { seconds } from '../../../../../src/core/base/clock.ts';
import { silentLogger } from '../../../../../src/core/base/logger.ts';
import { Random } from '../../../../../src/core/base/random.ts';
import { VirtualClock } from '../../../../../src/core/base/virtual-clock.ts';
import { ApiBudgets } from '../../../../../src/venues/hitbtc/budgets/api.ts';
import { budgetOptions } from '../../../../../src/venues/hitbtc/budgets/options.ts';
import { askCandles } from '../../../../../src/venues/hitbtc/client/rest/candle-history.ts';
import { RestClient } from '../../../../../src/venues/hitbtc/client/rest/rest.ts';
import { clientOptions } from '../../../../../src/venues/options.ts';
import { twoInstruments } from '../support/instruments.ts';
import { answer, StubHttpServer } from '../support/stub-http-server.ts';

const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

async function begin() {
  const clock = new VirtualClock(seconds(1_700_000_000));
  const server = await StubHttpServer.start();
  const { rest: options } = clientOptions.parse({});
  const rest = new RestClient({ baseUrl: server.url, clock, random: new Random(1), options });
  const budgets = new ApiBudgets(budgetOptions.parse({}), clock);
  closers.push(async () => {
    await rest.close();
    await server.close();
  });
  const warnings: string[] = [];
  const log = { ...silentLogger, warn: (_: object, text: string) => void warnings.push(text) };
  const parts = { rest, budgets, clock, log, signal: new AbortController().signal };
  const instrument = twoInstruments().at(0 as never);
  const ask = () => askCandles(parts, { instrument, period: 'M5', count: 600 });
  return { clock, server, budgets, warnings, instrument, ask };
}

function row(minute: number, close: string): object {
  const timestamp = new Date(1_700_006_400_000 + minute * 60_000).toISOString();
  return { timestamp, open: '100.00', close, min: '99.00', max: '120.00', volume: '2', volume_quote: '210' };
}

test('candles come the oldest first, and the slot of the question is given back', async () => {
  const { server, budgets, instrument, ask } = await begin();
  server.handler = (_, response) => answer(response, 200, [row(5, '101.00'), row(0, '102.00')]);
  const candles = await ask();
  expect(server.seen.map(({ url }) => url)).toEqual([
    `/api/3/public/candles/${instrument.symbol}?period=M5&sort=DESC&limit=600`,
  ]);
  expect(candles?.map(({ time, close, period }) => [time, formatAmount(close), period])).toEqual([
    [seconds(1_700_006_400), '102', 'M5'],
    [seconds(1_700_006_700), '101', 'M5'],
  ]);
  expect(candles?.[0]?.instrument).toBe(instrument.id);
  expect(budgets.usageOf('restPublic').inUse).toBe(1);
});

test('a question that is refused has no candles; one without an answer that can be read is to be asked again', async () => {
  const { server, warnings, ask } = await begin();
  server.handler = (_, response) =>
    answer(response, 400, { error: { code: 2_001, message: 'Symbol not found' } });
  expect(await ask()).toEqual([]);
  server.handler = (_, response) => answer(response, 200, [{ timestamp: 'soon' }]);
  expect(await ask()).toBeUndefined();
  expect(warnings).toEqual(['candles of the venue cannot be read']);
  server.handler = (_, response) => answer(response, 503, {});
  expect(await ask()).toBeUndefined();
});

test('it waits while others use half of the limit', async () => {
  const { clock, server, budgets, ask } = await begin();
  server.handler = (_, response) => answer(response, 200, []);
  const { capacity } = budgets.usageOf('restPublic');
  const slots = Array.from({ length: Math.floor(capacity / 2) + 1 }, () => budgets.takeCall('restPublic'));
  const asked = ask();
  clock.advance(seconds(5));
  await Promise.resolve();
  expect(server.seen).toEqual([]);
  for (const slot of slots) budgets.settle(slot, 'acknowledged');
  const passing = setInterval(() => clock.advance(seconds(1)), 1);
  expect(await asked).toEqual([]);
  clearInterval(passing);
  expect(server.seen).toHaveLength(1);
});
