import { join } from 'node:path';
import { fail } from '../../core/base/assert.ts';
import { BadInput } from '../../core/base/errors.ts';
import type { ExportCell, ExportColumns } from '../../research/export/index.ts';
import { trialColumns, writeTable } from '../../research/export/index.ts';
import { prepareFile } from '../../research/report/index.ts';
import type { Summary } from '../../research/report/index.ts';
import type { ParamValue, Point, Space } from '../../research/search/index.ts';
import type { Output } from '../process/output.ts';
import { noSharesOf } from '../run/account.ts';
import { openExport, writeExport } from '../process/export-folder.ts';
import { figureNames } from './figures.ts';
import { ranked } from './result.ts';
import type { Tried } from './search.ts';
import type { SweepSetup } from './setup.ts';
import { runTrial } from './trial.ts';

/** The folder, inside that of the export, of the run of the best point. */
const bestFolder = 'best';

/** Looks whether the files of a sweep can be written where a person wants them. Throws `BadInput` when not. */
export function prepareSweepExport(directory: string | undefined): void {
  if (directory === undefined) return;
  if (directory === '') throw new BadInput('--export: expected the name of a folder, found an empty text');
  prepareFile('--export', join(directory, 'trials.csv'));
}

/**
 * Writes every trial as a table and, in a folder of its own, what the best point makes when it is run on all of the data.
 * Returns whether it succeeded; `output` says why not.
 */
export async function exportSweep(
  directory: string | undefined,
  setup: SweepSetup,
  tried: readonly Tried[],
  output: Output,
): Promise<boolean> {
  if (directory === undefined) return true;
  try {
    await writeTable(
      directory,
      'trials',
      columnsOf(setup.space),
      tried.map((one) => cellsOf(one, setup.space)),
    );
  } catch (error) {
    if (!(error instanceof BadInput)) throw error;
    output.progress(`the export was not written: ${error.message}`);
    return false;
  }
  output.progress(`export: ${directory}`);
  const [best] = ranked(tried);
  return best === undefined
    ? true
    : await exportPoint(join(directory, bestFolder), setup, best.point, output);
}

async function exportPoint(
  directory: string,
  { base, pack, loaded }: SweepSetup,
  point: Point,
  output: Output,
): Promise<boolean> {
  const rows = (await openExport(directory)) ?? fail('the export of a point has no folder');
  let summary: Summary | undefined;
  const onSummary = (ended: Summary): void => void (summary = ended);
  const { currency } = loaded.options;
  const { failure } = await runTrial(base, pack, { point, currency }, { rows, onSummary });
  if (failure !== undefined) output.progress(`the best point, run on all of the data: ${failure}`);
  if (summary === undefined) {
    rows.discard();
    return false;
  }
  const isStartAssumed = noSharesOf(base) !== undefined;
  return await writeExport(rows, { summary, isStartAssumed }, output);
}

/** Parameters stand where the table says: one column each, of the type of its values. */
function columnsOf({ dimensions }: Space): ExportColumns {
  const { trial, share, ...rest } = trialColumns;
  const figures = Object.fromEntries(
    figureNames.map((name) => [name, { type: 'number', meaning: 'a figure' }] as const),
  );
  const { objective, failure, currency, digest } = rest;
  const fixed = { trial, share, objective, ...figures, failure, currency, digest };
  const parameters = Object.fromEntries(
    dimensions.map((one) => {
      const isText = one.kind === 'choice' && one.choices.some((choice) => typeof choice !== 'number');
      const column = { type: isText ? 'text' : 'number', meaning: 'a parameter' } as const;
      return [one.name in fixed ? `param_${one.name}` : one.name, column] as const;
    }),
  );
  return { trial, share, ...parameters, objective, ...figures, failure, currency, digest };
}

function cellsOf(
  { trial, share, point, value, outcome }: Tried,
  { dimensions }: Space,
): readonly ExportCell[] {
  const { figures, failure, currency, digest } = outcome;
  return [
    trial,
    share,
    ...dimensions.map(({ name }) => cellOf(point[name])),
    value,
    ...figureNames.map((name) => figures[name]),
    failure,
    currency,
    digest,
  ];
}

function cellOf(value: ParamValue | undefined): ExportCell {
  return typeof value === 'boolean' ? String(value) : value;
}
