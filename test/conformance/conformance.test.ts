import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, test } from 'vitest';
import type { ConformanceCase } from './case.ts';
import { cases as tick } from './cases/hftbacktest.ts';

const data = new URL('../../../shared/data/', import.meta.url);

/** The short share of the suite: `npm run conformance` runs all of it. */
async function shortShare(): Promise<readonly ConformanceCase[]> {
  const wanted = [tick.find(({ name }) => name.includes('300 rows'))];
  // Read by name, so that the share goes on without bars while there are none.
  const bars = new URL('cases/bars.ts', import.meta.url);
  if (existsSync(bars))
    wanted.push(((await import(bars.href)) as { cases: readonly ConformanceCase[] }).cases[0]);
  return wanted.filter((one) => one !== undefined);
}

describe('published results', async () => {
  for (const { name, needs, run } of await shortShare()) {
    const missing = needs.find((path) => !existsSync(fileURLToPath(new URL(path, data))));
    if (missing !== undefined) process.stderr.write(`skipped: ${name}: ${missing} is absent\n`);
    test.skipIf(missing !== undefined)(name, run, 60_000);
  }
});
