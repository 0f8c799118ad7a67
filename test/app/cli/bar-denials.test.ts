import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, test } from 'vitest';
import { backtestCommand } from '../../../src/app/backtest/command.ts';
import { marketOrderNotes } from '../../../src/app/run/market-order-notes.ts';
import type { Config } from '../../../src/app/config/schema.ts';
import { configSchema } from '../../../src/app/config/schema.ts';
import { barScenario } from '../../system/support/bar-scenario.ts';
import { run } from './support/run.ts';

const folder = mkdtempSync(join(tmpdir(), 'godwit-denials-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const taker = fileURLToPath(new URL('../../system/fixtures/candle-taker.ts', import.meta.url));

/** A scenario on a hundred bars whose strategy sends a market order on every candle. */
function takerScenario(name: string, config: object = {}, params: object = {}): string {
  const file = barScenario(folder, name);
  const scenario = JSON.parse(readFileSync(file, 'utf8')) as object;
  const strategy = { path: taker, params: { symbol: 'AAABBB', quantity: '1', ...params } };
  writeFileSync(file, JSON.stringify({ ...scenario, config, strategy }));
  return file;
}

interface Reported {
  readonly identity: { readonly decisions: string };
  readonly bars: {
    readonly orders: { readonly placed: number; readonly filled: number };
    readonly liveDenials: readonly { code: string; count: number }[];
  };
  readonly notes: readonly string[];
}

async function received(file: string): Promise<Reported & { err: string }> {
  const said = await run(['backtest', '--scenario', file, '--json', '--no-save', '--no-band']);
  expect(said.code).toBe(0);
  return { ...(JSON.parse(said.out) as Reported), err: said.err };
}

test('a run on bars says how many of its orders live trading with the same settings would have denied', async () => {
  const { bars, notes, err } = await received(takerScenario('closed'));
  expect(bars.orders.filled).toBeGreaterThan(90);
  const { placed } = bars.orders;
  expect(bars.liveDenials).toEqual([{ code: 'MARKET_ORDERS_OFF', count: placed }]);
  const sentence = `live trading with these settings would have denied ${placed} of ${placed} orders: MARKET_ORDERS_OFF ${placed} (docs/bars.md)`;
  expect(notes).toContain(sentence);
  expect(err).toContain(`note: ${sentence}`);
});

test('with the setting on nothing is said, and the course is the same', async () => {
  const closed = await received(takerScenario('closed'));
  const { bars, err, identity } = await received(takerScenario('opened', { orders: { marketOrders: true } }));
  expect(bars.liveDenials).toEqual([]);
  expect(err).not.toContain('live trading');
  expect(identity.decisions).toBe(closed.identity.decisions);
});

test('the reserve of market orders counts: what was all the money on bars is too much live', async () => {
  const file = takerScenario('rich', { orders: { marketOrders: true } }, { quantity: '990' });
  const scenario = JSON.parse(readFileSync(file, 'utf8')) as object;
  const fills = { model: 'bars', account: { kind: 'spot' } };
  writeFileSync(file, JSON.stringify({ ...scenario, fills, balances: { BBB: '100000' } }));
  const { bars } = await received(file);
  expect(bars.liveDenials.map(({ code }) => code)).toEqual(['FUNDS']);
});

test('a check says it too, before anything is traded', async () => {
  const said = await run(['check', 'warm-up', '--scenario', takerScenario('checked'), '--starts', '1']);
  expect(said.err).toMatch(
    /note: live trading with these settings would have denied (\d+) of \1 orders: MARKET_ORDERS_OFF \1 /,
  );
});

test('what a backtest sent is known afterwards, to those who are about to trade with it', async () => {
  const runs = join(folder, 'runs');
  const output = { data: () => {}, progress: () => {}, colour: false };
  const report = { save: true, band: false, directory: runs };
  await backtestCommand({
    scenario: { file: takerScenario('kept'), home: folder },
    output,
    json: true,
    report,
  });
  const config = (orders: object, path = taker): Config =>
    configSchema.parse({ orders, strategies: [{ name: 'taker', path }] });
  expect(marketOrderNotes(config({}), runs)).toEqual([
    'strategy taker sent orders of type market in a backtest, and orders.marketOrders is off: each of them will be denied (MARKET_ORDERS_OFF)',
  ]);
  expect(marketOrderNotes(config({ marketOrders: true }), runs)).toEqual([]);
  const other = fileURLToPath(new URL('../../system/fixtures/steady-taker.ts', import.meta.url));
  expect(marketOrderNotes(config({}, other), runs)).toEqual([]);
});
