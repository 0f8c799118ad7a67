import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { main, shortLived } from '../../system/support/cli.ts';
import { run } from './support/run.ts';

const sample = 'backtest/feeds/sample';
const folder = mkdtempSync(join(tmpdir(), 'godwit-author-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function strategy(name: string, lines: readonly string[]): string {
  const path = join(folder, `${name}.ts`);
  writeFileSync(path, [`import { defineStrategy, z } from 'godwit/strategy';`, ...lines, ''].join('\n'));
  return path;
}

/** A process of its own: a test runner reads TypeScript in another way. */
function backtest(path: string): { readonly status: number | null; readonly err: string } {
  const args = [...shortLived, main, 'backtest', sample, '--no-save', '--no-band', '--strategy', path];
  const { status, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
  return { status, err: stderr };
}

test('a strategy that cannot be parsed is refused with its line', () => {
  const { status, err } = backtest(
    strategy('torn', ['', 'export default defineStrategy({ name: "torn", }}']),
  );
  expect(err).toMatch(
    /^godwit: strategy torn \(\S+torn\.ts\): it could not be loaded: SyntaxError: .+ \(torn\.ts:3\)\n$/,
  );
  expect(status).toBe(78);
});

test('a handler that throws is reported with the line of the author, also when we threw for it', () => {
  const path = strategy('half', [
    'export default defineStrategy({',
    `  name: 'half', params: z.strictObject({}), feeds: () => [{ symbol: 'ETHBTC', book: true }],`,
    '  create: ({ orders }) => ({',
    '    onBook({ bestBid }) {',
    `      orders.place({ symbol: 'ETHBTC', side: 'buy', quantity: 0.5, price: bestBid });`,
    '    },',
    '  }),',
    '});',
  ]);
  const { status, err } = backtest(path);
  expect(err).toContain(
    'expected the quantity of ETHBTC to be a whole number of lots, found 0.5 (half.ts:6:14)',
  );
  expect(status).toBe(1);
});

test('a file of settings where a recording is due gets a message that says how to name it', async () => {
  const said = await run('backtest backtest/scenarios/sample.yaml');
  expect(said.code).toBe(2);
  expect(said.err).toContain('a scenario is named by --scenario backtest/scenarios/sample.yaml');
  expect((await run('check lookahead backtest/sweeps/sample.yaml')).err).toContain(
    'godwit sweep backtest/sweeps',
  );
});

test('a symbol that the data do not have is a wrong setting, as it is in live', async () => {
  const line = `backtest ${sample} --strategy market-maker --param symbol=NOPE --no-save --no-band`;
  const { code, err } = await run(line);
  expect(err).toMatch(
    /^godwit: strategy market-maker: feeds\(\) asks for "NOPE", expected a symbol of this run; there are /,
  );
  expect(code).toBe(78);
});

test('a text parameter takes a small number as it was written', async () => {
  const path = strategy('small', [
    'export default defineStrategy({',
    `  name: 'small', params: z.object({ size: z.string() }), feeds: () => [{ symbol: 'ETHBTC', book: true }],`,
    '  create: ({ params, log }) => ({ onStart: () => log.warn(`size ${params.size}`) }),',
    '});',
  ]);
  const line = `backtest ${sample} --no-save --no-band --strategy ${path} --param size=0.00000001`;
  expect((await run(line)).err).toContain('warn: size 0.00000001\n');
  const misspelt = await run(`${line} --param sizes=1`);
  expect(misspelt.err).toContain('there is no param "sizes", did you mean size?');
  expect(misspelt.code).toBe(78);
});

test('a misspelt name that was needed is reported as misspelt, and not as missing', async () => {
  const sweep = join(folder, 'sweep.yaml');
  writeFileSync(sweep, 'name: s\ndata: [nowhere]\nstrategy: { path: twap }\nspce: { slices: [1, 2] }\n');
  expect(await run(`sweep ${sweep}`)).toMatchObject({
    code: 78,
    err: expect.stringContaining('spce is not a known'),
  });
  const scenario = join(folder, 'scenario.yaml');
  writeFileSync(scenario, 'nme: s\ndata: [nowhere]\nstrategy: { path: twap }\n');
  expect((await run(`backtest --scenario ${scenario}`)).err).toContain('nme is not a known setting');
  const path = strategy('needy', [
    'export default defineStrategy({',
    `  name: 'needy', params: z.strictObject({ symbol: z.string() }), feeds: () => [], create: () => ({}),`,
    '});',
  ]);
  const said = await run(`backtest ${sample} --no-save --no-band --strategy ${path} --param symboll=ETHBTC`);
  expect(said.err).toContain('there is no param "symboll", did you mean symbol?');
});
