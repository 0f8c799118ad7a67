import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, test } from 'vitest';
import { backtestCommand } from '../../src/app/backtest/command.ts';
import { commandText } from '../../src/app/cli/program.ts';
import { program } from '../../src/app/cli/program.ts';
import { htmlPage } from '../../src/research/report/render/html-page.ts';
import { readReport } from '../../src/research/report/stored.ts';

const home = fileURLToPath(new URL('../..', import.meta.url)).replace(/[\\/]$/, '');
const folder = mkdtempSync(join(tmpdir(), 'godwit-told-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function godwit(...args: readonly string[]): Promise<{ code: number; out: string }> {
  const lines: string[] = [];
  const output = { data: (line: string) => void lines.push(line), progress: () => {}, colour: false };
  const code = await program(output).run(['node', 'godwit', ...args]);
  return { code, out: lines.join('\n') };
}

function writeBars(name: string): void {
  const rows = ['time,open,high,low,close,volume'];
  for (let at = 0; at < 900; at++) {
    const close = Math.round(1_000 + 80 * Math.sin(at / 25));
    rows.push([1_600_000_020 + at * 60, close, close + 3, close - 3, close, 7].join(','));
  }
  writeFileSync(join(folder, name), `${rows.join('\n')}\n`);
}

function scenario(name: string, more: { data?: string; params?: string; balance?: string } = {}): string {
  const { data = 'a.csv', params = 'every: 40', balance = '100000' } = more;
  const file = join(folder, `${name}.yaml`);
  writeFileSync(
    file,
    [
      `name: ${name}`,
      `data: [${data}]`,
      "instrument: { symbol: ABC, base: ABC, quote: USD, tick: '1', lot: '1', fees: { maker: '0', taker: '0' } }",
      'fills: { model: bars, account: { kind: margin } }',
      `balances: { USD: '${balance}' }`,
      `strategy: { path: ${join(home, 'test/app/fixtures/seldom.ts')}, params: { symbol: ABC, ${params} } }`,
    ].join('\n'),
  );
  return file;
}

interface Reported {
  readonly command: string;
  readonly identity: { readonly configuration: string };
  readonly sections: readonly {
    readonly key: string;
    readonly figures: readonly { readonly label: string; readonly value: string; readonly usual?: string }[];
    readonly tables: readonly { readonly title: string; readonly rows: readonly (readonly string[])[] }[];
  }[];
}

describe('the report of a scenario', () => {
  writeBars('a.csv');
  writeBars('b.csv');
  const run = async (file: string, ...more: readonly string[]): Promise<Reported> => {
    const { code, out } = await godwit(
      'backtest',
      '--scenario',
      file,
      '--no-band',
      '--no-save',
      '--json',
      ...more,
    );
    expect(code).toBe(0);
    return JSON.parse(out) as Reported;
  };

  test('says parameters with their defaults, settings that are not the defaults, and the command', async () => {
    const { command, sections } = await run(scenario('one'));
    const said = (key: string): readonly (readonly (string | undefined)[])[] | undefined =>
      sections
        .find((one) => one.key === key)
        ?.figures.map(({ label, value, usual }) => [label, value, usual]);
    expect(said('parameters')).toEqual([
      ['symbol', 'ABC', undefined],
      ['every', '40', '400'],
      ['offset', '1', '1'],
      ['quantity', '5', '5'],
    ]);
    expect(said('settings')).toContainEqual(['balances.USD', '100000', undefined]);
    expect(said('settings')).toContainEqual(['fills.account.kind', 'margin', 'spot']);
    expect(command).toMatch(/^godwit backtest --scenario \S+one\.yaml --no-band --no-save --json$/);
  });

  test('has another configuration for another strategy, other data, another account', async () => {
    const configurations = await Promise.all(
      [
        scenario('one'),
        scenario('two'),
        scenario('three', { params: 'every: 41' }),
        scenario('four', { data: 'b.csv' }),
        scenario('five', { balance: '200000' }),
      ].map(async (file) => (await run(file)).identity.configuration),
    );
    expect(configurations[0]).toBe(configurations[1]);
    expect(new Set(configurations).size).toBe(4);
  });

  test('lists its closed trades in JSON and on the page, and as CSV', async () => {
    const csv = join(folder, 'trades.csv');
    const { sections } = await run(scenario('one'), '--trades', csv);
    const table = sections.flatMap(({ tables }) => tables).find(({ title }) => title === 'Closed trades');
    const [head = '', ...lines] = readFileSync(csv, 'utf8').trimEnd().split('\n');
    expect(head.split(',').slice(0, 5)).toEqual(['opened', 'closed', 'symbol', 'strategy', 'side']);
    expect(lines).toHaveLength(table?.rows.length ?? 0);
    expect(lines.length).toBeGreaterThan(20);
    expect(table?.rows[0]?.slice(2, 7)).toEqual(['ABC', 'seldom', 'long', 'market, taker', '5']);
    expect(lines[0]).toMatch(/,ABC,seldom,long,"market, taker",5,\d+,\d+,-?\d+,0,-?\d+,USD,-?[\d.]+,60$/);
  });

  test('is kept with its trades beside it, and shown with them', async () => {
    const output = { data: () => {}, progress: () => {}, colour: false };
    const report = {
      save: true,
      band: false,
      name: 'kept',
      directory: join(folder, 'runs'),
      command: 'godwit backtest --name kept',
    };
    expect(
      await backtestCommand({ scenario: { file: scenario('one'), home }, output, json: false, report }),
    ).toBe(0);
    const kept = join(folder, 'runs', 'backtests', 'kept');
    expect(existsSync(join(kept, 'trades.csv'))).toBe(true);
    const page = htmlPage(readReport(kept));
    for (const said of ['<tr><td>every<td>40<td>400', 'Closed trades', 'class="command"'])
      expect(page).toContain(said);
  });
});

test('a sweep and a walk-forward say what is searched, what stands, the settings and the command', async () => {
  const sweep = join(folder, 'sweep.yaml');
  const lines = [`scenario: ${scenario('swept')}`, 'space: { every: [40, 60] }', 'search: grid'];
  writeFileSync(sweep, lines.join('\n'));
  const kept = ['--store', join(folder, 'sweep.ndjson'), '--ledger', join(folder, 'trials.ndjson')];
  const page = join(folder, 'walk.html');
  const walk = ['--train', '4h', '--test', '2h', '--no-save', '--html', page];
  for (const [verb, ...more] of [['sweep'], ['walk-forward', ...walk]]) {
    const args = [verb ?? '', sweep, '--workers', '1', ...kept, ...more];
    const { out } = await godwit(...args, '--json');
    const { command, sections } = JSON.parse(out) as Reported;
    expect(command).toBe(commandText([...args, '--json']));
    const figures = sections.flatMap((one) => (one.key === 'identity' ? [] : one.figures));
    expect(figures).toContainEqual(
      expect.objectContaining({ label: 'every', value: '40, 60', usual: '400' }),
    );
    expect(figures).toContainEqual(expect.objectContaining({ label: 'symbol', value: 'ABC' }));
    expect(figures).toContainEqual(expect.objectContaining({ label: 'balances.USD', value: '100000' }));
    const { out: text } = await godwit(...args);
    expect(text).toMatch(/\nParameters\n[^]* every +40, 60\n[^]*\nChanged settings\n/);
    expect(text).toContain(commandText(args));
  }
  expect(readFileSync(page, 'utf8')).toContain('<tr><td>every<td>40, 60<td>400');
});

test('a command is reported without what may be a secret', () => {
  const args = [
    'trade',
    '--set',
    'venue.secret_key=abc',
    '--set=account=me',
    '--param',
    'note=a b',
    '--queue=nats://me:word@host:4222',
    '--json',
  ];
  expect(commandText(args)).toBe(
    "godwit trade --set venue.secret_key=... --set=account=... --param 'note=a b' --queue=nats://...@host:4222 --json",
  );
});
