import type { Tree } from '../../core/config/layers.ts';
import type { LoadedSweep } from '../../research/search/index.ts';
import { checkSweep, loadSweep } from '../../research/search/index.ts';

/** Stands where a sweep that no file says has the name of its file. */
export const commandLine = 'the command line';

/** A sweep file with the command line laid over it, or a sweep that the command line says whole. Throws `ConfigError`. */
export function loadSweepOf(files: readonly string[], said: Tree): LoadedSweep {
  const [file] = files;
  return said['data'] === undefined && file !== undefined
    ? loadSweep(file, said)
    : checkSweep(said, commandLine);
}
