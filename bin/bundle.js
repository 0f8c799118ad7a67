// Plain JavaScript that any Node can run: the sources of a checkout as a few large modules, which load in half of the time of a thousand
// small ones.
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { constants, setPriority } from 'node:os';
import { dirname, join, sep } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const sources = join(root, 'src');
const packages = join(root, 'node_modules');
const bundles = join(packages, '.cache', 'godwit', 'bundles');
/** The program, and what finds the modules of a bundle. */
const main = join('app', 'cli', 'main.ts');
const moduleUrl = join('core', 'base', 'module-url.ts');
/** The hash of all sources, which a run would read for it. */
const codeHash = join('app', 'run', 'code-hash.ts');
/** A bundle that no process has touched for so long is in use by none: one that runs touches its own each hour. */
const keptMs = 86_400_000;
/** A part of a bundle that has not changed for so long is not being written any more. */
const partMs = 60_000;

/** The bundle that this checkout has or could have of its sources as they are now; `undefined` where none can be made. */
export function bundleOfCheckout() {
  if (!existsSync(sources) || !existsSync(join(packages, 'rolldown'))) return undefined;
  try {
    // Packages of another checkout: its bundles stand with them.
    if (lstatSync(packages).isSymbolicLink()) return undefined;
    const folder = bundleFolder();
    return { folder, isMade: existsSync(folder) };
  } catch {
    // Packages that another program than npm has installed.
    return undefined;
  }
}

/** The module of a bundle that stands for a source, which is named from `src` on and is one of those that are started by their file. */
export function bundledModule(folder, source) {
  return join(folder, `${nameOf(source)}.js`);
}

/** The folder of the bundle of the sources as they are now, whether or not it is there. */
function bundleFolder() {
  const hash = createHash('sha256');
  // What a bundle is made of: where it stands, this file, the packages that npm has installed, and all sources, names included.
  hash.update(`${root}\n`).update(readFileSync(fileURLToPath(import.meta.url)));
  hash.update(readFileSync(join(packages, '.package-lock.json')));
  hash.update(readFileSync(join(root, 'package.json')));
  for (const name of sourceNames()) {
    const bytes = readFileSync(join(sources, name));
    hash.update(`${name}\n${bytes.length}\n`).update(bytes);
  }
  return join(bundles, hash.digest('hex').slice(0, 32));
}

/** Notes that a process uses a bundle, where its folder can be written. */
export function touchBundle(folder) {
  const now = new Date();
  try {
    utimesSync(folder, now, now);
  } catch {
    // A checkout that cannot be written: nothing is removed from it either.
  }
}

/** Makes the bundle of the sources as they are now, unless it is there. Resolves with its folder. Several processes may do so at once. */
export async function makeBundle() {
  const folder = bundleFolder();
  if (existsSync(folder)) return folder;
  const part = `${folder}.${process.pid}.part`;
  mkdirSync(part, { recursive: true });
  try {
    await writeBundle(part);
    // The sources were read once for the name and once for the content: a change between the two is in neither.
    if (bundleFolder() !== folder) throw new Error('the sources changed while they were bundled');
    renameSync(part, folder);
  } catch (error) {
    rmSync(part, { recursive: true, force: true });
    // Another process was first.
    if (!existsSync(folder)) throw error;
  }
  removeOld(folder);
  return folder;
}

/** Whether another process is making the bundle: one that was ended leaves a part that grows old. */
function isUnderWay() {
  const { folder } = bundleOfCheckout() ?? {};
  if (folder === undefined || !existsSync(bundles)) return false;
  return readdirSync(bundles).some((name) => {
    const part = join(bundles, name);
    if (!part.startsWith(`${folder}.`)) return false;
    return Date.now() - (statSync(part, { throwIfNoEntry: false })?.mtimeMs ?? 0) < partMs;
  });
}

function removeOld(current) {
  for (const name of readdirSync(bundles)) {
    const old = join(bundles, name);
    const age = Date.now() - (statSync(old, { throwIfNoEntry: false })?.mtimeMs ?? 0);
    if (old !== current && age > keptMs) rmSync(old, { recursive: true, force: true });
  }
}

