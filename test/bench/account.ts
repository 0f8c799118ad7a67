import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { compilerFlagsOf } from '../../bin/compiler-flags.js';
import { packTicks } from './support/ticks.ts';

/**
 * Where the time of a backtest goes: each step does all that the one before does and a little more, in a process of its
 * own, and the differences are the account. Run: node test/bench/account.ts [ROUNDS]
 */
const steps = [
  ['iterate', 'reads every level of every event'],
  ['hash', 'market hash of the digest alone'],
  ['decode', 'compressed pack to events, nothing else'],
  ['book', 'one ring book, folded by `State`'],
  ['venue', 'simulated venue alone, nobody listens'],
  ['venue-book', 'simulated venue, its facts folded by `State`'],
  ['deaf', 'whole corridor, a strategy that hears no book'],
  ['reader', 'whole corridor, a strategy that reads best prices'],
  ['touch-maker', 'whole corridor, one order a side'],
  ['market-maker', 'whole corridor, the maker we ship'],
  ['pack-market-maker', 'the same from the compressed pack'],
] as const;

const program = fileURLToPath(new URL('support/account-step.ts', import.meta.url));
const rounds = Number(process.argv[2] ?? 3);
const directory = mkdtempSync(join(tmpdir(), 'godwit-account-'));
try {
  const { paths, source } = await packTicks(directory);
  process.stdout.write(`${source}\n`);
  const best = new Map<string, number>();
  for (let round = 0; round < rounds; round++) {
    for (const [name] of steps) {
      const { status, stdout, stderr } = spawnSync(
        process.execPath,
        ['--no-warnings', ...compilerFlagsOf(undefined), program, name, ...paths],
        { encoding: 'utf8' },
      );
      if (status !== 0) throw new Error(`${name} ended with ${status}: ${stderr.slice(-600)}`);
      best.set(name, Math.min(best.get(name) ?? Number.POSITIVE_INFINITY, Number(stdout)));
    }
  }
  for (const [name, what] of steps)
    process.stdout.write(`${(best.get(name) ?? 0).toFixed(1).padStart(7)} ns a level change  ${what}\n`);
} finally {
  rmSync(directory, { recursive: true, force: true });
}
