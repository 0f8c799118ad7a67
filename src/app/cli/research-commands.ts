import type { Command } from 'commander';
import type { Output } from '../process/output.ts';
import type { Run } from './run.ts';

/** `godwit report`, `godwit compare`: what was kept of a run, again and against another. */
export function addResearchCommands(root: Command, output: Output, run: Run): void {
  root
    .command('report')
    .description('shows the report of a run again')
    .argument('<run>', 'a run directory, or the report.json in one')
    .option('--json', 'the whole report as one document, charts included')
    .option('--html <file>', 'write it as a page to this file')
    .addHelpText('after', '\nExample: godwit report runs/backtests/RUN --html report.html')
    .action(async (path: string, options: { json?: boolean; html?: string }) => {
      const { reportCommand } = await import('../report-command.ts');
      return run(reportCommand({ path, json: options.json === true, html: options.html, output }));
    });
  root
    .command('compare')
    .description('says what differs between the reports of two runs, what they were made of first')
    .argument('<a>', 'a run directory, or the report.json in one')
    .argument('<b>', 'another')
    .option('--json', 'one document')
    .option('--expect-equal', 'exit code 7 when they differ')
    .addHelpText('after', '\nExample: godwit compare runs/backtests/A runs/backtests/B')
    .action(async (a: string, b: string, options: { json?: boolean; expectEqual?: boolean }) => {
      const { compareCommand } = await import('../compare-command.ts');
      const { json, expectEqual } = options;
      return run(compareCommand({ a, b, json: json === true, expectEqual: expectEqual === true, output }));
    });
}
