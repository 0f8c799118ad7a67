import type { Command } from 'commander';
import type { Output } from '../process/output.ts';
import { packageVersion } from '../process/package.ts';
import type { Run } from './run.ts';

const meaning = 'the version of Godwit and of the Node it runs on';

/** `--version`, `-V` and the command `version`. */
export function addVersion(root: Command, output: Output, run: Run): void {
  const versions = { godwit: packageVersion(), node: process.versions.node };
  const text = `godwit ${versions.godwit}, Node ${versions.node}`;
  root.version(text, '-V, --version', meaning);
  root
    .command('version')
    .description(meaning)
    .option('--json', 'one document')
    .addHelpText('after', '\nExample: godwit version')
    .action(({ json }: { readonly json?: true }) => {
      output.data(json === true ? JSON.stringify(versions) : text);
      return run(0);
    });
}
