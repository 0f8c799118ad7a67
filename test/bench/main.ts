import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rowsOn } from './rows.ts';
import { judge, tableOf } from './support/judge.ts';
import type { Printed, Row, RowResult, Variant } from './support/row.ts';
import { installPython } from './support/python.ts';
import { installRust } from './support/rust.ts';
import { obstacleTo, runVariant } from './support/run-variant.ts';
import { packTicks } from './support/ticks.ts';
import { toolOptions } from '../support/tool-options.ts';

const usage = `npm run bench -- [options]

  --json         one JSON document instead of the table
  --quick        one round instead of five
  --rounds N     so many rounds
  --only NAME    only rows whose name begins with NAME; may be repeated
  --list         names of the rows
  --install      installs the peers and ends: into test/bench/peers, for Python and Rust into the temporary folder
`;

const options = toolOptions(usage, {
  options: {
    json: { type: 'boolean', default: false },
    quick: { type: 'boolean', default: false },
    rounds: { type: 'string', default: '5' },
    only: { type: 'string', multiple: true, default: [] },
    list: { type: 'boolean', default: false },
    install: { type: 'boolean', default: false },
  },
});

/** Runs every variant of the chosen rows in rounds, interleaved, each in a fresh process. */
async function measure(rows: readonly Row[], rounds: number): Promise<readonly RowResult[]> {
  const samples = new Map<string, Printed[]>();
  const failures = new Map<string, string>();
  for (let round = 0; round < rounds; round++) {
    const done = new Set<string>();
    for (const variant of rows.flatMap(variantsOf)) {
      const key = keyOf(variant);
      if (done.has(key) || failures.has(key) || (variant.once === true && round > 0)) continue;
      done.add(key);
      const obstacle = obstacleTo(variant);
      if (obstacle !== undefined) {
        failures.set(key, obstacle);
        continue;
      }
      process.stderr.write(`round ${round + 1} of ${rounds}: ${key.slice(0, 70)}\n`);
      try {
        samples.set(key, [...(samples.get(key) ?? []), ...(await runVariant(variant))]);
      } catch (error) {
        failures.set(key, error instanceof Error ? error.message : String(error));
      }
    }
  }
  return rows.map((row) => {
    const keys = variantsOf(row).map(keyOf);
    const note = [...new Set(keys.flatMap((key) => failures.get(key) ?? []))].join('; ');
    const printed = (variant: Variant | undefined): readonly Printed[] =>
      variant === undefined ? [] : (samples.get(keyOf(variant)) ?? []);
    const cold = { ours: printed(row.cold?.ours), peer: printed(row.cold?.peer) };
    return judge(row, printed(row.ours), printed(row.peer), { note, cold });
  });
}

function variantsOf({ ours, peer, cold }: Row): readonly Variant[] {
  return [ours, peer, cold?.ours, cold?.peer].filter((variant) => variant !== undefined);
}

function keyOf({ file, args = [] }: Variant): string {
  return [file, ...args].join(' ');
}

/** Keys stay although there is nothing to say. */
function nullForNothing(_key: string, value: unknown): unknown {
  return value === undefined ? null : value;
}

/** Installs what can be had here, and says of the rest why not. */
function install(): void {
  const directory = fileURLToPath(new URL('peers/', import.meta.url));
  const result = spawnSync('npm', ['ci', '--ignore-scripts'], { cwd: directory, stdio: 'inherit' });
  if (result.status !== 0) throw new Error('the peers could not be installed');
  const requirements = readFileSync(new URL('peers/requirements.txt', import.meta.url), 'utf8');
  const problems = [...installPython(requirements.trim().split('\n')), installRust()];
  for (const problem of problems) if (problem !== undefined) process.stderr.write(`${problem}\n`);
}

async function main(): Promise<void> {
  if (options.list) {
    process.stdout.write(
      `${rowsOn([])
        .map(({ name }) => name)
        .join('\n')}\n`,
    );
    return;
  }
  if (options.install) {
    install();
    return;
  }
  const rounds = options.quick ? 1 : Number(options.rounds);
  if (!Number.isInteger(rounds) || rounds < 1)
    throw new Error(`expected --rounds to be a whole number from 1, found ${options.rounds}`);
  const directory = mkdtempSync(join(tmpdir(), 'godwit-bench-'));
  try {
    const wanted = (row: Row): boolean =>
      options.only.length === 0 || options.only.some((name) => row.name.startsWith(name));
    const chosen = rowsOn([]).filter(wanted);
    if (chosen.length === 0) throw new Error(`no row is named ${options.only.join(', ')}; see --list`);
    const needsTicks = chosen.some(({ name }) => /^(corridor|sweep)/.test(name));
    const ticks = needsTicks ? await packTicks(directory) : { paths: [], source: '' };
    const results = await measure(rowsOn(ticks.paths).filter(wanted), rounds);
    const machine = `${cpus().length} cores, ${cpus()[0]?.model.trim() ?? 'unknown'}`;
    const head = { machine, node: process.version, rounds, ticks: ticks.source };
    if (options.json)
      process.stdout.write(`${JSON.stringify({ ...head, rows: results }, nullForNothing, 2)}\n`);
    else
      process.stdout.write(
        `${machine}; Node ${process.version}; medians of ${rounds} rounds, each in fresh processes, interleaved.\n${ticks.source === '' ? '' : `Corridor: ${ticks.source}.\n`}\n${tableOf(results)}\n`,
      );
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

await main();
