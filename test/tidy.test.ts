import { existsSync, readFileSync, statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { pagesOf } from '../docs/site/pages.ts';
import { rowsOn } from './bench/rows.ts';
import {
  callsNothingBanned,
  codesAreDocumented,
  hasNoCycles,
  hasNoKnots,
  isNamedAndFinished,
  isShort,
  keepsDecimalsAtTheBoundary,
  keepsToItsRow,
  numbersBeginAsNumbers,
  usesItsRow,
} from './support/tidy/rules.ts';
import {
  bareVerbsAllowed,
  clausesAllowed,
  dialectAllowed,
  entries,
  knownKnots,
  smallFiles,
} from './support/tidy/entries.ts';
import { standsAtItsSource } from './support/tidy/mirror.ts';
import { facesAreUsed, isEnteredByFaces } from './support/tidy/faces.ts';
import { countsMoneyInTheLedger, pageReckonsNoMoney, usesItsMoneyExceptions } from './support/tidy/money.ts';
import {
  beginsPlainly,
  givesVerbsObjects,
  namesConstructorObjects,
  namesValuesOnce,
} from './support/tidy/naming.ts';
import { brokenLinks, contentsOf, longCells } from './support/tidy/pages.ts';
import { unreachedExports } from './support/tidy/reach.ts';
import { namesFilesOnce, namesTypesOnce, standsAlone } from './support/tidy/shape.ts';
import { sourcesOf } from './support/tidy/source.ts';
import { keepsToTheTopTable } from './support/tidy/top.ts';
import { fastTwinsWin } from './support/tidy/twins.ts';
import { speaksPlainly } from './support/tidy/words.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const sources = sourcesOf(root, 'src');
const strategies = sourcesOf(root, 'strategies');
const pages = pagesOf(root);
const tests = sourcesOf(root, 'test');
const benchRows = rowsOn([]).map(({ name }) => name);
const planted = (path: string, text: string) => [{ path, text }];

describe('the sources', () => {
  test('every folder imports only what its row allows', () => {
    expect(keepsToItsRow(sources)).toEqual([]);
  });

  test('the seven folders import only what the table between them allows', () => {
    expect(keepsToTheTopTable(sources)).toEqual([]);
  });

  test('every row of the table is used', () => {
    expect(usesItsRow(sources)).toEqual([]);
  });

  test('there are no cycles between files or folders', () => {
    expect(hasNoCycles(sources)).toEqual([]);
  });

  test('no folders import each other in circles, each folder with its own files only', () => {
    expect(hasNoKnots(sources, knownKnots)).toEqual([]);
  });

  test('three files of ten at most are imported from outside of their folder, faces included', () => {
    expect(isEnteredByFaces(sources)).toEqual([]);
  });

  test('a face offers what other folders import from it, and nothing more', () => {
    expect(facesAreUsed(sources, entries)).toEqual([]);
  });

  test('no file reads the ambient clock or ambient randomness, or hides a timer', () => {
    expect(callsNothingBanned([...sources, ...strategies])).toEqual([]);
  });

  test('decimals stay at the boundary', () => {
    expect(keepsDecimalsAtTheBoundary(sources)).toEqual([]);
  });

  test('numbers of classes begin as numbers', () => {
    expect(numbersBeginAsNumbers(sources)).toEqual([]);
  });

  test('files are named for one thing, export by name and are finished', () => {
    expect(isNamedAndFinished([...sources, ...strategies])).toEqual([]);
  });

  test('files and functions are short', () => {
    expect(isShort([...sources, ...strategies])).toEqual([]);
  });

  test('no two files export a type of one name', () => {
    expect(namesTypesOnce(sources)).toEqual([]);
  });

  test('no two files export a value of one name', () => {
    expect(namesValuesOnce(sources)).toEqual([]);
  });

  test('what a constructor takes apart is called …Options or …Deps', () => {
    expect(namesConstructorObjects(sources)).toEqual([]);
  });

  test('docstrings begin with a noun or a verb, but for a number that only falls', () => {
    expect(beginsPlainly(sources, clausesAllowed)).toEqual([]);
  });

  test('verbs have their object, but for a number that only falls', () => {
    expect(givesVerbsObjects(sources, bareVerbsAllowed)).toEqual([]);
  });

  test('a file under 40 lines has several importers, or a reason', () => {
    expect(standsAlone(sources, smallFiles)).toEqual([]);
  });

  test('no file repeats the name of its folder', () => {
    expect(namesFilesOnce(sources)).toEqual([]);
  });

  test('an entry of the product reaches every export', () => {
    expect(unreachedExports(sources, entries)).toEqual([]);
  });

  test('every code has a row in docs/errors.md', () => {
    expect(
      codesAreDocumented(sources, readFileSync(new URL('../docs/errors.md', import.meta.url), 'utf8')),
    ).toEqual([]);
  });

  test('a fast twin names the bench row that it wins, and by how much', () => {
    expect(fastTwinsWin(sources, benchRows)).toEqual([]);
    expect(sources.filter(({ text }) => text.includes('Fast twin')).length).toBeGreaterThan(5);
  });

  test('figures about money are reckoned in the ledger alone, but for exceptions with a reason', () => {
    expect(countsMoneyInTheLedger(sources)).toEqual([]);
    expect(usesItsMoneyExceptions(sources)).toEqual([]);
  });

  test('the page of the operator reckons with no money', () => {
    expect(pageReckonsNoMoney(sourcesOf(root, 'src/operate/page', '.js'))).toEqual([]);
  });

  test('no cell of a table has more than 30 words', () => {
    expect(longCells(pages)).toEqual([]);
  });

  test('every link of a page leads to a page, a heading or a file', () => {
    // The site shows files beside the pages, and no folders.
    const isFile = (path: string): boolean =>
      statSync(`${root}${path}`, { throwIfNoEntry: false })?.isFile() === true;
    expect(brokenLinks(pages, isFile)).toEqual([]);
  });

  test('the contents page has four parts and reference, and names every page once', () => {
    expect(contentsOf(pages)).toEqual([]);
  });

  test('strategies import godwit/strategy and nothing else', () => {
    const breaches = strategies.flatMap(({ path, text }) =>
      [...text.matchAll(/from '([^']+)'/g)]
        .map((match) => match[1] ?? '')
        .filter((specifier) => specifier !== 'godwit/strategy' && !specifier.startsWith('./'))
        .map((specifier) => `${path} imports ${specifier}`),
    );
    expect(breaches).toEqual([]);
  });

  test('every optional dependency of every package in the lock is itself locked', () => {
    const lock = JSON.parse(readFileSync(new URL('../package-lock.json', import.meta.url), 'utf8')) as {
      packages: Record<string, { optionalDependencies?: Record<string, string>; resolved?: string }>;
    };
    const names = new Set(
      Object.keys(lock.packages).map((path) => path.slice(path.lastIndexOf('node_modules/') + 13)),
    );
    const missing = Object.entries(lock.packages).flatMap(([path, entry]) =>
      Object.keys(entry.optionalDependencies ?? {})
        .filter((name) => !names.has(name))
        .map((name) => `${path}: ${name}`),
    );
    expect(missing).toEqual([]);
    expect(Object.values(lock.packages).filter((entry) => entry.resolved !== undefined)).toEqual([]);
    expect(existsSync(new URL('../node_modules/.bin', import.meta.url))).toBe(true);
  });
});

describe('the tests', () => {
  test('a unit test stands where its source stands', () => {
    expect(standsAtItsSource(tests, sources)).toEqual([]);
  });

  test('names, comments and titles speak plainly, those of the sources and strategies, too', () => {
    // This file plants breaches.
    const others = tests.filter(({ path }) => path !== 'test/tidy.test.ts');
    expect(speaksPlainly([...sources, ...strategies, ...others], dialectAllowed)).toEqual([]);
  });
});

describe('each rule finds a planted breach', () => {
  test.each([
    ['a fall from a peak', 'const fall = this.#peak - profit;'],
    ['a fall from a peak', 'const fallen = subtract(mark.peak, profit);'],
    ['a peak', 'if (profit > this.#peak) this.#peak = profit;'],
    ['a peak', 'const peak = known === undefined || profit > known.peak ? profit : known.peak;'],
    ['a drawdown', 'const drawdown = highest - profit;'],
    ['an unrealised profit', 'const gain = size * (mark - average);'],
    ['an unrealised profit', 'const open = subtract(instrument.contract.worthAt(price, lots), cost);'],
    ['a drawdown, an unrealised profit', 'const unrealized: Amount = subtract(worth, paid);'],
    ['a profit', 'return subtract(add(cash, held), costs);'],
    ['an equity', 'let equity = add(available, reserved);'],
    ['an average price', 'const averagePrice = divide(cost, quantity);'],
  ])('%s that is reckoned outside of the ledger: %s', (what, text) => {
    expect(countsMoneyInTheLedger(planted('src/operate/a.ts', text))[0]).toContain(what.split(' ').at(-1));
    expect(countsMoneyInTheLedger(planted('src/core/ledger/a.ts', text))).toEqual([]);
  });

  test.each([
    'const middle = (Number(bid) + Number(ask)) / 2;',
    'const fall = peak - row.profit;',
    'total += row.fees;',
    'sum = sum + Number(row.balance);',
  ])('a page that reckons with money: %s', (text) => {
    const shown = 'write(cell, `${row.profit} of ${row.fees}`);';
    expect(pageReckonsNoMoney(planted('src/operate/page/a.js', text))).toHaveLength(1);
    expect(pageReckonsNoMoney(planted('src/operate/page/a.js', shown))).toEqual([]);
  });

  test('a folder that imports what its row does not allow, and a package that is not its own', () => {
    expect(keepsToItsRow(planted('src/core/book/a.ts', "import { x } from '../state/b.ts';"))).toHaveLength(
      1,
    );
    expect(keepsToItsRow(planted('src/core/book/a.ts', "import ws from 'ws';"))).toHaveLength(1);
    expect(keepsToItsRow(planted('src/attic/a.ts', ''))).toHaveLength(1);
    expect(
      keepsToItsRow(planted('src/app/backtest/a.ts', "import { x } from '../sweep/b.ts';")),
    ).toHaveLength(1);
  });

  test('a folder that imports another against the table, and one that is not in it', () => {
    const breaches = keepsToTheTopTable([
      { path: 'src/data/frames/a.ts', text: "import { x } from '../../venues/hitbtc/wire/b.ts';" },
      { path: 'src/core/base/a.ts', text: "import { x } from '../../data/frames/b.ts';" },
      { path: 'src/exchange/a.ts', text: "import { x } from '../venues/hitbtc/client/b.ts';" },
      { path: 'src/exchange/b.ts', text: "import { x } from '../venues/hitbtc/wire/b.ts';" },
      { path: 'src/attic/a.ts', text: '' },
    ]);
    expect(breaches).toEqual([
      'src/data/frames/a.ts imports src/venues/hitbtc/wire/b.ts, but data may not',
      'src/core/base/a.ts imports src/data/frames/b.ts, but core may not',
      'src/exchange/a.ts imports src/venues/hitbtc/client/b.ts, but exchange may not',
      'src/attic/a.ts: src/attic is not in the table of folders',
    ]);
  });

  test('a row that allows what its folder does not import', () => {
    expect(usesItsRow(planted('src/core/book/a.ts', "import { x } from '../base/b.ts';"))).toEqual([
      'core/book may import core/model, and does not',
    ]);
  });

  test('a cycle of files', () => {
    const a = { path: 'src/core/book/a.ts', text: "import { b } from './b.ts';" };
    const b = { path: 'src/core/book/b.ts', text: "import { a } from './a.ts';" };
    expect(hasNoCycles([a, b])).toHaveLength(1);
  });

  test('a knot of folders, by types and options too, and one that is known and was untied', () => {
    const outer = { path: 'src/exchange/a.ts', text: "import type { B } from './wallet/b.ts';" };
    const inner = { path: 'src/exchange/wallet/b.ts', text: "import { c } from '../market/options.ts';" };
    const third = { path: 'src/exchange/market/options.ts', text: "import { d } from '../d.ts';" };
    const knot = ['exchange', 'exchange/market', 'exchange/wallet'];
    expect(hasNoKnots([outer, inner, third])).toEqual([
      'folders import each other in circles: exchange, exchange/market, exchange/wallet',
    ]);
    expect(hasNoKnots([outer, inner, third], [knot])).toEqual([]);
    expect(hasNoKnots([outer, inner], [knot])).toEqual([
      'exchange, exchange/market, exchange/wallet: no knot any more',
    ]);
  });

  test('an ambient clock, ambient randomness, a hidden timer; but not a word in a comment', () => {
    expect(callsNothingBanned(planted('src/core/book/a.ts', 'const t = Date.now();'))).toHaveLength(1);
    expect(callsNothingBanned(planted('src/core/book/a.ts', 'setTimeout(f, 1);'))).toHaveLength(1);
    expect(callsNothingBanned(planted('src/core/book/a.ts', 'const r = Math.random();'))).toHaveLength(1);
    expect(
      callsNothingBanned(planted('src/core/bus/a.ts', "import { debounceTime } from 'rxjs';")),
    ).toHaveLength(1);
    expect(callsNothingBanned(planted('src/core/book/a.ts', '// never call Date.now() here'))).toEqual([]);
  });

  test('a decimal where integers count', () => {
    expect(
      keepsDecimalsAtTheBoundary(
        planted('src/core/book/a.ts', "import { Decimal } from '../base/decimal.ts';"),
      ),
    ).toHaveLength(1);
  });

  test('a number without a first value', () => {
    expect(
      numbersBeginAsNumbers(planted('src/core/book/a.ts', 'class A {\n  #now: Micros;\n}')),
    ).toHaveLength(1);
    expect(
      numbersBeginAsNumbers(planted('src/core/book/a.ts', 'class A {\n  #now = 0 as Micros;\n}')),
    ).toEqual([]);
  });

  test('a vague name, a default export, unfinished work', () => {
    expect(isNamedAndFinished(planted('src/core/book/book-utils.ts', ''))).toHaveLength(1);
    expect(isNamedAndFinished(planted('src/core/book/a.ts', 'export default 1;'))).toHaveLength(1);
    expect(isNamedAndFinished(planted('src/core/book/a.ts', '// TODO later'))).toHaveLength(1);
  });

  test('a long file and a long function', () => {
    expect(isShort(planted('src/core/book/a.ts', '\n'.repeat(401)))).toHaveLength(1);
    const body = '  f();\n'.repeat(70);
    expect(isShort(planted('src/core/book/a.ts', `export function long(): void {\n${body}}\n`))).toHaveLength(
      1,
    );
    expect(
      isShort(planted('src/core/book/a.ts', `class A {\n  #long(x: number): void {\n${body}  }\n}\n`)),
    ).toHaveLength(1);
  });

  test('a type name that two files export', () => {
    const one = { path: 'src/core/book/a.ts', text: 'export interface Side {}' };
    const other = { path: 'src/core/state/b.ts', text: 'export type Side = 1;' };
    expect(namesTypesOnce([one, other])).toHaveLength(1);
    expect(namesTypesOnce([one, { ...other, text: '// export type Side = 1;' }])).toEqual([]);
  });

  test('a value name that two files export, but not one that a face gives on', () => {
    const one = { path: 'src/core/book/a.ts', text: 'export const later = 1;' };
    const other = { path: 'src/core/state/b.ts', text: 'export async function later() {}' };
    const face = { path: 'src/core/book/index.ts', text: "export { later } from './a.ts';" };
    expect(namesValuesOnce([one, other])).toHaveLength(1);
    expect(namesValuesOnce([one, face, { ...other, text: '// export const later = 2;' }])).toEqual([]);
  });

  test('an object of a constructor that is called otherwise', () => {
    const taking = (name: string) =>
      planted('src/core/book/a.ts', `interface ${name} {}\nclass A {\n  constructor({ a }: ${name}) {}\n}`);
    expect(namesConstructorObjects(taking('GateParts'))).toHaveLength(1);
    expect(namesConstructorObjects(taking('GateSetup'))).toHaveLength(1);
    expect(namesConstructorObjects(taking('GateDeps'))).toEqual([]);
    expect(namesConstructorObjects(taking('GateOptions'))).toEqual([]);
  });

  test('verbs without their object, in a class and alone, and an allowance that is too large', () => {
    const verbs = planted(
      'src/core/orders/pile.ts',
      'export function settle(order: Order): void {}\nexport class Pile {\n  #take(): void {}\n\n  begin(): void {\n    this.#take();\n  }\n}\n',
    );
    const breach =
      'src/core/orders/pile.ts: settle, src/core/orders/pile.ts: Pile.take, src/core/orders/pile.ts: Pile.begin';
    expect(givesVerbsObjects(verbs, { core: 2 })).toEqual([
      `core: 3 verbs without an object, allowed are 2: ${breach}`,
    ]);
    expect(givesVerbsObjects(verbs, { core: 3 })).toEqual([]);
    expect(givesVerbsObjects(verbs, { core: 4 })).toEqual(['core: 3 verbs without an object: lower 4']);
    const single = planted(
      'src/core/orders/pile.ts',
      'export class Pile {\n  take(): void {}\n\n  push(): void {}\n}\n',
    );
    expect(givesVerbsObjects(single, {})).toEqual([]);
  });

  test('a docstring that begins with a clause, and an allowance that is too large', () => {
    const clause = planted(
      'src/core/a.ts',
      '/** What came of a run. */\n/**\n * Of a run:\n * its end.\n */',
    );
    const noun = planted(
      'src/core/a.ts',
      '/** Result of one backtest. */\n/** Whether it ended. */\n// What a line.',
    );
    expect(beginsPlainly(clause, {})).toEqual(['core: 2 docstrings begin with a clause, allowed are 0']);
    expect(beginsPlainly(clause, { core: 2 })).toEqual([]);
    expect(beginsPlainly(noun, {})).toEqual([]);
    expect(beginsPlainly(noun, { core: 30 })).toEqual(['core: 0 docstrings begin with a clause: lower 30']);
  });

  test('a small file with a single importer, and an exception that is not needed', () => {
    const small = { path: 'src/core/book/a.ts', text: 'export const a = 1;\n' };
    const importer = {
      path: 'src/core/book/b.ts',
      text: `import { a } from './a.ts';\n${'a;\n'.repeat(40)}`,
    };
    expect(standsAlone([small, importer])).toHaveLength(1);
    expect(standsAlone([small, importer], { 'src/core/book/a.ts': 'why' })).toEqual([]);
    expect(standsAlone([small, importer, { ...importer, path: 'src/core/book/c.ts' }])).toEqual([]);
    expect(standsAlone([importer], { 'src/core/book/a.ts': 'why' })).toHaveLength(1);
  });

  test('a file that repeats the name of its folder', () => {
    expect(namesFilesOnce(planted('src/core/book/book-side.ts', ''))).toHaveLength(1);
    expect(namesFilesOnce(planted('src/core/orders/order-id.ts', ''))).toHaveLength(1);
    expect(namesFilesOnce(planted('src/core/book/book.ts', ''))).toEqual([]);
  });

  test('an export that no entry reaches, also when another unreached one uses it', () => {
    const main = { path: 'src/app/main.ts', text: "import { used } from './a.ts';\nused();" };
    const text =
      'export const used = () => 1;\nexport const idle = () => other();\nexport const other = () => 2;';
    const found = unreachedExports([main, { path: 'src/app/a.ts', text }], ['src/app/main.ts']);
    expect(found).toEqual(['src/app/a.ts#idle', 'src/app/a.ts#other']);
    const index = { path: 'src/app/main.ts', text: "export * as all from './a.ts';" };
    expect(unreachedExports([index, { path: 'src/app/a.ts', text }], ['src/app/main.ts'])).toEqual([]);
  });

  test.each([
    ['/** Fast twin of the plain form. */', 'names what it is a twin of'],
    ['// A fast twin, which wins much.', 'names what it is a twin of'],
    ['/** Fast twin of b: row `nowhere`, 2 times as fast. */', 'there is no bench row nowhere'],
    ['/** Fast twin of b: row `matching`, 1.02 times as fast. */', '1.02 times as fast is noise'],
    ['/** Worth 40 % of the bench row `matching`. */', 'is told as that of a fast twin'],
    ['// Without it the row `matching` is slower.', 'is told as that of a fast twin'],
  ])('a fast twin that names no bench row that it wins: %s', (text, breach) => {
    expect(fastTwinsWin(planted('src/core/book/a.ts', text), benchRows)[0]).toContain(breach);
    const whole = '/**\n * Fast twin of `b.ts`: row\n * `matching`, 1.4 times as fast.\n */';
    expect(fastTwinsWin(planted('src/core/book/a.ts', whole), benchRows)).toEqual([]);
  });

  test('a code that no page explains', () => {
    expect(
      codesAreDocumented(planted('src/core/book/a.ts', "override readonly code = 'GW_NOWHERE';"), ''),
    ).toHaveLength(1);
  });

  test('a cell of a table with more than 30 words, but not a line of a block', () => {
    const cell = Array(31).fill('word').join(' ');
    expect(longCells(planted('docs/a.md', `| a |\n|---|\n| ${cell} |\n`))).toEqual([
      'docs/a.md:3: a cell of 31 words, more than 30',
    ]);
    expect(longCells(planted('docs/a.md', `| ${cell.slice(5)} | ${cell.slice(5)} |`))).toEqual([]);
    expect(longCells(planted('docs/a.md', `\`\`\`text\n| ${cell} |\n\`\`\`\n`))).toEqual([]);
  });

  test('a link to a page that is gone, and to a heading that has another name', () => {
    const page = { path: 'docs/a.md', text: '# A\n## What `is` held?\n[b](b.md#there) [c](c.md) [d](../d)' };
    const other = { path: 'docs/b.md', text: '[back](a.md#what-is-held) [here](#b)\n# B' };
    expect(brokenLinks([page, other], (path) => path === 'd')).toEqual([
      'docs/a.md: the link b.md#there leads nowhere',
      'docs/a.md: the link c.md leads nowhere',
    ]);
  });

  test('a page that the contents leave out, and parts of other names', () => {
    const list = { path: 'docs/README.md', text: '## Start\n[a](a.md)' };
    const page = (path: string) => ({ path, text: '' });
    expect(contentsOf([list, page('docs/a.md'), page('docs/b.md')])).toEqual([
      'docs/README.md: expected the parts Start, Write a strategy, Research, Operate, Reference',
      'docs/README.md names docs/b.md 0 times',
    ]);
  });

  test('a folder that is entered by many files, which its face would mend', () => {
    const file = (name: string) => ({ path: `src/core/book/${name}.ts`, text: `export const ${name} = 1;` });
    const inside = [file('a'), file('b'), file('c')];
    const outside = (...from: string[]) => ({
      path: 'src/core/state/d.ts',
      text: from.map((name) => `import {\n  x,\n} from '../book/${name}.ts';\n`).join(''),
    });
    expect(isEnteredByFaces([...inside, outside('a', 'b')])).toEqual([
      'src/core/book: 2 files are imported from outside',
    ]);
    expect(isEnteredByFaces([...inside, outside('index')])).toEqual([]);
    const within = {
      path: 'src/core/book/deep/e.ts',
      text: "import { a } from '../a.ts';\nimport { b } from '../b.ts';",
    };
    expect(isEnteredByFaces([...inside, within])).toEqual([]);
    const lazy = {
      path: 'src/core/state/d.ts',
      text: "await import('../book/a.ts');\nawait import('../book/b.ts');",
    };
    expect(isEnteredByFaces([...inside, lazy])).toEqual([]);
  });

  test('a face that offers what nobody imports from it', () => {
    const face = {
      path: 'src/core/book/index.ts',
      text: "export { a } from './a.ts';\nexport type { B } from './b.ts';",
    };
    const importer = { path: 'src/core/state/d.ts', text: "import { a } from '../book/index.ts';" };
    expect(facesAreUsed([face, importer])).toEqual([
      'src/core/book/index.ts offers B, which no file imports from it',
    ]);
    expect(facesAreUsed([face, importer], ['src/core/book/index.ts'])).toEqual([]);
  });

  test('a small file that has its importers through a face', () => {
    const small = { path: 'src/core/book/a.ts', text: 'export const a = 1;\n' };
    const face = { path: 'src/core/book/index.ts', text: "export { a } from './a.ts';\n" };
    const importer = (name: string) => ({
      path: `src/core/state/${name}.ts`,
      text: `import { a } from '../book/index.ts';\n${'a;\n'.repeat(40)}`,
    });
    expect(standsAlone([small, face, importer('c')])).toEqual([
      'src/core/book/a.ts has a single importer, src/core/state/c.ts: it belongs there',
    ]);
    expect(standsAlone([small, face, importer('c'), importer('d')])).toEqual([]);
  });

  test('a unit test that stands elsewhere', () => {
    const text = "import { Book } from '../../../src/core/book/book.ts';";
    const at = (path: string): string[] =>
      standsAtItsSource(planted(path, text), planted('src/core/state/near.ts', ''));
    expect(at('test/core/orders/far.test.ts')).toEqual([
      'test/core/orders/far.test.ts imports most of src/core/book: it stands elsewhere',
    ]);
    expect(at('test/core/book/there.test.ts')).toEqual([]);
    expect(at('test/core/above.test.ts')).toEqual([]);
    expect(at('test/core/state/near.test.ts')).toEqual([]);
    expect(at('test/system/whole.test.ts')).toEqual([]);
    const helped = `${text}\nimport { rig } from './support/rig.ts';`;
    expect(standsAtItsSource(planted('test/core/orders/helped.test.ts', helped), [])).toEqual([]);
  });

  test.each([
    ['a name', 'const toldOnce = 1;', 'told'],
    ['a part of a name', 'const asTold = 1;', 'Told'],
    ['a comment', 'f(); // opens the door', 'door'],
    ['a title', "test('a seat is taken', () => {});", 'seat'],
    ['a title of several cases', "test.each([\n  1,\n])('the wing %i', () => {});", 'wing'],
  ])('a word of the old dialect in %s', (_place, text, word) => {
    expect(speaksPlainly(planted('test/a.test.ts', text))).toEqual([`test/a.test.ts says "${word}"`]);
    expect(speaksPlainly(planted('test/a.test.ts', text), { test: 1 })).toEqual([]);
    expect(
      speaksPlainly(planted('test/a.test.ts', "expect(out).toBe('nothing is told'); // outdoors")),
    ).toEqual([]);
  });
});
