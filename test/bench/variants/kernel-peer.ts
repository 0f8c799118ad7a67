import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { writeColumns } from '../support/columns.ts';
import { print } from '../support/print.ts';
import type { Printed } from '../support/row.ts';

// The work of the corridor in plain C++, compiled here and now. Usage: node kernel-peer.ts PACK...

const source = fileURLToPath(new URL('../peers/kernel.cpp', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'godwit-kernel-'));
try {
  const program = join(folder, 'kernel');
  execFileSync('g++', ['-O3', '-march=native', '-std=c++20', '-o', program, source], { stdio: 'inherit' });
  const columns = process.argv.slice(2).map((pack, i) => {
    const path = join(folder, `${i}.columns`);
    writeColumns(pack, path);
    return path;
  });
  print(JSON.parse(execFileSync(program, columns, { encoding: 'utf8' })) as Printed);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
