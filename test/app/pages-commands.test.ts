import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parse, stringify } from 'yaml';
import { program } from '../../src/app/cli/program.ts';
import { configSchema } from '../../src/app/config/schema.ts';
import { loadScenario } from '../../src/research/scenario/load.ts';
import { loadSweep } from '../../src/research/search/sweep-file.ts';
import { asGodwit, linesOfBlocks, missingLines, outputsOf, pages, read, root } from './support/pages.ts';
import { params } from '../../strategies/market-maker/params.ts';

const commands = pages.flatMap((page) =>
  linesOfBlocks(page).flatMap(({ line }) => {
    const said = asGodwit(line);
    return said === undefined ? [] : [{ page, line: said.replace(/\s+(<|>|\|).*$/, '') }];
  }),
);

let folder: string;
beforeAll(() => {
  mkdirSync(join(root, '.godwit'), { recursive: true });
  folder = mkdtempSync(join(root, '.godwit/pages-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function run(args: readonly string[]): Promise<{ code: number; out: string }> {
  const lines: string[] = [];
  const data = (line: string): void => void lines.push(line);
  const said = program({ data, progress: () => {}, colour: false });
  const code = await said.run(['node', 'godwit', ...args]).catch((error: unknown) => {
    if (error instanceof Error && error.message === '(outputHelp)') return 0;
    throw error;
  });
  return { code, out: lines.join('\n') };
}

test('every command of README and the pages exists, with each of its options', async () => {
  const unknown: string[] = [];
  for (const { page, line } of commands) {
    const words = line.split(/\s+/).slice(2);
    const end = words.findIndex((word) => word.startsWith('-') || /[./]/.test(word));
    const verbs = (end < 0 ? words : words.slice(0, end)).filter((word) => /^[a-z-]+$/.test(word));
    const isGroup = ['check', 'data', 'config', 'new'].includes(verbs[0] ?? '');
    if (verbs.length === 0) continue;
    const { out } = await run([...verbs.slice(0, isGroup ? 2 : 1), '--help']);
    for (const option of words.filter((word) => word.startsWith('--')))
      if (!out.includes(option.replace(/=.*/, ''))) unknown.push(`${page}: ${line}: ${option}`);
  }
  expect(unknown).toEqual([]);
  expect(commands.length).toBeGreaterThan(40);
});

/** Commands whose output no page shows, and why. */
const unshown: Readonly<Record<string, string>> = {
  worker: 'it needs a queue server',
  version: 'the same as --version',
  help: 'the same as --help',
};

test('every command is shown with what it prints', async () => {
  const groups = ['check', 'data', 'config', 'new', 'incident'];
  const namesOf = (help: string): readonly string[] =>
    [...help.slice(help.indexOf('Commands:')).matchAll(/^ {2}([a-z-]+)/gm)].map(([, name = '']) => name);
  const { out } = await run(['--help']);
  const names: string[] = [];
  for (const name of namesOf(out)) {
    if (!groups.includes(name)) names.push(name);
    else names.push(...namesOf((await run([name, '--help'])).out).map((one) => `${name} ${one}`));
  }
  const shown = pages.flatMap(outputsOf).map(({ line }) => line);
  const isShown = (name: string): boolean =>
    shown.some((line) => `${line} `.startsWith(`npx godwit ${name} `));
  expect(names.length).toBeGreaterThan(50);
  expect(
    names.filter((name) => !isShown(name) && unshown[name.split(' ').at(-1) ?? ''] === undefined),
  ).toEqual([]);
});

test('a line that a page shows and a command did not print is found', () => {
  const output = ['ok  sockets  2 of 3', 'profit  0.5 BTC', '12:00 UTC  trading …'];
  expect(missingLines(output, '12:31 UTC trading halted\nok sockets 1 of 4\nprofit 7 BTC')).toEqual([]);
  expect(missingLines(output, 'ok sockets 1 of 4\nloss 7 BTC\n12:31 UTC no trading')).toEqual(
    output.slice(1),
  );
});

/** What a block that shows a part of a scenario leaves out. */
const usualScenario = {
  name: 'a part',
  data: ['feed'],
  instrument: { symbol: 'ETHBTC' },
  strategy: { path: 'market-maker', params: {} },
};
/** Blocks that are not loaded, by a key of theirs, and why. */
const notOurs: Readonly<Record<string, string>> = {
  scrape_configs: 'a part of the configuration of Prometheus',
  series: 'it names files, and wants a strategy that declares them: test/app/run/series.test.ts has both',
};

test('every block of YAML of README and the pages is loaded: configurations, scenarios, sweeps', async () => {
  const found = [...pages, 'docs/tutorial.md'].flatMap((page) =>
    [...read(page).matchAll(/^```yaml\n([\s\S]*?)^```$/gm)].map(([, text = '']) => ({ page, text })),
  );
  const left: string[] = [];
  const loaded = { configuration: 0, scenario: 0, sweep: 0 };
  for (const [at, { page, text }] of found.entries()) {
    const tree = parse(text) as Readonly<Record<string, unknown>>;
    const keys = Object.keys(tree);
    const file = join(folder, `block-${at}.yaml`);
    try {
      if (keys.some((key) => Object.hasOwn(notOurs, key))) continue;
      if (keys.includes('space')) {
        writeFileSync(file, text);
        loadSweep(file);
        loaded.sweep += 1;
      } else if (keys.every((key) => Object.hasOwn(configSchema.shape, key))) {
        const secret = join(folder, 'secret');
        writeFileSync(secret, 'a-secret-of-the-test', { mode: 0o600 });
        const filled = text.replaceAll(/\$\{env:\w+\}/g, `\${file:${secret}}`);
        writeFileSync(file, filled);
        const venue = ['venue.base_url=http://127.0.0.1:8080', 'venue.ws_url=ws://127.0.0.1:8080'];
        const sets = keys.includes('venue') ? [] : venue.flatMap((one) => ['--set', one]);
        const usual = join(folder, 'usual.yaml');
        writeFileSync(usual, 'strategies: [{ name: maker, path: market-maker }]');
        const files = [...(keys.includes('strategies') ? [] : ['--config', usual]), '--config', file];
        const { code } = await run(['config', 'validate', '--command', 'trade', ...files, ...sets]);
        expect(code).toBe(0);
        loaded.configuration += 1;
      } else {
        const { data, instrument, ...rest } = usualScenario;
        const usual = keys.includes('sources') ? rest : { data, instrument, ...rest };
        writeFileSync(file, stringify({ ...usual, ...tree }));
        loadScenario(file);
        loaded.scenario += 1;
      }
    } catch (error) {
      left.push(`${page}: ${keys.join(' ')}: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
  expect(left).toEqual([]);
  expect(loaded.configuration).toBeGreaterThan(5);
  expect(loaded.scenario).toBeGreaterThan(5);
  expect(loaded.sweep).toBeGreaterThan(0);
});

test('what the pages change of a running strategy is a parameter that it takes', () => {
  const changes = pages.flatMap((page) =>
    [...read(page).matchAll(/godwit params maker((?: \w+=[\w.]+)+)/g)].map(([, words = '']) =>
      Object.fromEntries(
        words
          .trim()
          .split(' ')
          .map((word) => word.split('=') as [string, string]),
      ),
    ),
  );
  expect(changes.length).toBeGreaterThan(0);
  for (const names of changes)
    expect(Object.keys(names).filter((name) => !Object.hasOwn(params.shape, name))).toEqual([]);
});

test('an import in the code of a page is of a public entry', () => {
  const { exports } = JSON.parse(read('package.json')) as {
    readonly exports: Readonly<Record<string, unknown>>;
  };
  const entries = Object.keys(exports).map((entry) => `godwit${entry.slice(1)}`);
  const foreign = pages.flatMap((page) =>
    [...read(page).matchAll(/^```ts\n([\s\S]*?)^```$/gm)].flatMap(([, code = '']) =>
      [...code.matchAll(/from '([^']+)'/g)]
        .map(([, name = '']) => name)
        .filter((name) => /^godwit\b|\/src\//.test(name) && !entries.includes(name))
        .map((name) => `${page}: ${name}`),
    ),
  );
  expect(foreign).toEqual([]);
});

test('no order of the first strategy of docs/strategies.md is denied', async () => {
  const code = [...read('docs/strategies.md').matchAll(/^```ts\n([\s\S]*?)^```$/gm)][0]?.[1] ?? '';
  const file = join(folder, 'one-tick-maker.ts');
  writeFileSync(file, code);
  const named = ['--strategy', file, '--param', 'symbol=ETHBTC', '--param', 'quantity=0.05'];
  const kept = ['--no-save', '--no-band', '--json'];
  const { out } = await run(['backtest', join(root, 'backtest/feeds/sample'), ...named, ...kept]);
  const { orders } = JSON.parse(out) as { orders: { placed: number; denied: number } };
  expect(orders.denied).toBe(0);
  expect(orders.placed).toBeGreaterThan(20);
});
