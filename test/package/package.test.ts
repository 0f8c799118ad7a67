import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { nodePackages } from '../../bin/pinned-node.js';
import { Installed, root } from './installed.ts';
import { unnamedTypes } from './named-types.ts';

const installed = new Installed();
afterAll(() => installed.close());
const { folder, launcher } = installed;
const shipped = join('node_modules', 'godwit');
const sample = join(shipped, 'backtest', 'feeds', 'sample');
const names = Object.keys(manifestIn(root).exports)
  .filter((name) => name !== './package.json')
  .map((name) => `godwit${name.slice(1)}`);

/** The pinned Node, the LTS before it and the next one. */
const pinned = Number.parseInt(process.versions.node, 10);
const nodes = [pinned - 2, pinned, pinned + 1].map((major) => ({ major, node: installed.node(major) }));
const node = process.execPath;

interface Manifest {
  readonly exports: Readonly<Record<string, unknown>>;
  readonly scripts: Readonly<Record<string, string>>;
  readonly optionalDependencies: Readonly<Record<string, string>>;
}

interface Backtest {
  readonly identity: { readonly strategy: string; readonly decisions: string };
  readonly orders: { readonly placed: number };
  readonly messages: { readonly market: number };
}

function manifestIn(place: string): Manifest {
  return JSON.parse(readFileSync(join(place, 'package.json'), 'utf8')) as Manifest;
}

/** The optional dependencies of the lock file. */
function lockedIn(place: string): Readonly<Record<string, string>> | undefined {
  const { packages } = JSON.parse(readFileSync(join(place, 'package-lock.json'), 'utf8')) as {
    readonly packages: Readonly<Record<string, Manifest>>;
  };
  return packages['']?.optionalDependencies;
}

