import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { zipSync } from 'fflate';
import { describe, expect, test } from 'vitest';
import type { ScenarioResult } from '../../../src/app/backtest/scenario-result.ts';
import { program } from '../../../src/app/cli/program.ts';
import { formatAmount } from '../../../src/core/base/amount.ts';
import { timeText } from '../../../src/core/base/clock.ts';
import { loadScenario } from '../../../src/research/scenario/load.ts';
import { marginSetupOf } from '../../../src/research/scenario/margin-setup.ts';
import { openScenarioData } from '../../../src/research/scenario/recording.ts';

const feed = fileURLToPath(new URL('../../../backtest/feeds/sample', import.meta.url));
const leveraged = fileURLToPath(new URL('fixtures/leveraged.ts', import.meta.url));
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

async function run(
  said: Said & { readonly params?: string },
): Promise<ScenarioResult & { doubts: { code: string }[] }> {
  const file = write(said);
  const text = readFileSync(file, 'utf8');
  const [head = ''] = text.split('strategy:');
  writeFileSync(
    file,
    `${head}balances: { ETH: "1", BTC: "1" }\nstrategy: { path: ${leveraged}, params: { quantity: "0.05", ${said.params ?? ''} } }\n`,
  );
  const out: string[] = [];
  const output = { data: (line: string) => void out.push(line), progress: () => {}, colour: false };
  const argv = ['node', 'godwit', 'backtest', '--scenario', file, '--no-band', '--no-save', '--json'];
  await program(output).run(argv);
  return JSON.parse(out.join('\n')) as ScenarioResult & { doubts: { code: string }[] };
}

describe('a strategy of futures and margin in a backtest', () => {
  const funded = 'kind: perpetual, funding: { rate: "0.0001", every: 1m }';
  test.each(['queue', 'shadow'])(
    'trades a contract beside the fill model %s, and its report shows the charges',
    async (model) => {
      const top = 'products: [spot, futures]\nfuturesBalances: { BTC: "2" }';
      const { report, doubts, fills, complete } = await run({
        top,
        instrument: funded,
        fills: `{ model: ${model} }`,
      });
      expect(complete).toBe(true);
      expect(fills.length).toBeGreaterThan(5);
      const [row] = report?.instruments ?? [];
      expect(row?.account).toBe('isolated');
      expect(report?.margin).toMatchObject({ calls: 0, liquidations: 0 });
      const [charge] = report?.margin?.charges ?? [];
      expect(charge).toMatchObject({
        kind: 'funding',
        symbol: 'ETHBTC',
        account: 'isolated',
        count: 2,
        currency: 'BTC',
      });
      expect(charge?.amount).toBe(row?.charges);
      expect(Number(charge?.amount)).not.toBe(0);
      expect(doubts.map(({ code }) => code)).toEqual(['MARK_ASSUMED', 'FUNDING_ASSUMED']);
    },
  );

  test('is liquidated, which the report counts', async () => {
    const top = 'products: [spot, futures]\nfuturesBalances: { BTC: "2" }';
    const instrument =
      'kind: perpetual, fees: { maker: "0", taker: "0" }, margin: { leverage: "100", liquidation: "1.01", call: "1.005" }';
    const params = 'margin: "0.000026", turns: 1';
    const { report } = await run({ top, instrument, params });
    expect(report?.margin?.liquidations).toBe(1);
    expect(report?.margin?.calls).toBeGreaterThan(0);
    expect(report?.instruments[0]?.position).toBe('0');
  });

  test('pays interest on margin, from the balance of spot', async () => {
    const { report, doubts } = await run({
      top: 'products: [spot, margin]',
      instrument: 'margin: { interest: { rate: "0.0001", every: 1m } }',
      params: 'product: margin',
    });
    expect(report?.margin?.charges).toMatchObject([{ kind: 'interest', count: 2 }]);
    expect(Number(report?.margin?.charges[0]?.amount)).toBeGreaterThan(0);
    expect(doubts.map(({ code }) => code)).toEqual(['MARK_ASSUMED']);
  });

  test('is refused in one sentence where the scenario does not offer what it trades', async () => {
    await expect(run({ top: 'products: [spot]', instrument: 'kind: spot' })).rejects.toThrow(
      'products: expected futures among them, because strategy leveraged trades it, found spot',
    );
  });
});

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

  test('funding comes from the files of a venue: a zip of its archive, or a reply with several symbols', async () => {
    const of = async (name: string) => {
      const { setup } = await setupOf({ instrument: `kind: perpetual, funding: { file: ${name} }` });
      const { schedule } = setup?.charges[0] ?? {};
      const first = schedule?.nextAfter(0 as never);
      const second = schedule?.nextAfter(first as never);
      return [first, second].map(
        (time) => `${time} ${formatAmount(schedule?.rateAt(time as never) as never)}`,
      );
    };
    const csv =
      'calc_time,funding_interval_hours,last_funding_rate\n1677628800000,8,0.00010000\n1677657600003,8,-0.00002\n';
    writeFileSync(join(folder, 'f.zip'), zipSync({ 'f.csv': Buffer.from(csv) }));
    const rates = ['1677628800000000 0.0001', '1677657600003000 -0.00002'];
    expect(await of('f.zip')).toEqual(rates);
    const row = (symbol: string, fundingTime: number, fundingRate: string) => ({
      symbol,
      fundingTime,
      fundingRate,
    });
    const reply = [row('ETHBTC', 1_677_657_600_003, '-0.00002'), row('ETHBTC', 1_677_628_800_000, '0.0001')];
    writeFileSync(
      join(folder, 'f.json'),
      JSON.stringify({ result: { list: [...reply, row('X', 1_677_628_800_000, '0.3')] } }),
    );
    expect(await of('f.json')).toEqual(rates);
    writeFileSync(join(folder, 'f.json'), JSON.stringify([row('X', 1_677_628_800_000, '0.3')]));
    await expect(of('f.json')).rejects.toThrow('f.json: expected funding rates of ETHBTC, found those of X');
    writeFileSync(join(folder, 'f.zip'), zipSync({ 'f.csv': Buffer.from(csv) }).subarray(0, 60));
    await expect(of('f.zip')).rejects.toThrow('f.zip: expected a whole file, found: ');
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
