import { BadInput } from '../../core/base/errors.ts';
import { ConfigError } from '../../core/config/error.ts';
import type { Tree } from '../../core/config/layers.ts';
import { UsageError } from './errors.ts';
import type { CommonOptions, StrategyOptions } from './command-options.ts';

/** What the command line says in the words of a sweep file. Throws `UsageError`. */
export function sweepTree(files: readonly string[], flags: SweepFlags): Tree {
  const { strategy, param, space, search, trials, objective, seed, split, top } = flags;
  const isFile = isSweepFile(files);
  if (isFile && (strategy !== undefined || param !== undefined))
    throw new UsageError(
      'sweep: expected no --strategy and no --param with a sweep file, which names its own',
    );
  if (!isFile && strategy === undefined) throw new UsageError('sweep: expected --strategy with recordings');
  if (!isFile && space === undefined)
    throw new UsageError('sweep: expected --space with recordings, such as --space spreadFactor=0.2..1/0.2');
  if (isFile && trials !== undefined && search === undefined)
    throw new UsageError('sweep: expected --search with --trials');
  const method = search ?? (trials === undefined ? undefined : 'random');
  return defined({
    data: isFile ? undefined : files,
    strategy: isFile ? undefined : { path: strategy, params: assigned('--param', param ?? [], valueOf) },
    space: space === undefined ? undefined : assigned('--space', space, dimensionOf),
    search: method === undefined ? undefined : defined({ method, trials }),
    objective,
    seed,
    split,
    top,
    walk: walkOf(flags, isFile),
  });
}

/** Does what a command does; what is wrong with its line ends as usage. Throws `UsageError`. */
export async function blamingTheLine(
  files: readonly string[],
  flags: SweepFlags,
  act: () => Promise<number>,
): Promise<number> {
  try {
    return await act();
  } catch (error) {
    if (!(error instanceof BadInput || error instanceof ConfigError)) throw error;
    const { commandLine } = await import('../sweep/load.ts');
    const place = isSweepFile(files) ? (files[0] ?? '') : commandLine;
    if (!error.message.startsWith(`${place}: `)) throw error;
    const what = error.message.slice(place.length + 2);
    // Over a file the line says some settings only.
    const isSaid = Object.keys(sweepTree(files, flags)).some((key) => new RegExp(`^${key}[.:]`).test(what));
    if (place !== commandLine && !isSaid) throw error;
    throw new UsageError(`${commandLine}: ${what}`, { cause: error });
  }
}

/** Whether one sweep file was named, and not recordings. */
export function isSweepFile(files: readonly string[]): boolean {
  return files.length === 1 && /\.ya?ml$/.test(files[0] ?? '');
}

/** A file may name the lengths that the line leaves out. */
function walkOf({ train, test, step, anchored }: SweepFlags, isFile: boolean): Tree | undefined {
  if (train === undefined && test === undefined && step === undefined && anchored === undefined)
    return undefined;
  if (!isFile && (train === undefined || test === undefined))
    throw new UsageError('walk-forward: expected --train and --test together');
  return defined({ train, test, step, anchored });
}

/** `low..high`, `low..high/step`, `log:low..high`, `a,b,c`, or nothing and `auto` for the whole range. */
function dimensionOf(text: string): unknown {
  if (text === 'auto' || text === '') return 'auto';
  const number = '-?\\d+(?:\\.\\d+)?(?:e-?\\d+)?';
  const range = new RegExp(`^(log:)?(${number})\\.\\.(${number})(?:/(${number}))?$`).exec(text);
  if (range === null) return text.split(',').map(valueOf);
  const [, log, from, to, step] = range;
  return defined({
    from: Number(from),
    to: Number(to),
    step: step === undefined ? undefined : Number(step),
    scale: log === undefined ? undefined : 'log',
  });
}

function assigned(flag: string, texts: readonly string[], read: (text: string) => unknown): Tree {
  return Object.fromEntries(
    texts.map((text) => {
      const split = text.indexOf('=');
      if (split === 0 || (split < 0 && flag !== '--space'))
        throw new UsageError(`${flag} ${text}: expected the form name=value`);
      const name = split < 0 ? text : text.slice(0, split);
      return [name, read(split < 0 ? '' : text.slice(split + 1))];
    }),
  );
}

/** JSON where it is JSON (numbers, booleans), text otherwise. */
function valueOf(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}

function defined(tree: Tree): Tree {
  return Object.fromEntries(Object.entries(tree).filter(([, value]) => value !== undefined));
}

/** Options of `sweep` and `walk-forward`. */
export interface SweepFlags extends CommonOptions, StrategyOptions {
  readonly space?: readonly string[];
  readonly search?: string;
  readonly trials?: number;
  readonly objective?: string;
  readonly seed?: number;
  readonly split?: number;
  readonly top?: number;
  readonly workers?: number;
  readonly store?: string;
  readonly ledger?: string;
  readonly resume: boolean;
  readonly csv?: string;
  readonly export?: string;
  readonly queue?: string;
  readonly timeout?: number;
  readonly train?: string;
  readonly test?: string;
  readonly step?: string;
  readonly anchored?: boolean;
  readonly html?: string;
  readonly save?: boolean;
}
