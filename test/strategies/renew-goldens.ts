/** Runs every golden backtest again, says what changed, and keeps the new outcomes. */
import '../support/registered-venues.ts';
import { differences, goldenNames, readGolden, runGolden, writeGolden } from './support/golden.ts';

for (const name of goldenNames()) {
  const { run, outcome } = readGolden(name);
  const found = await runGolden(run);
  const changes = outcome === undefined ? ['new'] : differences(outcome, found);
  process.stdout.write(`${name}: ${changes.length === 0 ? 'unchanged' : `\n  ${changes.join('\n  ')}`}\n`);
  writeGolden(name, { run, outcome: found });
}
