import { existsSync, readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { ConformanceCase } from './case.ts';
import { registerVenues } from '../../src/app/venue/load.ts';
import { toolOptions } from '../support/tool-options.ts';

const usage = `npm run conformance -- [WORD]

  Runs every case of published results, or those whose name contains the word, and ends with "N passed, M failed".
  A case whose data is absent is skipped with a line. Exit code 7 when a case fails, 2 when no name contains the word.
`;

const data = new URL('../../../shared/data/', import.meta.url);
registerVenues();
toolOptions(usage, { options: {}, allowPositionals: true });
const wanted = process.argv[2]?.toLowerCase() ?? '';
const folder = new URL('cases/', import.meta.url);
let passed = 0;
let failed = 0;
let skipped = 0;

for (const file of readdirSync(folder).toSorted()) {
  if (!file.endsWith('.ts')) continue;
  const { cases } = (await import(new URL(file, folder).href)) as { cases: readonly ConformanceCase[] };
  for (const one of cases) if (one.name.toLowerCase().includes(wanted)) await check(one);
}
if (skipped > 0) process.stdout.write(`${skipped} skipped: their data is not beside the repository\n`);
process.stdout.write(`${passed} passed, ${failed} failed\n`);
process.exitCode = failed > 0 ? 7 : 0;
if (passed + failed + skipped === 0) {
  process.stderr.write(
    `expected a word from the name of a case, found ${JSON.stringify(wanted)}: no name contains it\n`,
  );
  process.exitCode = 2;
}

async function check({ name, needs, run }: ConformanceCase): Promise<void> {
  const missing = needs.find((path) => !existsSync(fileURLToPath(new URL(path, data))));
  if (missing !== undefined) {
    skipped += 1;
    process.stdout.write(`skip  ${name}: ${missing} is absent\n`);
    return;
  }
  const begun = performance.now();
  try {
    const remark = await run();
    passed += 1;
    const took = ((performance.now() - begun) / 1_000).toFixed(1);
    process.stdout.write(`pass  ${name} (${took} s)${typeof remark === 'string' ? `: ${remark}` : ''}\n`);
  } catch (error) {
    failed += 1;
    process.stdout.write(`FAIL  ${name}: ${error instanceof Error ? error.message : String(error)}\n`);
  }
}