async function writeBundle(folder) {
  const { rolldown } = await import('rolldown');
  const entries = entriesOf();
  const bundle = await rolldown({
    input: Object.fromEntries(entries.map((name) => [nameOf(name), join(sources, name)])),
    platform: 'node',
    // Addons that a package would take if they were there.
    external: ['bufferutil', 'utf-8-validate'],
    plugins: [{ name: 'godwit', load: (id) => loadedAs(id, entries) }],
  });
  try {
    await bundle.write({
      dir: folder,
      format: 'esm',
      entryFileNames: '[name].js',
      chunkFileNames: '[name]-[hash].js',
    });
  } finally {
    await bundle.close();
  }
  // Without it Node compiles each file in both ways to find out that it is a module.
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }\n');
}

/** The text of one of our modules: in a bundle, too, each stands where its source does, and finds files beside that. */
async function loadedAs(id, entries) {
  if (!id.startsWith(sources + sep)) return undefined;
  if (id === join(sources, moduleUrl)) return { code: moduleUrlIn(entries), moduleType: 'js' };
  if (id === join(sources, codeHash)) return { code: await codeHashIn(id), moduleType: 'js' };
  const place = JSON.stringify(pathToFileURL(id).href);
  return { code: readFileSync(id, 'utf8').replaceAll('import.meta.url', place), moduleType: 'ts' };
}

/** `src/app/run/code-hash.ts` of a bundle: the sources are those that it is made of. */
async function codeHashIn(id) {
  const { codeHash: hashOfSources } = await import(pathToFileURL(id).href);
  return `export function codeHash() {\n  return ${JSON.stringify(hashOfSources())};\n}\n`;
}

/** `src/core/base/module-url.ts` of a bundle: what is started by its file, or imported by others, is that of the bundle. */
function moduleUrlIn(entries) {
  const found = entries.map((name) => [pathToFileURL(join(sources, name)).href, `${nameOf(name)}.js`]);
  return [
    `const entries = new Map(${JSON.stringify(found)});`,
    'export function moduleUrl(source) {',
    '  const entry = entries.get(source.href);',
    '  return entry === undefined ? source : new URL(`./${entry}`, import.meta.url);',
    '}',
  ].join('\n');
}

/** Sources, from `src` on, that are started or imported by their file: those of `moduleUrl`, lists of the operator, and exports. */
function entriesOf() {
  const { exports } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const exported = Object.values(exports).flatMap(({ 'godwit-source': source }) =>
    source === undefined ? [] : [join(root, source)],
  );
  const names = sourceNames();
  const started = names.flatMap((name) =>
    [...readFileSync(join(sources, name), 'utf8').matchAll(/moduleUrl\(new URL\('([^']+)'/g)].map(([, to]) =>
      join(sources, dirname(name), to),
    ),
  );
  const lists = names
    .filter((name) => dirname(name) === join('operate', 'views'))
    .map((name) => join(sources, name));
  const all = [...exported, ...started, ...lists, join(sources, main), join(sources, moduleUrl)];
  return [...new Set(all)].map((file) => file.slice(sources.length + 1));
}

/** All sources, from `src` on, in one order. The listing of a whole tree that Node has takes six times as long, at each start. */
function sourceNames() {
  /** @type {string[]} */
  const names = [];
  const folders = [''];
  // A list goes on over what is added to it meanwhile.
  for (const folder of folders)
    for (const entry of readdirSync(join(sources, folder), { withFileTypes: true })) {
      const name = join(folder, entry.name);
      if (entry.isDirectory()) folders.push(name);
      else if (name.endsWith('.ts')) names.push(name);
    }
  return names.sort();
}

/** The name of an entry in a bundle, whose files stand in one folder. */
function nameOf(source) {
  return source.replace(/\.ts$/, '').replaceAll(/[\\/]/g, '.');
}

/** Makes the bundle in a process of its own that yields to all others, for the starts to come. */
export function makeBundleBeside(node, env) {
  const beside = spawn(node, [fileURLToPath(import.meta.url)], { detached: true, stdio: 'ignore', env });
  // The sources do without.
  beside.on('error', () => {});
  beside.unref();
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  setPriority(constants.priority.PRIORITY_LOW);
  if (!isUnderWay()) await makeBundle();
}
