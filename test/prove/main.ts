import { fork } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { FigureLine } from './figure-lines.ts';
import { figureLine, figureText } from './figure-lines.ts';
import { KeptFigures } from './kept-figures.ts';
import type { Figure, Row } from './row.ts';
import type { RowAnswer, RowTask } from './row-process.ts';
import { rowsOf } from './rows-of.ts';
import { brokenOf, runRows } from './run-rows.ts';
import { forgetOthers, measuredOn, RowState } from './state.ts';
import { toolOptions } from '../support/tool-options.ts';

const usage = `npm run prove -- [options]

  The numbers of docs/proving.md, one line each: row, name, value, limit, seed, commit, ok or FAILED. Exit code 1 when a limit is
  broken, 130 when it was stopped. A run on the same commit goes on where the last one was stopped, if nothing was changed.

  --short        the share of CI
  --only A,B     these rows alone
  --list         the rows: name, minutes, what they show
  --resume       goes on where a run on this commit was stopped, as without it
  --fresh        measures again what is known of this commit (with --only: of these rows)
  --keep         writes test/prove/figures.json, row by row; not with --short
  --json         a line of JSON for each figure
`;

const values = toolOptions(usage, {
  options: {
    short: { type: 'boolean', default: false },
    only: { type: 'string' },
    list: { type: 'boolean', default: false },
    fresh: { type: 'boolean', default: false },
    resume: { type: 'boolean', default: true },
    keep: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
  },
});
const root = fileURLToPath(new URL('../..', import.meta.url));
const states = join(root, '.godwit', 'prove');
const figuresFile = fileURLToPath(new URL('figures.json', import.meta.url));
const rowProcess = fileURLToPath(new URL('row-process.ts', import.meta.url));
const say = (line: string): void => void process.stdout.write(`${line}\n`);
const tell = (line: string): void => void process.stderr.write(`${line}\n`);

/** Measures a row in a process of its own. */
function measureApart(row: Row, directory: string, stopped: AbortSignal): Promise<readonly Figure[]> {
  return new Promise((resolve, reject) => {
    const child = fork(rowProcess, { stdio: ['ignore', 2, 2, 'ipc'] });
    const boundMs = (row.minutes * 5 + 5) * 60_000;
    const stop = (): void => {
      child.kill('SIGTERM');
      setTimeout(() => child.kill('SIGKILL'), 8_000).unref();
    };
    const bound = setTimeout(() => {
      reject(new Error(`stopped after ${Math.round(boundMs / 60_000)} minutes; it takes ${row.minutes}`));
      stop();
    }, boundMs);
    stopped.addEventListener('abort', stop);
    child.on('message', (answer: RowAnswer) => {
      if (answer.kind === 'told') tell(`${row.name}: ${answer.line}`);
      else if (answer.kind === 'figures') resolve(answer.figures);
      else reject(new Error(answer.why));
    });
    child.on('error', reject);
    child.on('exit', (code, signal) => {
      clearTimeout(bound);
      stopped.removeEventListener('abort', stop);
      reject(new Error(`its process ended with ${signal ?? code} and gave no figures`));
    });
    const task: RowTask = { name: row.name, isShort: values.short, directory };
    child.send(task);
  });
}

function chosenOf(rows: readonly Row[]): readonly Row[] | undefined {
  const only = values.only?.split(',').filter((name) => name !== '');
  const unknown = only?.find((name) => !rows.some((row) => row.name === name));
  if (unknown !== undefined) {
    tell(`there is no row "${unknown}"; there are: ${rows.map(({ name }) => name).join(', ')}`);
    return undefined;
  }
  const chosen = rows.filter(({ name }) => only?.includes(name) ?? true);
  return values.short ? chosen.filter(({ shortSeconds }) => shortSeconds !== undefined) : chosen;
}

function list(rows: readonly Row[]): void {
  for (const { name, minutes, shortSeconds, isAlone, shows } of rows) {
    const share = shortSeconds === undefined ? '' : `, in CI ${shortSeconds} s`;
    say(`${name.padEnd(18)} ${minutes} min${share}${isAlone === true ? ', alone' : ''}: ${shows}`);
  }
}

/** The limit of the whole, in minutes. */
const minutesMax = 90;

/** How long all rows took, with the runs that were stopped before this one. */
class WholeTime {
  readonly #state: RowState;
  readonly #begun = performance.now();
  readonly #session = `session ${process.pid} ${new Date().toISOString()}`;

  constructor(directory: string) {
    this.#state = new RowState(directory, 'sessions');
  }

  save(): void {
    this.#state.set(this.#session, performance.now() - this.#begun);
  }

  figure(): Figure {
    const ms = this.#state.chunks.reduce((sum, chunk) => sum + Number(this.#state.get(chunk)), 0);
    const value = Number((ms / 60_000).toFixed(2));
    const limit = values.short ? undefined : { atMost: minutesMax };
    return { name: 'wall time', value, unit: 'minutes', ...(limit === undefined ? {} : { limit }) };
  }
}

async function main(): Promise<number> {
  const all = await rowsOf();
  const rows = chosenOf(all);
  if (rows === undefined) return 2;
  if (values.list) {
    list(rows);
    return 0;
  }
  if (values.keep && values.short) {
    tell('--keep writes the figures of the whole, and --short measures a share of them');
    return 2;
  }
  const kept = values.keep ? new KeptFigures(figuresFile) : undefined;
  const { commit, isClean } = measuredOn(root);
  const directory = join(states, commit, values.short ? 'short' : 'whole');
  forgetOthers(states, isClean ? [commit] : []);
  // Without a row that is left out the time of all of them is a figure, too.
  const time = values.only === undefined ? new WholeTime(directory) : undefined;
  if (values.fresh)
    for (const name of [...rows.map(({ name }) => name), 'sessions'])
      rmSync(join(directory, `${name}.jsonl`), { force: true });
  const stopping = new AbortController();
  const onSignal = (): void => {
    tell('stopping; the next run on this commit goes on from here');
    stopping.abort();
  };
  process.once('SIGINT', onSignal).once('SIGTERM', onSignal);
  const lines: FigureLine[] = [];
  const print = (row: string, figures: readonly Figure[]): void => {
    const those = figures.map((figure) => figureLine(row, commit, figure));
    lines.push(...those);
    for (const line of those) say(values.json ? JSON.stringify(line) : figureText(line));
    // At once, for the case that the run is stopped or ended before the last row.
    kept?.keep(those);
  };
  const outcomes = await runRows({
    rows,
    directory,
    measure: (row) => measureApart(row, directory, stopping.signal),
    stopped: stopping.signal,
    onOutcome({ row, figures, failure }) {
      print(row.name, figures);
      time?.save();
      if (failure !== undefined) tell(`${row.name}: ${failure}`);
    },
  });
  time?.save();
  if (time !== undefined && !stopping.signal.aborted) print('all', [time.figure()]);
  const broken = brokenOf(outcomes, lines);
  for (const line of broken) tell(`broken: ${line}`);
  if (stopping.signal.aborted) return 130;
  return broken.length === 0 ? 0 : 1;
}

process.exitCode = await main();
