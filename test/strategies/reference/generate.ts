import { writeFileSync } from 'node:fs';
import { referencePage } from './page.ts';

// Prints docs/reference.md, or with --write writes it.

if (process.argv.includes('--write'))
  writeFileSync(new URL('../../../docs/reference.md', import.meta.url), referencePage());
else process.stdout.write(referencePage());
