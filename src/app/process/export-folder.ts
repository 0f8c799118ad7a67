import { join } from 'node:path';
import { BadInput } from '../../core/base/errors.ts';
import type { ExportedRun, RunExport } from '../../research/export/index.ts';
import { prepareFile } from '../../research/report/index.ts';
import type { Output } from './output.ts';

/** Begins an export into a directory, which is made, where one is wanted. Throws `BadInput` when no file can be put there. */
export async function openExport(directory: string | undefined): Promise<RunExport | undefined> {
  if (directory === undefined) return undefined;
  if (directory === '') throw new BadInput('--export: expected the name of a folder, found an empty text');
  prepareFile('--export', join(directory, 'fills.csv'));
  const { RunExport: Rows } = await import('../../research/export/index.ts');
  return new Rows(directory);
}

/** Writes the files and prints where, or the reason for failure. Returns whether it succeeded. */
export async function writeExport(
  rows: RunExport | undefined,
  run: ExportedRun,
  output: Output,
): Promise<boolean> {
  if (rows === undefined) return true;
  try {
    await rows.finish(run);
    output.progress(`export: ${rows.directory}`);
    return true;
  } catch (error) {
    rows.discard();
    if (!(error instanceof BadInput)) throw error;
    output.progress(`the export was not written: ${error.message}`);
    return false;
  }
}
