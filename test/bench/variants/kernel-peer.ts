import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { writeColumns } from '../support/columns.ts';
import { print } from '../support/print.ts';
import type { Printed } from '../support/row.ts';

// The work of the corridor in plain C++, compiled here and now, with the digest of what the market reported or without.
// Usage: node kernel-peer.ts [--digest] PACK...

const source = fileURLToPath(new URL('../peers/kernel.cpp', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'godwit-kernel-'));
try {
  const program = join(folder, 'kernel');
  execFileSync('g++', ['-O3', '-march=native', '-std=c++20', '-o', program, source], { stdio: 'inherit' });
  const { values, positionals } = parseArgs({
    options: { digest: { type: 'boolean', default: false } },
    allowPositionals: true,
  });
  const columns = positionals.map((pack, i) => {
    const path = join(folder, `${i}.columns`);
    writeColumns(pack, path);
    return path;
  });
  print(
    JSON.parse(
      execFileSync(program, values.digest ? ['--digest', ...columns] : columns, { encoding: 'utf8' }),
    ) as Printed,
  );
} finally {
  rmSync(folder, { recursive: true, force: true });
}
