import { execFile } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  realpathSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, expect, test } from 'vitest';
import { home } from '../../system/support/cli.ts';
import { until } from '../../system/support/until.ts';

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'godwit-bundle-')));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A checkout with the launcher of this one and a program of three modules, which says `word` and where it runs from. */
class Checkout {
  readonly root: string;
  readonly bundles: string;

  constructor(name: string) {
    this.root = join(folder, name);
    this.bundles = join(this.root, 'node_modules/.cache/godwit/bundles');
    cpSync(join(home, 'bin'), join(this.root, 'bin'), { recursive: true });
    mkdirSync(join(this.root, 'node_modules'));
    for (const one of readdirSync(join(home, 'node_modules')).filter((each) => !each.startsWith('.')))
      symlinkSync(join(home, 'node_modules', one), join(this.root, 'node_modules', one));
    this.write('node_modules/.package-lock.json', '{}');
    this.write('package.json', '{ "type": "module", "exports": {} }');
    for (const source of ['src/core/base/module-url.ts', 'src/app/run/code-hash.ts'])
      cpSync(join(home, source), join(this.root, source), { recursive: true });
    this.write('src/operate/views/view.ts', 'export type View = string;');
    this.write(
      'src/app/cli/main.ts',
      `import { word } from './word.ts';
       import { moduleUrl } from '../../core/base/module-url.ts';
       import { codeHash } from '../run/code-hash.ts';
       const started: URL = moduleUrl(new URL('./late.ts', import.meta.url));
       const { late } = await import(started.href);
       console.log([word, late, import.meta.url.slice(-3), process.argv[1], codeHash()].join(' '));
       process.exit(0);`,
    );
    this.write('src/app/cli/late.ts', "import { word } from './word.ts'; export const late: string = word;");
    this.say('one');
  }

  write(path: string, text: string): void {
    mkdirSync(dirname(join(this.root, path)), { recursive: true });
    writeFileSync(join(this.root, path), text);
  }

  /** Changes one source. */
  say(word: string): void {
    this.write('src/app/cli/word.ts', `export const word: string = '${word}';`);
  }

  /** Words that the program says, and whether a bundle said them. */
  async start(): Promise<{
    readonly said: readonly string[];
    readonly isBundled: boolean;
    readonly code: string;
  }> {
    const { stdout } = await run(process.execPath, [join(this.root, 'bin/godwit.js'), 'backtest']);
    const [word = '', late = '', ending = '', program = '', code = ''] = stdout.trim().split(' ');
    return { said: [word, late, ending], isBundled: program.startsWith(this.bundles), code };
  }

  /** Names of the bundles that are whole. */
  made(): readonly string[] {
    return existsSync(this.bundles) ? readdirSync(this.bundles).filter((name) => !name.includes('.')) : [];
  }

  async make(): Promise<void> {
    const bundle = JSON.stringify(join(this.root, 'bin/bundle.js'));
    const code = `const { makeBundle } = await import(${bundle}); await makeBundle();`;
    await run(process.execPath, ['--input-type=module', '--eval', code]);
  }
}

const run = promisify(execFile);

test('a bundle has the hash of its sources, which the sources themselves come to', async () => {
  const checkout = new Checkout('hashed');
  const codes = [];
  for (const word of ['one', 'two']) {
    checkout.say(word);
    const plain = await checkout.start();
    await until('the bundle', () => checkout.made().length === codes.length + 1);
    const bundled = await checkout.start();
    expect([plain.isBundled, bundled.isBundled]).toEqual([false, true]);
    expect(bundled.code).toMatch(/^[0-9a-f]{16}$/);
    expect(bundled.code).toBe(plain.code);
    codes.push(bundled.code);
  }
  expect(codes[0]).not.toBe(codes[1]);
});

test('a checkout runs the bundle of its sources, and sources that changed as they are until there is one of them', async () => {
  const checkout = new Checkout('changed');
  expect(await checkout.start()).toMatchObject({ said: ['one', 'one', '.ts'], isBundled: false });
  await until('the bundle that the start had made', () => checkout.made().length === 1);
  // A module of the bundle has the address of its source; one that is loaded by its file is the bundle's, too.
  expect(await checkout.start()).toMatchObject({ said: ['one', 'one', '.ts'], isBundled: true });
  // Node knows its files as modules, and does not try them the other way first.
  const bundled = join(checkout.bundles, checkout.made()[0] ?? '', 'app.cli.main.js');
  const { stdout } = await run(process.execPath, ['--no-experimental-detect-module', bundled]);
  expect(stdout).toMatch(/^one one/);
  checkout.say('two');
  expect(await checkout.start()).toMatchObject({ said: ['two', 'two', '.ts'], isBundled: false });
  await until('a second bundle', () => checkout.made().length === 2);
  expect(await checkout.start()).toMatchObject({ said: ['two', 'two', '.ts'], isBundled: true });
  checkout.say('one');
  expect(await checkout.start()).toMatchObject({ said: ['one', 'one', '.ts'], isBundled: true });
  const text = readFileSync(join(checkout.root, 'node_modules/.package-lock.json'), 'utf8');
  checkout.write('node_modules/.package-lock.json', `${text}\n`);
  expect((await checkout.start()).isBundled).toBe(false);
});

test('processes that make one bundle at once leave one, and what no process has used for a day is removed', async () => {
  const checkout = new Checkout('at-once');
  const [old, used] = ['0'.repeat(32), '1'.repeat(32)].map((name) => join(checkout.bundles, name));
  for (const one of [old, used]) mkdirSync(one ?? '', { recursive: true });
  const before = Date.now() / 1_000 - 2 * 86_400;
  utimesSync(old ?? '', before, before);
  await Promise.all([checkout.make(), checkout.make(), checkout.make()]);
  expect(readdirSync(checkout.bundles)).toHaveLength(2);
  expect(checkout.made()).toContain('1'.repeat(32));
  expect(await checkout.start()).toMatchObject({ said: ['one', 'one', '.ts'], isBundled: true });
});

test('where no bundle can be written, and where the packages are those of another checkout, the sources run', async () => {
  const checkout = new Checkout('read-only');
  checkout.write('node_modules/.cache/godwit', 'no folder');
  await expect(checkout.make()).rejects.toThrow('ENOTDIR');
  expect(await checkout.start()).toMatchObject({ said: ['one', 'one', '.ts'], isBundled: false });
  const linked = new Checkout('linked');
  rmSync(join(linked.root, 'node_modules'), { recursive: true });
  symlinkSync(join(checkout.root, 'node_modules'), join(linked.root, 'node_modules'));
  expect(await linked.start()).toMatchObject({ said: ['one', 'one', '.ts'], isBundled: false });
});
