import type { Command } from 'commander';
import { printBooks } from '../app/data-books.ts';
import { inspectRecording } from '../app/data-inspect.ts';
import type { Output } from '../app/output.ts';
import type { Run } from './program.ts';

export function addDataCommands(root: Command, output: Output, run: Run): void {
  const group = root.command('data').description('looks into recordings');
  group
    .command('books')
    .description('the books a recording ends in, with their hashes')
    .argument('<recording...>', 'several files are one recording')
    .option('--json', 'one document')
    .addHelpText('after', '\nExample: godwit data books backtest/feeds/sample --json')
    .action((files: readonly string[], options: { json?: boolean }) =>
      run(printBooks(files, options.json === true, output)),
    );
  group
    .command('inspect')
    .description('format, grade, period, symbols and counts of a recording')
    .argument('<recording...>', 'several files are one recording')
    .option('--json', 'one document')
    .addHelpText('after', '\nExample: godwit data inspect backtest/feeds/sample')
    .action((files: readonly string[], options: { json?: boolean }) =>
      run(inspectRecording(files, options.json === true, output)),
    );
}
