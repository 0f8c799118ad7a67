import { writeFileSync } from 'node:fs';
import { unwritable } from '../../data/recording/index.ts';
import { exitSentence, prepareStream } from '../../research/report/index.ts';
import { trialsOf } from '../../research/search/index.ts';
import { splitAt } from '../../research/scenario/index.ts';
import type { LoadedSweep } from '../../research/search/index.ts';
import { exitCodes } from '../process/exit-codes.ts';
import { exportSweep, prepareSweepExport } from './export.ts';
import { preparePage, writePage } from '../process/page-file.ts';
import { figureNames } from './figures.ts';
import { sweepDocument } from './page.ts';
import { ranked, rowOf, sweepResult } from './result.ts';
import type { Tried } from './search.ts';
import { searchSpan, tryPoints } from './search.ts';
import type { SessionOptions } from './session.ts';
import { runSession } from './session.ts';
import type { SetupOptions, SweepSetup } from './setup.ts';
import { setUpSweep } from './setup.ts';
import { renderSweep, sweepCsv } from './table.ts';

export interface SweepCommand extends SessionOptions, SetupOptions {
  readonly loaded: LoadedSweep;
  readonly json: boolean;
  /** Where all trials are written as CSV. */
  readonly csv: string | undefined;
  /** Where the page is written. */
  readonly html?: string | undefined;
  /** A directory for all trials, and everything the best one makes, as tables. */
  readonly exportTo?: string | undefined;
  /** As it was typed, without secrets. */
  readonly command?: string | undefined;
}

/** `godwit sweep`: searches a space of parameters, tests the best on the rest of the data, prints what came of it. */
export async function sweepCommand(command: SweepCommand): Promise<number> {
  const { loaded, output, json, csv } = command;
  if (csv !== undefined) prepareStream('--csv', csv);
  prepareSweepExport(command.exportTo);
  preparePage(command.html);
  const setup = await setUpSweep(loaded, command);
  for (const note of setup.notes) output.progress(`data: ${note}`);
  const { split, search, top } = loaded.options;
  const fold = split === undefined ? undefined : splitAt(setup.span, split);
  const total = trialsOf(search, setup.space) + (fold === undefined ? 0 : top);
  const end = await runSession(setup, total, command, async (run) => {
    const tried = await searchSpan(run, fold?.train);
    const best = ranked(tried).slice(0, top);
    const tests =
      fold === undefined
        ? []
        : await tryPoints(
            run,
            best.map(({ point }) => point),
            fold.test,
          );
    return { tried, tests, store: run.store.path };
  });
  if ('code' in end) return end.code;
  const { tried, tests, store } = end.answer;
  const { doubts } = end;
  const result = sweepResult({ setup, tried, fold, tests, store, doubts, command: command.command });
  output.data(json ? JSON.stringify(result) : renderSweep(result, setup.space, output.colour));
  if (csv !== undefined) writeCsv(csv, setup, tried);
  const isShown = writePage(command.html, sweepDocument(result, setup, tried), output);
  const isExported = await exportSweep(command.exportTo, setup, tried, output);
  const doubtful = exitSentence(doubts);
  if (doubtful !== undefined) output.progress(doubtful);
  return isExported && isShown ? sweepExitCode(tried) : exitCodes.failed;
}

/** A sweep of which nothing came has failed. */
export function sweepExitCode(tried: readonly Tried[]): number {
  return tried.some(({ value }) => value !== undefined) ? exitCodes.done : exitCodes.failed;
}

function writeCsv(path: string, { space }: SweepSetup, tried: readonly Tried[]): void {
  const rows = tried.map((one) => rowOf(one));
  try {
    writeFileSync(path, sweepCsv(rows, space, figureNames));
  } catch (error) {
    throw unwritable(path, error);
  }
}
