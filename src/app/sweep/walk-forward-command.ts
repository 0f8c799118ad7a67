import { ConfigError } from '../../core/config/error.ts';
import { durationText, colorOf, headLines, exitSentence } from '../../research/report/index.ts';
import type { ReportDocument } from '../../research/report/index.ts';
import { trialsOf } from '../../research/search/index.ts';
import type { LoadedSweep } from '../../research/search/index.ts';
import type { ReportOptions } from '../backtest/index.ts';
import { exitCodes } from '../process/exit-codes.ts';
import type { SessionOptions } from './session.ts';
import { runSession } from './session.ts';
import type { SetupOptions, SweepSetup } from './setup.ts';
import { setUpSweep } from './setup.ts';
import { sixDigits, table } from './table.ts';
import { partText, walkTable, reportWalk } from './walk-forward-report.ts';
import type { WalkResult } from './walk-forward.ts';
import { foldsOf, walkForward } from './walk-forward.ts';

export interface WalkForwardCommand extends SessionOptions, SetupOptions {
  readonly loaded: LoadedSweep;
  readonly json: boolean;
  readonly report: Pick<ReportOptions, 'html' | 'save' | 'directory' | 'command'>;
}

/** `godwit walk-forward`: chooses on one window, judges on the next, again and again. */
export async function walkForwardCommand(command: WalkForwardCommand): Promise<number> {
  const { loaded, output, json } = command;
  const { walk, search } = loaded.options;
  if (walk === undefined)
    throw new ConfigError(
      `${loaded.file}: expected the lengths of training and test: walk: { train: 1d, test: 6h }, or --train 1d --test 6h`,
    );
  const setup = await setUpSweep(loaded, command);
  for (const note of setup.notes) output.progress(`data: ${note}`);
  const folds = foldsOf(setup, walk);
  const total = folds.length * (trialsOf(search, setup.space) + 1);
  const end = await runSession(setup, total, command, async (run) => await walkForward(run, folds));
  if ('code' in end) return end.code;
  const { doubts } = end;
  const result: WalkResult = { ...end.answer, anchored: walk.anchored };
  const document = await reportWalk({ setup, doubts, result, walk, options: command.report, output });
  output.data(
    json
      ? JSON.stringify({
          ...result,
          title: document.title,
          warning: document.warning,
          doubts,
          command: document.command,
          sections: document.sections,
        })
      : renderWalk(result, setup, { document, colours: output.colour }),
  );
  const doubtful = exitSentence(doubts);
  if (doubtful !== undefined) output.progress(doubtful);
  return result.windows.some(({ chosen }) => chosen !== undefined) ? exitCodes.done : exitCodes.failed;
}

function renderWalk(
  result: WalkResult,
  { space }: SweepSetup,
  { document, colours }: { readonly document: ReportDocument; readonly colours: boolean },
): string {
  const color = colorOf(colours);
  const { columns, rows } = walkTable(result, space);
  const unit = result.currency === undefined ? '' : ` ${result.currency}`;
  const kind = result.anchored ? 'anchored' : 'rolling';
  return [
    color(
      `${result.name}: ${result.windows.length} ${kind} windows, chosen by ${result.objective}`,
      'strong',
    ),
    ...headLines(document, color),
    ...result.notes.map((note) => color(`note: ${note}`, 'bad')),
    ...table([columns, ...rows]).map((line, index) => (index === 0 ? color(line, 'dim') : line)),
    `out of sample: profit ${sixDigits(result.profit)}${unit} in ${durationText(result.days * 86_400e6)}, ${result.winning} of ${result.windows.length} windows with a profit, efficiency ${partText(result.efficiency)}`,
  ].join('\n');
}
