import { faultText } from './fault-plan.ts';
import { bugNames, runBugs } from './run-bugs.ts';
import { report, runSeeds } from './run-seeds.ts';
import { simulate } from './simulation.ts';
import { toolOptions } from '../support/tool-options.ts';

const usage = `npm run simulate -- [options]

  The whole system under random faults on one virtual clock. Exit code 1 when an invariant breaks.

  --seeds N      this many seeds (100); with --bugs the most that are tried for each defect (200)
  --from N       the first of them (1)
  --minutes N    simulated minutes of faults a seed (4)
  --seed N       this seed alone, with its faults
  --faults A,B   with --seed: only these of its faults
  --verbose      with --seed: every frame and event as a line
  --bugs         plants each known defect and looks for it
  --bug NAME     plants one of them
  --ledger       with --bugs: those of the ledger, of wallets and margin accounts only
  --processes N  as many processes run seeds, or look for defects (2); 1: this one alone
  --left         with --bugs: those that no kept seed shows only
  --keep         with --bugs: writes down the seeds that show them, which are tried first (planted-seeds.json)
  --json         one JSON document instead of lines
`;

const values = toolOptions(usage, {
  options: {
    seeds: { type: 'string' },
    from: { type: 'string', default: '1' },
    minutes: { type: 'string', default: '4' },
    seed: { type: 'string' },
    faults: { type: 'string' },
    verbose: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
    bugs: { type: 'boolean', default: false },
    bug: { type: 'string' },
    processes: { type: 'string', default: '2' },
    left: { type: 'boolean', default: false },
    keep: { type: 'boolean', default: false },
    ledger: { type: 'boolean', default: false },
  },
});
const write = (line: string): void => void process.stdout.write(`${line}\n`);
const minutes = Number(values.minutes);
if (values.bug !== undefined && !bugNames.includes(values.bug)) {
  process.stderr.write(
    `there is no planted defect "${values.bug}"; there are:\n  ${bugNames.join('\n  ')}\n`,
  );
  process.exitCode = 2;
} else if (values.bugs || values.bug !== undefined) {
  const { survivors, revived } = await runBugs({
    from: Number(values.from),
    seedsMax: Math.min(200, Number(values.seeds ?? 200)),
    minutes,
    bug: values.bug,
    ofLedger: values.ledger,
    processes: Number(values.processes),
    keeps: values.keep,
    isLeft: values.left,
    write,
  });
  process.exitCode = survivors.length + revived.length === 0 ? 0 : 1;
} else if (values.seed === undefined) {
  const run = await runSeeds({
    from: Number(values.from),
    count: Number(values.seeds ?? 100),
    minutes,
    processes: Number(values.processes),
    write,
  });
  process.exitCode = report(run, { json: values.json, write }) ? 0 : 1;
} else {
  const only = values.faults
    ?.split(',')
    .filter((text) => text !== '')
    .map(Number);
  const result = await simulate({
    seed: Number(values.seed),
    minutes,
    only,
    log: values.verbose ? write : undefined,
  });
  for (const fault of result.faults) write(faultText(fault));
  for (const { invariant, atMs, why } of result.breaches) write(`${invariant} at ${atMs} ms: ${why}`);
  write(`${result.events} events, ${result.orders} orders, digest ${result.digest}`);
  process.exitCode = result.breaches.length === 0 ? 0 : 1;
}
