// Plain JavaScript that any Node can run: starts the conversations under the Node the repository pins. Arguments name
// the conversations to run instead of all.
import { spawn } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { pinnedNode } from '../../bin/pinned-node.js';

const here = dirname(fileURLToPath(import.meta.url));
const minutesMax = 5;
const lanes = 2;
const ending = '.test.ts';
const all = readdirSync(join(here, 'conversations'))
  .filter((name) => name.endsWith(ending))
  .map((name) => name.slice(0, -ending.length))
  .sort();
// Through a gateway: each account is a program at one, and the clients have its address.
const [flag, where] = process.argv.slice(2);
const isThrough = flag === '--through' && where === 'gateway';
const asked = process.argv.slice(isThrough ? 4 : 2);
const unknown = asked.filter((name) => !all.includes(name));
if (unknown.length > 0) {
  process.stderr.write(`no such conversation: ${unknown.join(', ')}\n`);
  process.exit(2);
}

// Conversations about the wallet, sub-accounts and streams of the market itself have nothing to say through a gateway.
const throughAll = [
  'ccxt-orders',
  'ccxt-order-sockets',
  'ccxt-refusals',
  'ccxt-v2-orders',
  'ccxt-v2-sockets',
  'cryptomarket-orders',
  'cryptomarket-trading-socket',
  'futures-orders',
  'margin',
  'order-lists',
  'other-languages',
];
const chosen = asked.length > 0 ? asked : isThrough ? throughAll : all;

// Loading ccxt takes a second, so a lane is one process with many conversations; what a lane says is printed when
// it ends, so that two do not talk at once.
const children = new Set();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
  process.on(signal, () => children.forEach((child) => child.kill(signal)));
}
const results = await Promise.all(inLanes(chosen).map(runLane));
process.exit(results.every((code) => code === 0) ? 0 : 1);

/** The conversations of each lane, so that both end at about the same time. */
function inLanes(names) {
  const found = Array.from({ length: lanes }, () => ({ names: [], seconds: 0 }));
  for (const name of names.toSorted((a, b) => secondsOf(b) - secondsOf(a))) {
    const lane = found.reduce((least, one) => (one.seconds < least.seconds ? one : least));
    lane.names.push(name);
    lane.seconds += secondsOf(name);
  }
  return found.map((lane) => lane.names);
}

/** How long a conversation takes, roughly: other languages start their own programs. */
function secondsOf(name) {
  return name === 'other-languages' ? 40 : 2;
}

async function runLane(names) {
  if (names.length === 0) return 0;
  const files = names.map((name) => join('conversations', `${name}${ending}`));
  const child = spawn(
    pinnedNode() ?? process.execPath,
    ['--import', 'tsx', '--test', '--test-isolation=none', ...files],
    {
      cwd: here,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, ...(isThrough && { CLIENTS_THROUGH: 'gateway' }) },
    },
  );
  children.add(child);
  const overtime = setTimeout(() => child.kill('SIGTERM'), minutesMax * 60_000);
  const said = [];
  child.stdout.on('data', (chunk) => said.push(chunk));
  child.stderr.on('data', (chunk) => said.push(chunk));
  return new Promise((resolve) => {
    child.on('close', (code) => {
      clearTimeout(overtime);
      children.delete(child);
      process.stdout.write(Buffer.concat(said));
      resolve(code ?? 1);
    });
  });
}
