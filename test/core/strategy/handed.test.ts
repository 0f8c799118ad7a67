import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { runScenario } from '../../../src/app/backtest/scenario-run.ts';
import { configSchema } from '../../../src/app/config/schema.ts';
import { openData } from '../../../src/data/open/market-data.ts';
import { encodeEvent, isKept } from '../../../src/core/journal/records/records.ts';
import vandal from './fixtures/vandal.ts';
import { Scene } from './scene.ts';
import { recordedScenario } from '../../../src/app/run/scenario-config.ts';

const path = fileURLToPath(new URL('fixtures/vandal.ts', import.meta.url));
const sample = fileURLToPath(new URL('../../../backtest/feeds/sample', import.meta.url));

async function backtest(wrecks: boolean) {
  const config = configSchema.parse({
    strategies: [{ name: 'probe', path, params: { vandal: wrecks } }],
    sim: { queueModel: 'proportional' },
  });
  const notes: string[] = [];
  const { digest, report, problems } = await runScenario({
    loaded: recordedScenario(config),
    data: { recording: await openData([sample]), prepared: 0 },
    watch: (event) => {
      if (event.kind === 'strategyNoted') notes.push(event.text);
    },
  });
  return { digest, report: { ...report, identity: {} }, problems, notes };
}

test('what a strategy writes to what it is handed reaches neither decisions nor report', async () => {
  const calm = await backtest(false);
  const wild = await backtest(true);
  expect(calm.problems).toEqual([]);
  const [delivered = ''] = calm.notes;
  for (const what of ['book', 'trade', 'candle', 'order', 'fill', 'balance', 'position'])
    expect(delivered).toMatch(new RegExp(`\\b${what} [1-9]`));
  expect(wild).toEqual(calm);
});

/** What is reported and what the state knows when everything was reported once, ticker and outages too. */
function scene(wrecks: boolean): readonly string[] {
  const received = new Scene();
  const { id } = received.instruments.get('ETHBTC');
  const host = received.add(vandal, { vandal: wrecks }, 'probe');
  host.start();
  for (let i = 0; i < 60; i++) received.book([[100 + (i % 3), 5]], [[104, 5]]);
  const none = undefined;
  const quotes = { bid: none, bidQuantity: none, ask: none, askQuantity: none };
  const totals = { open: none, high: none, low: none, volume: none, volumeQuote: none };
  const time = received.clock.now();
  const ticker = { instrument: id, time, ...quotes, last: 5n as never, ...totals };
  received.publish({ kind: 'ticker', ...received.times, instrument: id, ticker });
  received.trade(101, 1);
  received.wait(60_000);
  received.trade(102, 1);
  for (const { clientOrderId } of received.open()) received.fill(clientOrderId, 1);
  received.refuse = () => true;
  for (let i = 0; i < 60; i++) received.book([[100 + (i % 3), 5]], [[104, 5]]);
  const balance = { currency: 'BTC', available: 5n as never, reserved: 0n as never };
  received.publish({ kind: 'balances', ...received.times, complete: false, balances: [balance] });
  received.publish({ kind: 'sessionDown', ...received.times, session: 'market', why: 'cut' });
  const { state } = received;
  const known = [state.ticker(id), state.trades(id), state.candles(id, 'M1'), state.balances()];
  const own = [
    state.positions(),
    state.openOrders(),
    // Those that ended, denied ones among them.
    received
      .intents()
      .map((intent) => intent.action === 'place' && state.order(intent.request.clientOrderId)),
    state.book(id).levels('buy', 3),
    state.book(id).instrument,
  ];
  host.stop();
  const text = (value: unknown): string =>
    JSON.stringify(value, (_, one: unknown) => (typeof one === 'bigint' ? `${one}n` : one));
  return [...received.events.filter(isKept).map(encodeEvent), ...[...known, ...own].map(text)];
}

test('ticker, outage and denial are copies as well, and the state stays as it was, orders that were denied included', () => {
  const calm = scene(false);
  for (const what of ['ticker', 'outage', 'order', 'fill', 'candle'])
    expect(calm.some((line) => new RegExp(`\\b${what} [1-9]`).test(line))).toBe(true);
  expect(scene(true)).toEqual(calm);
});
