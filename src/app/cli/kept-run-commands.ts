import type { Command } from 'commander';
import type { Amount } from '../../core/base/amount.ts';
import { parseAmount } from '../../core/base/amount.ts';
import { withoutExponent } from '../../core/base/exponent.ts';
import { SystemClock } from '../../core/base/system-clock.ts';
import { handed } from '../process/handed.ts';
import type { Output } from '../process/output.ts';
import type { CommonOptions, Run } from './command-options.ts';
import type { Tree } from '../../core/config/layers.ts';
import type { Config } from '../config/schema.ts';
import {
  collect,
  configOf,
  configOver,
  fullText,
  readsRecordings,
  withCommonOptions,
  withStrategy,
} from './command-options.ts';
import { UsageError } from './errors.ts';

/** `godwit replay`, `explain`, `incident`, `audit`, `report` and `compare`: what was kept of a run. */
export function addKeptRunCommands(root: Command, output: Output, run: Run): void {
  addReplay(root, output, run);
  addExplain(root, output, run);
  addIncident(root, output, run);
  addAudit(root, output, run);
  addReport(root, output, run);
  addCompare(root, output, run);
}

function addReport(root: Command, output: Output, run: Run): void {
  root
    .command('report')
    .description('shows the report of a run again')
    .argument('<run>', 'a run directory, or the report.json in one')
    .option('--json', 'the whole report as one document, charts included')
    .option('--html <file>', 'write it as a page to this file')
    .option('--full', fullText)
    .addHelpText('after', '\nExample: godwit report runs/backtests/RUN --html report.html')
    .action(async (path: string, options: { json?: boolean; html?: string; full?: boolean }) => {
      const { reportCommand } = await import('../report-command.ts');
      return run(
        reportCommand({
          path,
          json: options.json === true,
          html: options.html,
          full: options.full === true,
          output,
        }),
      );
    });
}

function addCompare(root: Command, output: Output, run: Run): void {
  root
    .command('compare')
    .description('compares the reports of two runs, their inputs first')
    .argument('<a>', 'a run directory, or the report.json in one')
    .argument('<b>', 'another')
    .option('--json', 'one document')
    .option('--expect-equal', 'exit code 7 when they differ')
    .addHelpText('after', '\nExample: godwit compare runs/backtests/A runs/backtests/B')
    .action(async (a: string, b: string, options: { json?: boolean; expectEqual?: boolean }) => {
      const { compareCommand } = await import('../report-command.ts');
      const { json, expectEqual } = options;
      return run(compareCommand({ a, b, json: json === true, expectEqual: expectEqual === true, output }));
    });
}

interface ReplayOptions extends CommonOptions {
  readonly journal?: string;
}

function addReplay(root: Command, output: Output, run: Run): void {
  readsRecordings(withCommonOptions(root.command('replay')))
    .description(
      'runs a recorded session again with the same frames and clock, sends nothing, and reproduces its decisions',
    )
    .argument(
      '<recording...>',
      'the recording of a run, made by trade --record or demo --record, or an archive of incident export',
    )
    .option(
      '--journal <directory>',
      'run directory to compare with, event by event; exit code 7 when they differ',
    )
    .addHelpText('after', '\nExample: godwit replay runs/demo/RUN/recording --journal runs/demo/RUN')
    .action(async (recordings: readonly string[], options: ReplayOptions) => {
      const { replayCommand } = await import('../replay/command.ts');
      const configure = (recorded: Tree): Config => configOver(recorded, options);
      const { journal, json } = options;
      const command = { configure, recordings, journal, output, json: json === true };
      if (recordings.length !== 1 || !(recordings[0] ?? '').endsWith('.zip'))
        return run(replayCommand(command));
      const { replayIncident } = await import('../inspect/replay-incident.ts');
      return run(replayIncident(recordings[0] ?? '', command, replayCommand));
    });
}

interface KeptRunOptions extends CommonOptions {
  readonly journal?: string;
  readonly recording?: string;
}

function withKeptRun(command: Command): Command {
  return withCommonOptions(command)
    .option('--journal <directory>', 'the run directory, when it is not that of the configuration')
    .option('--recording <path>', 'the recording of the run, when it is not where the run put it');
}

function addExplain(root: Command, output: Output, run: Run): void {
  readsRecordings(withKeptRun(root.command('explain')))
    .description('one order, step by step: intent, controls, journal, packets, reports, fills, with times')
    .argument('<id>', 'the client id of the order')
    .addHelpText('after', '\nExample: godwit explain gw-mwv6r8sl-maker-00001 --journal runs/demo/RUN')
    .action(async (id: string, options: KeptRunOptions) => {
      const { explainCommand } = await import('../inspect/explain.ts');
      const { journal, recording, json } = options;
      const config = configOf(options);
      return run(explainCommand({ config, id, journal, recording, output, json: json === true }));
    });
}

interface IncidentOptions extends KeptRunOptions {
  readonly out?: string;
  readonly log?: readonly string[];
}

function addIncident(root: Command, output: Output, run: Run): void {
  const group = root.command('incident').description('what another person needs to look into a run');
  withKeptRun(group.command('export'))
    .description(
      'writes configuration, strategies, journal, recording and logs into one archive without secrets, which godwit replay runs',
    )
    .option('--out <file>', 'the archive (incident-RUN.zip)')
    .option(
      '--log <file>',
      'another log to put in, beside that of the run directory; may be repeated',
      collect,
    )
    .addHelpText('after', '\nExample: godwit incident export --out incident.zip')
    .action(async (options: IncidentOptions) => {
      const { incidentCommand } = await import('../inspect/incident.ts');
      const { journal, recording, out, log = [], json } = options;
      const config = withStrategy(configOf(options), {});
      const { environment } = handed;
      const from = { config, environment, journal, recording, logs: log };
      return run(incidentCommand({ ...from, out, output, json: json === true }));
    });
}

interface AuditOptions extends CommonOptions {
  readonly journal?: string;
  readonly transfer?: readonly string[];
  readonly export?: string;
}

function addAudit(root: Command, output: Output, run: Run): void {
  withCommonOptions(root.command('audit'))
    .description(
      'whether the journal of a session, the trade history of the venue and the balances agree to the last digit',
    )
    .option('--journal <directory>', 'the run directory, when it is not that of the configuration')
    .option(
      '--transfer <currency=amount>',
      'what was moved into the account since the session began, negative for out of it; may be repeated',
      collect,
    )
    .option('--export <folder>', 'also write the compared fills and balances there, as CSV and Parquet')
    .addHelpText('after', '\nExample: godwit audit --journal runs/demo/RUN --export audit')
    .action(async (options: AuditOptions) => {
      const { auditCommand } = await import('../audit/command.ts');
      const { journal, transfer = [], export: exportTo, json } = options;
      const { environment } = handed;
      const from = { config: configOf(options), environment, clock: new SystemClock() };
      const transfers = transfer.map(transferOf);
      return run(auditCommand({ ...from, journal, transfers, exportTo, output, json: json === true }));
    });
}

function transferOf(said: string): readonly [string, Amount] {
  const match = /^([\p{Lu}\p{Lo}\p{Nd}]{1,16})=(-?\d{1,20}(?:\.\d{1,24})?)$/u.exec(
    said.replace(/(?<==).*$/, withoutExponent),
  );
  if (match?.[1] === undefined || match[2] === undefined)
    throw new UsageError(`--transfer ${said}: expected a currency and an amount, such as BTC=0.5`);
  return [match[1], parseAmount(match[2])];
}