describe('the tarball', () => {
  test('holds compiled code, its license, its pages and no test, at most 3 MB', () => {
    const paths = installed.packed.files.map(({ path }) => path);
    expect(installed.packed.size).toBeLessThan(3_000_000);
    for (const name of [
      'LICENSE',
      'README.md',
      'CHANGELOG.md',
      'SECURITY.md',
      'docs/README.md',
      'docs/errors.md',
    ])
      expect(paths).toContain(name);
    expect(paths).toContain('dist/src/research/report/render/page/page.css');
    for (const name of ['index.html', 'page.css', 'icon.svg', 'main.js'])
      expect(paths).toContain(`dist/src/operate/page/${name}`);
    expect(paths.filter((path) => /^test\/|\.test\.|^src\//.test(path))).toEqual([]);
    expect(paths.filter((path) => path.endsWith('.ts') && !path.endsWith('.d.ts'))).toEqual([]);
  });

  test('names no folder of the machine that packed it', () => {
    const texts = readdirSync(join(folder, shipped), { recursive: true, encoding: 'utf8' }).filter((name) =>
      /\.(js|d\.ts|json|md|yaml|css)$/.test(name),
    );
    expect(texts.length).toBeGreaterThan(500);
    expect(
      texts.filter((name) => readFileSync(join(folder, shipped, name), 'utf8').includes(join(root, '.'))),
    ).toEqual([]);
  });

  test('brings no script that runs on installation, and no node', () => {
    const { scripts, optionalDependencies } = manifestIn(join(folder, shipped));
    for (const name of ['preinstall', 'install', 'postinstall', 'prepare'])
      expect(Object.keys(scripts)).not.toContain(name);
    const commands = readdirSync(join(folder, 'node_modules', '.bin'));
    expect(commands).toContain('godwit');
    expect(commands).not.toContain('node');
    expect(Object.keys(optionalDependencies)).toContain('@nats-io/kv');
    expect(Object.keys(optionalDependencies).filter((name) => !name.startsWith('@nats-io/'))).toEqual([]);
  });

  test('leaves the checkout as it was, which names a Node per platform and is not published itself', () => {
    const checkout = manifestIn(root);
    const { code, err } = installed.npmInCheckout(['publish', '--dry-run', '--loglevel=error']);
    expect(code).not.toBe(0);
    expect(err).toContain('expected npm publish with the file that npm pack writes');
    expect(manifestIn(root)).toEqual(checkout);
    expect(Object.keys(checkout.optionalDependencies)).toEqual(
      expect.arrayContaining(Object.values(nodePackages)),
    );
    expect(checkout.optionalDependencies).toEqual(lockedIn(root));
  });
});

test('strategies, client and exchange check their types without skipLibCheck', () => {
  installed.write('strategies/one/index.ts', strategy);
  installed.write('bot.ts', bot);
  const compilerOptions = {
    target: 'es2024',
    module: 'nodenext',
    lib: ['es2024', 'dom'],
    types: [],
    strict: true,
    noEmit: true,
    skipLibCheck: false,
  };
  installed.write('tsconfig.json', JSON.stringify({ compilerOptions, include: ['*.ts', 'strategies'] }));
  const { out, code } = installed.run(node, [join(root, 'node_modules/typescript/bin/tsc'), '-p', '.']);
  expect(out).toBe('');
  expect(code).toBe(0);
});

/**
 * Types that declarations of an entry name and nobody can write down: of the connections of `godwit/client` and the server of
 * `godwit/exchange`, which hand out parts of themselves. The numbers only fall.
 */
const unnamedAllowed: Readonly<Record<string, number>> = { './client': 49, './exchange': 15 };

test('an entry exports every type that its public declarations name', () => {
  const entries = Object.entries(manifestIn(join(folder, shipped)).exports as Exports).flatMap(
    ([name, entry]) =>
      typeof entry === 'string' ? [] : [{ name, path: join(folder, shipped, entry.types) }],
  );
  expect(entries.map(({ name }) => name)).toEqual([
    '.',
    './data',
    './strategy',
    './fills',
    './client',
    './exchange',
  ]);
  for (const { name, path } of entries) {
    // The short entry hands on what others declare.
    const beside = name === '.' ? entries.map((one) => one.path) : [];
    const unnamed = unnamedTypes(path, beside);
    const allowed = unnamedAllowed[name] ?? 0;
    if (unnamed.length !== allowed) expect(unnamed, `${name}: ${allowed} are allowed`).toEqual([]);
  }
});

type Exports = Readonly<Record<string, string | { readonly types: string }>>;

describe.each(nodes)('under Node $major', ({ major, node: found = '' }) => {
  if (found === '') process.stderr.write(`skipped under Node ${major}: the registry has none\n`);
  const testOnNode = test.skipIf(found === '');

  testOnNode('every export is imported', () => {
    const code = `for (const door of ${JSON.stringify(names)}) console.log(door, Object.keys(await import(door)).length > 0);`;
    const { out, err } = installed.run(found, ['--input-type=module', '--eval', code]);
    expect(err).toBe('');
    expect(out).toBe(names.map((name) => `${name} true\n`).join(''));
  });

  testOnNode('npx godwit runs a strategy of the user and a shipped one', () => {
    installed.write('strategies/one/index.ts', strategy);
    const named = installed.npx(found, ['--version']);
    expect(named.out).toContain(`Node ${major}.`);
    for (const [name, path] of [
      ['one', 'strategies/one'],
      ['market-maker', 'market-maker'],
    ] as const) {
      const args = [
        'backtest',
        sample,
        '--strategy',
        path,
        '--param',
        'symbol=ETHBTC',
        '--no-save',
        '--json',
      ];
      const { code, err, out } = installed.npx(found, [...args, '--no-band']);
      expect(code, err).toBe(0);
      const { identity, orders, messages } = JSON.parse(out) as Backtest;
      expect(identity.strategy.split(' ')[0]).toBe(name);
      expect(orders.placed).toBeGreaterThan(0);
      // The sample recording holds as many market data events, and every Node makes the same decisions from them.
      expect(messages.market).toBe(3876);
      expect(decisionsOf(name, identity.decisions)).toBe(identity.decisions);
    }
  });

  testOnNode('the demo runs exchange, daemon and strategy', () => {
    const { code, err, out } = installed.run(found, [launcher, 'demo', '--for', '3s', '--record']);
    expect(code, err).toBe(0);
    expect(out).toContain('ETHBTC');
  });
});

const decisions = new Map<string, string>();

/** The digest of the decisions that the first run of a strategy made. */
function decisionsOf(strategyName: string, digest: string): string {
  const first = decisions.get(strategyName) ?? digest;
  decisions.set(strategyName, first);
  return first;
}

/** A program of the project that prints the help of commands of the installed package. */
const helpOfEach = (verbs: readonly string[]): string => `
  import { program } from './${shipped}/dist/src/app/cli/program.js';
  const output = { data: console.log, progress: console.error, colour: false };
  for (const verb of ${JSON.stringify(verbs)})
    await program(output).run(['node', 'godwit', verb, '--help']).catch(() => {});
`;

describe('every command', () => {
  const run = (...args: readonly string[]): string => {
    const { code, out, err } = installed.run(node, [launcher, ...args]);
    expect(code, `godwit ${args.join(' ')}: ${err}`).toBe(0);
    return out;
  };

  test('shows its help', () => {
    const help = run('--help');
    const verbs = [...help.slice(help.indexOf('Commands:')).matchAll(/^ {2}([a-z-]+)/gm)].map(
      ([, verb]) => verb ?? '',
    );
    expect(verbs.length).toBeGreaterThan(12);
    const [, pages = ''] = /^Pages.*: (.*)$/m.exec(help) ?? [];
    expect(readdirSync(pages)).toContain('bars.md');
    // One that the launcher hands to a process of its own, and one that it answers itself.
    for (const verb of ['backtest', 'status']) expect(run(verb, '--help')).toContain(`Usage: godwit ${verb}`);
    // All of them are made by one function: a process for each took half a second and showed no more.
    const shown = installed.run(node, ['--input-type=module', '--eval', helpOfEach(verbs)]);
    expect(shown.err).toBe('');
    for (const verb of verbs.filter((name) => name !== 'help'))
      expect(shown.out).toContain(`Usage: godwit ${verb} `);
  });

  test('backtest, report, compare', () => {
    const scenario = join(shipped, 'backtest', 'scenarios', 'sample.yaml');
    run('backtest', '--scenario', scenario, '--name', 'a', '--html', 'a.html', '--no-band');
    run('backtest', '--scenario', scenario, '--name', 'b', '--no-band');
    expect(readFileSync(join(folder, 'a.html'), 'utf8')).toContain('uPlot');
    expect(run('report', 'runs/backtests/a')).not.toBe('');
    run('compare', 'runs/backtests/a', 'runs/backtests/b', '--expect-equal');
  });

  test('data, config, new strategy', () => {
    run('data', 'import', sample, '--out', 'sample.pack');
    run('data', 'inspect', 'sample.pack');
    run('data', 'verify', 'sample.pack');
    run('data', 'books', 'sample.pack');
    run('data', 'export', 'sample.pack', '--to', 'csv', '--out', 'sample.csv');
    expect(run('data', 'list')).toContain('pack');
    run('config', 'show', '--config', join(shipped, 'config', 'default.yaml'));
    expect(
      run('config', 'validate', '--mode', 'paper', '--config', join(shipped, 'config', 'paper.yaml')),
    ).toBe('the configuration is right\n');
    run('new', 'strategy', 'made');
    run('backtest', 'sample.pack', '--strategy', 'strategies/made', '--no-save', '--no-band');
  });

  test('sweep, walk-forward and the checks, in threads and processes', () => {
    run('sweep', sample, '--strategy', 'market-maker', '--space', 'spreadFactor=0.2,1', '--workers', '2');
    const sweep = join(shipped, 'backtest', 'sweeps', 'sample.yaml');
    run('walk-forward', sweep, '--train', '40s', '--test', '20s', '--search', 'random', '--trials', '2');
    run('check', 'lookahead', sample, '--strategy', 'market-maker', '--cuts', '2');
    run('check', 'determinism', sample, '--strategy', 'market-maker');
    const warm = ['check', 'warm-up', sample, '--strategy', 'market-maker', '--starts', '1', '--step', '5s'];
    // It takes a while to forget where the data begin.
    expect(installed.run(node, [launcher, ...warm]).code).toBe(7);
  });

  test('exchange, record, trade, replay, drift', async () => {
    const exchange = await installed.start(node, ['exchange', '--seed', '7', '--json']);
    const { rest, ws } = JSON.parse(exchange.line) as { readonly rest: string; readonly ws: string };
    const venue = ['--set', `venue.base_url=${rest}`, '--set', `venue.ws_url=${ws}`];
    run('record', ...venue, '--set', 'record.symbols=[ETHBTC]', '--for', '2s');
    run('data', 'inspect', 'recordings');
    run('trade', '--mode', 'paper', ...venue, '--strategy', 'market-maker', '--for', '3s');
    expect(await exchange.stop()).toBe(143);
    const [session = ''] = readdirSync(join(folder, 'runs', 'demo'));
    run('replay', `runs/demo/${session}/recording`, '--journal', `runs/demo/${session}`);
    run('drift', `runs/demo/${session}`);
  });
});

const strategy = `import { defineStrategy, z } from 'godwit/strategy';

export default defineStrategy({
  name: 'one',
  params: z.strictObject({ symbol: z.string() }),
  feeds: ({ symbol }) => [{ symbol, book: true }],
  create: ({ params, orders }) => ({
    onBook(book): void {
      if (book.bestBid === undefined || orders.openCount(params.symbol) > 0) return;
      const { symbol } = params;
      orders.place({ symbol, side: 'buy', price: book.bestBid, quantity: '0.01', postOnly: true });
    },
  }),
});
`;

const bot = `import { version } from 'godwit';
import type { V3Order } from 'godwit/client';
import { GodwitClient } from 'godwit/client';
import type { OpenedData } from 'godwit/data';
import { openData } from 'godwit/data';
import { startExchange } from 'godwit/exchange';
import * as fills from 'godwit/fills';

const exchange = await startExchange({ seed: 7 });
const client = new GodwitClient({ baseUrl: exchange.restUrl });
export const placed: Promise<V3Order> = client.v3.spot.createOrder({
  symbol: 'ETHBTC', side: 'buy', quantity: '1', price: '1',
});
export const names: readonly string[] = [...Object.keys(fills), version];
export const data: Promise<OpenedData> = openData('bars.csv', { series: { zone: 'UTC' } });
await exchange.stop();
`;
