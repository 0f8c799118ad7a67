import { writeFileSync } from 'node:fs';
import { faultKindsByRow, keptFigures, read } from './facts.ts';
import { reliabilityPage } from './page.ts';
import { sections } from './rows.ts';

/** docs/reliability.md as the rows make it, and as it is. */
export function pageWithRows(): { readonly made: string; readonly written: string } {
  const made = reliabilityPage({ sections, faults: faultKindsByRow(), figures: keptFigures() });
  return { made, written: read('docs/reliability.md') ?? '' };
}

if (process.argv.includes('--write'))
  writeFileSync(new URL('../../docs/reliability.md', import.meta.url), pageWithRows().made);
