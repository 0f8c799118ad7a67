import { execFileSync } from 'node:child_process';
import type { Printed } from '../support/row.ts';
import { print } from '../support/print.ts';
import { rustPath } from '../support/rust.ts';

// The peer written in Rust, whose program prints one line as ours do. Usage: node rust-peer.ts BARS.csv.gz [PASSES]

const printed = execFileSync(rustPath, process.argv.slice(2), { encoding: 'utf8', maxBuffer: 2 ** 26 });
print(JSON.parse(printed.trim().split('\n').at(-1) ?? '') as Printed);
