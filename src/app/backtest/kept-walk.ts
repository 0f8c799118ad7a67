import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { GodwitError } from '../../core/base/errors.ts';
import { figureOf } from '../../research/report/document.ts';
import { readReport } from '../../research/report/stored.ts';

/** Where the walk-forwards of a directory of runs are kept. */
export function walksIn(runs: string): string {
  return join(runs, 'walk-forwards');
}

/** The place of the latest walk-forward of a strategy (`code`: the hash of its files) on some data. */
export function walkDirectory(runs: string, data: string, code: string): string {
  return join(walksIn(runs), createHash('sha256').update(`${data}\n${code}`).digest('hex').slice(0, 16));
}

/** What that walk-forward found: a fraction, why there was none, or `undefined` when none was run. */
export function knownEfficiency(runs: string, data: string, code: string): number | string | undefined {
  const directory = walkDirectory(runs, data, code);
  if (!existsSync(directory)) return undefined;
  try {
    const figure = figureOf(readReport(directory), 'robustness.walkForward');
    return figure?.number ?? figure?.reason;
  } catch (error) {
    if (error instanceof GodwitError) return undefined;
    throw error;
  }
}
