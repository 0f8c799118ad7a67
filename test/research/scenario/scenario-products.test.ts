import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { formatAmount } from '../../../src/core/base/amount.ts';
import { timeText } from '../../../src/core/base/clock.ts';
import { loadScenario } from '../../../src/research/scenario/load.ts';
import { marginSetupOf } from '../../../src/research/scenario/margin-setup.ts';
import { openScenarioData } from '../../../src/research/scenario/recording.ts';

const feed = fileURLToPath(new URL('../../../backtest/feeds/sample', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'scenario-products-'));

interface Said {
  readonly top?: string;
  readonly instrument?: string;
  readonly fills?: string;
}

function write({
  top = 'products: [futures]',
  instrument = 'kind: perpetual',
  fills = '{ model: queue }',
}: Said) {
  const file = join(folder, 'one.yaml');
  writeFileSync(
    file,
    `name: one
data: [${feed}]
instrument: { symbol: ETHBTC, ${instrument} }
fills: ${fills}
${top}
strategy: { path: market-maker, params: { symbol: ETHBTC } }
`,
  );
  return file;
}

function refusal(said: Said): string {
  try {
    loadScenario(write(said));
    return 'accepted';
  } catch (error) {
    return (error as Error).message.replace(folder, '');
  }
}

async function setupOf(said: Said) {
  const loaded = loadScenario(write(said));
  const { recording } = await openScenarioData(loaded);
  const { instruments } = recording;
  return { instruments, setup: marginSetupOf(loaded, instruments, []) };
}

describe('the products of a scenario', () => {
  test('a perpetual is a contract with futures among them, and a spot symbol without', async () => {
    const { instruments, setup } = await setupOf({
      instrument: 'kind: perpetual, margin: { leverage: "20", call: "1.3", forceClose: "0.002" }',
    });
    const contract = instruments.get('ETHBTC');
    expect(contract.spec).toMatchObject({ type: 'futures', marginTrading: true, maxInitialLeverage: '20' });
    const rule = setup?.ruleOf(contract);
    expect(
      [rule?.leverage, rule?.callMultiplier, rule?.liquidationMultiplier, rule?.forceCloseRate].map(
        (amount) => amount && formatAmount(amount),
      ),
    ).toEqual(['20', '1.3', '2', '0.002']);
    const before = await setupOf({ top: '', instrument: 'kind: perpetual' });
    expect(before.instruments.get('ETHBTC').spec.type).toBe('spot');
    expect(before.setup).toBeUndefined();
  });

  test('a symbol is traded on margin with margin among them', async () => {
    const { instruments, setup } = await setupOf({
      top: 'products: [spot, margin]',
      instrument: 'margin: { interest: { rate: "0.0001", every: 1h } }',
    });
    const symbol = instruments.get('ETHBTC');
    expect(symbol.spec).toMatchObject({ type: 'spot', marginTrading: true, maxInitialLeverage: '10' });
    expect(setup?.ruleOf(symbol)?.interestRate).toBeDefined();
    expect(setup?.charges.map(({ kind }) => kind)).toEqual(['interest']);
  });

  test('funding comes from a file, in the times of LEAN too', async () => {
    const rates = join(folder, 'rates.csv');
    writeFileSync(rates, '20201229 00:00:00,0.00020030\n2020-12-29T08:00:00Z,-0.0004\n');
    const { setup } = await setupOf({ instrument: 'kind: perpetual, funding: { file: rates.csv }' });
    const [charge] = setup?.charges ?? [];
    const first = charge?.schedule.nextAfter(0 as never);
    const second = charge?.schedule.nextAfter(first as never);
    expect([first, second].map((time) => timeText(time as never))).toEqual([
      '2020-12-29T00:00:00.000Z',
      '2020-12-29T08:00:00.000Z',
    ]);
    expect(formatAmount(charge?.schedule.rateAt(second as never) as never)).toBe('-0.0004');
    writeFileSync(rates, 'time,rate\n1609200000,0.0002\n1609200000,0.0002\n');
    await expect(setupOf({ instrument: 'kind: perpetual, funding: { file: rates.csv }' })).rejects.toThrow(
      'rates.csv:3: expected an ascending time and a rate such as 2024-07-18T16:00:00Z,0.0001, found "1609200000,0.0002"',
    );
  });

  test('each wrong combination is one sentence with its place', () => {
    expect(
      [
        { fills: '{ model: bars }' },
        { top: 'futuresBalances: { BTC: "1" }' },
        { top: '', instrument: 'kind: perpetual, margin: {}' },
        { top: '', instrument: 'kind: perpetual, funding: { file: a.csv }' },
        { instrument: 'kind: inverse, contract: "100"' },
        { instrument: 'kind: perpetual, leverage: 5' },
        { top: 'products: [margin]' },
        { instrument: 'kind: perpetual, fees: { maker: "0", taker: "0", fixed: "1" }' },
        { instrument: 'kind: perpetual, margin: { leverage: "0.5" }' },
        { top: 'products: [options]' },
      ].map(refusal),
    ).toEqual([
      '/one.yaml: products: expected spot alone with fills: {model: bars}, because the models shadow, queue and module alone have margin and futures accounts, found a list',
      '/one.yaml: futuresBalances: expected products: [futures] with it, because it is the money of contracts, found a section',
      '/one.yaml: instrument.margin: expected products: [futures] with it, found a section',
      '/one.yaml: instrument.funding: expected products: [futures] with a file, or a rate and every without, found a section',
      '/one.yaml: instrument.kind: expected kind: perpetual with products: [futures], which settle in quote currency, found "inverse"',
      '/one.yaml: instrument.leverage: expected margin.leverage in its place with products: [futures], found 5',
      '/one.yaml: instrument.kind: expected products: [futures] with kind: perpetual, found "perpetual"',
      '/one.yaml: instrument.fees: expected maker and taker alone with products: [futures], found a section',
      '/one.yaml: instrument.margin.leverage: expected a decimal of "1" or more as text, such as "10", found "0.5"',
      '/one.yaml: products.0: expected spot, margin or futures, found "options"',
    ]);
    expect(refusal({ fills: '{ model: shadow }' })).toBe('accepted');
  });
});
