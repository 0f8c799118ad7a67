import { readFileSync } from 'node:fs';
import type { Command } from 'commander';
import type { Output } from '../app/process/output.ts';
import type { Run } from './run.ts';

const meaning = 'the version of Godwit and of the Node it runs on';

/** `--version`, `-V` and the command `version`. */
export function addVersion(root: Command, output: Output, run: Run): void {
  const text = versionText();
  root.version(text, '-V, --version', meaning);
  root
    .command('version')
    .description(meaning)
    .addHelpText('after', '\nExample: godwit version')
    .action(() => {
      output.data(text);
      return run(0);
    });
}

/** `godwit 0.1.0, Node 26.10.0`. */
function versionText(): string {
  const { name, version } = JSON.parse(
    readFileSync(new URL('../../package.json', import.meta.url), 'utf8'),
  ) as { readonly name: string; readonly version: string };
  return `${name} ${version}, Node ${process.versions.node}`;
}
