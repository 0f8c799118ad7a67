import type { Command } from 'commander';
import type { Output } from '../app/output.ts';
import type { Run } from './run.ts';

export function addRecordingCommands(root: Command, output: Output, run: Run): void {
  const group = root.command('data').description('looks into recordings');
  group
    .command('books')
    .description('the books a recording ends in, with their hashes')
    .argument('<recording...>', 'several files are one recording')
    .option('--json', 'one document')
    .addHelpText('after', '\nExample: godwit data books backtest/feeds/sample --json')
    .action(async (files: readonly string[], options: { json?: boolean }) => {
      const { printBooks } = await import('../app/print-books.ts');
      return run(printBooks(files, options.json === true, output));
    });
  group
    .command('inspect')
    .description('format, grade, period, symbols and counts of a recording')
    .argument('<recording...>', 'several files are one recording')
    .option('--json', 'one document')
    .addHelpText('after', '\nExample: godwit data inspect backtest/feeds/sample')
    .action(async (files: readonly string[], options: { json?: boolean }) => {
      const { inspectRecording } = await import('../app/inspect-recording.ts');
      return run(inspectRecording(files, options.json === true, output));
    });
}
