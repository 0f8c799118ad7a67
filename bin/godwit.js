#!/usr/bin/env node
// Plain JavaScript that any Node can run: starts Godwit, in a checkout under the Node that this pins, passes signals on and
// mirrors the exit code.
import { spawn } from 'node:child_process';
import { existsSync, fstatSync, readFileSync, readdirSync } from 'node:fs';
import nodeModule from 'node:module';
import { constants } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { bundleOfCheckout, bundledModule, makeBundleBeside, touchBundle } from './bundle.js';
import { compilerFlagsOf } from './compiler-flags.js';
import { isOrphaned, managedBy } from './forebears.js';
import { pinnedNode } from './pinned-node.js';
import { parted } from './plain-environment.js';
import { passNoticesOn } from './service-notices.js';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const source = join(root, 'src', 'app', 'cli', 'main.ts');
const program = existsSync(source) ? source : join(root, 'dist', 'src', 'app', 'cli', 'main.js');
const packages = basename(dirname(root)) === 'node_modules' ? dirname(root) : join(root, 'node_modules');
// Compiled code is kept where `npm ci` clears it away: the second start takes half as long.
const compiled = process.env.NODE_COMPILE_CACHE ?? join(packages, '.cache', 'godwit');
// With the C library of most Linux every thread has heaps of its own, which keep what compilers and collectors let go of:
// one heap for all saves some 20 MiB a thread and costs no time.
const heaps = process.env.MALLOC_ARENA_MAX ?? '1';
const pinned = pinnedNode();
const major = Number.parseInt(process.versions.node, 10);
if (pinned === undefined && major < 24) {
  process.stderr.write(`godwit: expected Node 24 or newer, found ${process.versions.node}\n`);
  process.exit(1);
}
// What is the same as `godwit version` needs none of the program, whose start takes ten times as long.
if (process.argv.length === 3 && ['--version', '-V'].includes(process.argv[2])) {
  const { version } = packageIn(root);
  const node = pinned === undefined ? process.versions.node : packageIn(dirname(dirname(pinned))).version;
  const text = `godwit ${version}, Node ${node}\n`;
  const failure = await new Promise((resolve) => process.stdout.on('error', resolve).write(text, resolve));
  const isLost = failure instanceof Error && failure.code !== 'EPIPE';
  if (isLost)
    process.stderr.write(`godwit: standard output could not be written (${String(failure.code)})\n`);
  process.exit(isLost ? 1 : 0);
}
// Commands that load few modules: looking for a bundle would take longer.
const light = ['status', 'halt', 'params'];
// The sources of a checkout run from their bundle, and as they are where they have changed since: the next start then finds a new one.
const bundle = light.includes(process.argv[2]) ? undefined : bundleOfCheckout();
const main = bundle?.isMade === true ? bundledModule(bundle.folder, 'app/cli/main.ts') : program;
if (bundle?.isMade === true) touchBundle(bundle.folder);
else if (bundle !== undefined) makeBundleBeside(pinned ?? process.execPath, parted(process.env).stays);
// What only sees a daemon, or halts it, loads no strategy, which could read the environment, and needs no process of its own: a second start of
// Node would take as long as all the rest.
// Each list of the operator stands in a file that is named by its command; another file of that folder is no command.
const lists = readdirSync(join(dirname(program), '..', '..', 'operate', 'views'));
const seeing = [...light, ...lists.map((name) => name.split('.', 1)[0])];
if (major >= 24 && seeing.includes(process.argv[2])) {
  nodeModule.enableCompileCache(compiled);
  // It ends the process.
  await import(pathToFileURL(main).href);
}
// The first command of a new user: something answers at once, though the program takes a second to load, and several on a busy machine.
if (process.argv[2] === 'demo' && !process.argv.some((word) => word === '--help' || word === '-h'))
  process.stderr.write('Godwit starts: the program is loaded, an exchange and a market are made.\n');
// Names of such flags change with versions of Node, and one that Node does not know keeps it from starting.
const flags = pinned !== undefined || major <= 26 ? compilerFlagsOf(process.argv[2]) : [];
const { stays, leaves } = parted(process.env);
const hangUpIgnored = isUnderNohup();
/** Standard streams, the channel, and the descriptor over which the rest of the environment is handed. */
const handed = 4;
const child = spawn(
  pinned ?? process.execPath,
  ['--disable-warning=ExperimentalWarning', ...flags, main, ...process.argv.slice(2)],
  {
    // Over the channel the child learns that this process is gone, however it went: it then stops in good order.
    stdio: ['inherit', 'inherit', 'inherit', 'ipc', 'pipe'],
    env: {
      ...stays,
      NODE_COMPILE_CACHE: compiled,
      MALLOC_ARENA_MAX: heaps,
      GODWIT_HANDED_FD: String(handed),
    },
  },
);
const pipe = child.stdio[handed];
// A child that could not start, or has ended at once, does not read.
pipe?.on('error', () => {});
pipe?.end(JSON.stringify({ environment: leaves, hangUpIgnored }));
passNoticesOn(child, process.env, (text) => process.stderr.write(`godwit: ${text}\n`));

// As long as it runs it may load more of its bundle.
if (bundle?.isMade === true) setInterval(() => touchBundle(bundle.folder), 3_600_000).unref();

// A terminal sends Ctrl-C to the whole process group, so the child already has it; forwarding it again would
// count as the second signal, the impatient one.
const forwarded = [
  'SIGTERM',
  ...(process.stdin.isTTY ? [] : ['SIGINT']),
  ...(hangUpIgnored ? [] : ['SIGHUP']),
];
for (const signal of forwarded) process.on(signal, () => child.kill(signal));
if (process.stdin.isTTY) process.on('SIGINT', () => {});
if (hangUpIgnored) process.on('SIGHUP', () => {});

// The signal by which Node opens an inspector: this process has the keys in its environment.
process.on('SIGUSR1', () => {});

// npm and its shell pass no signal on: when one of them is gone the child is told as when this process is.
const links = managedBy();
if (links.length > 0) {
  const watch = setInterval(() => {
    if (!isOrphaned(links)) return;
    clearInterval(watch);
    if (child.connected) child.disconnect();
  }, 500);
}

child.on('error', (error) => {
  process.stderr.write(`godwit: could not start the pinned Node: ${error.message}\n`);
  process.exit(1);
});
child.on('exit', (code, signal) => {
  // Node aborts where its heap is full, and the system kills where memory is: neither leaves the program a word.
  if (code === null && !['SIGHUP', 'SIGINT', 'SIGTERM'].includes(signal))
    process.stderr.write(
      `godwit: ended by ${signal}, not by a stop. Orders of a daemon may be live: the next start with its run.directory finds them\n`,
    );
  process.exit(code ?? 128 + constants.signals[signal]);
});

/** The package.json of a package. */
function packageIn(folder) {
  return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
}

/**
 * Whether nohup started this process. It has SIGHUP ignored, which Node undoes before any code runs; what is left to see is
 * its name, which shells note, and the standard input that nohup gives in place of a terminal: one that can only be written.
 */
function isUnderNohup() {
  if (process.platform === 'win32') return false;
  if (process.env._ !== undefined && /(^|\/)nohup$/.test(process.env._)) return true;
  try {
    const flags = /^flags:\s*(\d+)/m.exec(readFileSync('/proc/self/fdinfo/0', 'latin1'))?.[1] ?? '0';
    return fstatSync(0).isCharacterDevice() && (Number.parseInt(flags, 8) & 3) === 1;
  } catch {
    return false;
  }
}
