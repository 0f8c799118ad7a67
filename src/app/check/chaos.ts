import { padLeft, padRight } from '../../core/base/display-width.ts';
import type { TroubleName } from '../../exchange/chaos/index.ts';
import type { Config } from '../config/schema.ts';
import { exitCodes } from '../process/exit-codes.ts';
import type { Output } from '../process/output.ts';
import type { ChaosRun } from './chaos-run.ts';
import { runChaos } from './chaos-run.ts';

export interface ChaosCommand {
  readonly config: Config;
  /** The strategy as it was typed, and its parameters: for the command that repeats a run. */
  readonly words: string;
  readonly names: readonly TroubleName[];
  readonly seed: number;
  readonly minutes: number;
  /** Whether each order is printed as it goes. */
  readonly events: boolean;
  readonly output: Output;
  readonly json: boolean;
}

/**
 * `godwit check chaos`: runs strategies through every trouble in the simulation, each against the same run without any, and says where they did
 * not hold. Returns exit code 7 where one did not.
 */
export async function chaosCommand(command: ChaosCommand): Promise<number> {
  const { names, output, json, events, words, seed } = command;
  const tell = events ? (line: string) => output.progress(line) : undefined;
  const calm = await runChaos('calm', command);
  const runs: ChaosRun[] = [];
  if (!json) for (const line of [headOf(), rowOf(calm, seed)]) output.data(line);
  for (const name of names) {
    const run = await runChaos(name, { ...command, tell }, calm);
    runs.push(run);
    if (json) output.progress(`${name}: ${wordOf(run)}`);
    else output.data(rowOf(run, seed));
  }
  const failed = runs.filter(({ broken }) => broken.length > 0);
  const again = (name: string): string =>
    `godwit check chaos ${words} --only ${name} --seed ${seed} --events`;
  if (json) {
    const shown = [calm, ...runs].map(({ openMost: _open, ...run }) => ({
      ...run,
      held: run.broken.length === 0,
      worst: run.worst ?? null,
      again: again(run.trouble),
    }));
    output.data(JSON.stringify({ holds: failed.length === 0, seed, runs: shown }));
  } else
    for (const { trouble, broken } of failed) {
      output.data('');
      for (const sentence of broken) output.data(`${trouble}: ${sentence}`);
      output.data(`again: ${again(trouble)}`);
    }
  if (calm.orders === 0)
    output.progress('note: it placed no order without troubles: nothing is shown by this');
  return failed.length === 0 ? exitCodes.done : exitCodes.checkFailed;
}

const columns = [24, 9, 6, 8, 8] as const;

function headOf(): string {
  return lineOf(['trouble', '', 'times', 'orders', 'fills'], 'worst exposure', 'seed');
}

function rowOf(run: ChaosRun, seed: number): string {
  const { trouble, times, orders, fills, worst } = run;
  const exposure = worst === undefined ? 'none' : `${worst.value} ${worst.currency} (${worst.symbol})`;
  return lineOf([trouble, wordOf(run), String(times), String(orders), String(fills)], exposure, String(seed));
}

function wordOf({ broken }: ChaosRun): string {
  return broken.length === 0 ? 'held' : 'NOT HELD';
}

function lineOf(cells: readonly string[], exposure: string, seed: string): string {
  const padded = cells.map((cell, at) => (at < 2 ? padRight : padLeft)(cell, columns[at] ?? 0));
  return `${padded.join(' ')}  ${padRight(exposure, 30)} ${seed}`;
}
