import type { Tree } from '../config/layers.ts';
import type { LoadedSweep } from '../research/sweep-file.ts';
import { checkSweep, loadSweep } from '../research/sweep-file.ts';

/** A sweep file with the command line laid over it, or a sweep that the command line says whole. Throws `BadInput`. */
export function loadSweepOf(files: readonly string[], said: Tree): LoadedSweep {
  const [file] = files;
  return said['data'] === undefined && file !== undefined
    ? loadSweep(file, said)
    : checkSweep(said, 'the command line');
}
