import type { Printed } from '../support/row.ts';
import { print } from '../support/print.ts';
import { runPython } from '../support/python.ts';

// A peer written in Python, whose program prints one line as ours do. Usage: node python-peer.ts SCRIPT ARGUMENTS...

const [script = '', ...args] = process.argv.slice(2);
print(runPython(script, args) as Printed);
