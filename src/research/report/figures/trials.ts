import {
  appendFileSync,
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  readSync,
  renameSync,
  statSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { sampleVariance } from 'simple-statistics';

/** An assumption about fills. */
export type FillAssumption = 'pessimistic' | 'fitted' | 'optimistic';

/** One run of the band. */
export interface BandRun {
  readonly assumption: FillAssumption;
  /** The fill model of the assumption, in words. */
  readonly model: string;
  /** How bad the circumstances are: microseconds from the gate to the engine, or a share of the price. */
  readonly level: number;
  readonly levelText: string;
  /** Net profit in the currency of the band. */
  readonly profit: number;
  readonly fills: number;
}

/** The whole band; `runs` also holds the steps of the search for the level at which the edge is gone. */
export interface BandResult {
  readonly currency: string;
  /** What `level` measures: bars know no latency, and are tried with worse prices instead. */
  readonly axis: 'latency' | 'slippage';
  /** The three assumptions, in one or more sentences. */
  readonly assumptions: string;
  readonly runs: readonly BandRun[];
}

/** The runs of the band apart from those of the search, which tried fitted fills alone. */
export function partsOfBand({ runs }: Pick<BandResult, 'runs'>): {
  readonly band: readonly BandRun[];
  readonly search: readonly BandRun[];
} {
  const levels = new Set(runs.filter(({ assumption }) => assumption !== 'fitted').map(({ level }) => level));
  const isOfBand = ({ level }: BandRun): boolean => levels.size === 0 || levels.has(level);
  return { band: runs.filter(isOfBand), search: runs.filter((run) => !isOfBand(run)) };
}

/**
 * The level at which the profit of the fitted runs reaches 0: on a straight line between the last run with a profit and
 * the first without. Otherwise the reason in one clause.
 */
export function edgeOf({ runs }: Pick<BandResult, 'runs'>): number | string {
  const fitted = runs
    .filter(({ assumption }) => assumption === 'fitted')
    .toSorted((a, b) => a.level - b.level);
  const [first] = fitted;
  if (first === undefined) return 'no run of the band used the fitted fills';
  if (first.profit <= 0) return `there is no profit at ${first.levelText} already`;
  const isBlind = fitted.length > 1 && fitted.every(({ profit, fills }) => sameAs(first, profit, fills));
  if (isBlind) return `it changed no fill up to ${fitted.at(-1)?.levelText ?? ''}: its effect is unknown`;
  for (const [i, run] of fitted.entries()) {
    if (run.profit > 0) continue;
    const before = fitted[i - 1] as BandRun;
    const share = before.profit / (before.profit - run.profit);
    return before.level + share * (run.level - before.level);
  }
  return `there is still a profit at ${fitted.at(-1)?.levelText ?? ''}`;
}

function sameAs(run: BandRun, profit: number, fills: number): boolean {
  return run.profit === profit && run.fills === fills;
}

/** One run on some data, as the log keeps it: hashes, or texts with hashes in them. `code` is that of the strategies. */
export interface TrialLine {
  readonly data: string;
  readonly config: string;
  readonly code: string;
  /** Daily Sharpe ratio, not annualised; `null` without enough days. */
  readonly sharpe: number | null;
  readonly decisions: string;
  /** Types of the orders that were asked for, where that is known. */
  readonly types?: readonly string[];
}

/** How many different trials were made on one data set, and how the daily Sharpe ratios of those that have one varied. */
export interface TrialCount {
  readonly count: number;
  /** Trials with enough days for a ratio. */
  readonly rated: number;
  /** 0 with fewer than two of them. */
  readonly variance: number;
}

/** A full log is put aside; the one before it goes. */
const bytesMax = 8_000_000;

/**
 * Appends one line. A line is written in one call to a file opened for appending, so that runs at the same time do not
 * tear each other's lines. Throws what the file system throws.
 */
export function appendTrial(path: string, trial: TrialLine): void {
  mkdirSync(dirname(path), { recursive: true });
  if (existsSync(path) && statSync(path).size >= bytesMax) renameSync(path, `${path}.old`);
  // A line that was torn when a disk was full or a process died must not take this one with it.
  appendFileSync(path, `${endsWhole(path) ? '' : '\n'}${JSON.stringify(trial)}\n`);
}

function endsWhole(path: string): boolean {
  if (!existsSync(path)) return true;
  const { size } = statSync(path);
  if (size === 0) return true;
  const last = Buffer.alloc(1);
  const file = openSync(path, 'r');
  readSync(file, last, 0, 1, size - 1);
  closeSync(file);
  return last[0] === 0x0a;
}

/** Different trials on that data: other configuration or other code. Other lines are skipped. */
export function trialsOn(path: string, data: string): TrialCount {
  const ratios = new Map<string, number | null>();
  for (const file of [`${path}.old`, path]) {
    if (!existsSync(file)) continue;
    for (const line of readFileSync(file, 'utf8').split('\n')) {
      const trial = trialOf(line);
      if (trial?.data === data) ratios.set(`${trial.config} ${trial.code}`, trial.sharpe);
    }
  }
  const known = [...ratios.values()].filter((ratio) => ratio !== null);
  const rated = known.length;
  return { count: ratios.size, rated, variance: rated < 2 ? 0 : sampleVariance(known) };
}

/** Types of the orders that a strategy with this code asked for in runs of its own. */
export function typesAsked(path: string, code: string): readonly string[] {
  const types = new Set<string>();
  for (const file of [`${path}.old`, path]) {
    if (!existsSync(file)) continue;
    for (const line of readFileSync(file, 'utf8').split('\n')) {
      const trial = line.includes(code) ? trialOf(line) : undefined;
      if (trial?.code === code) for (const type of trial.types ?? []) types.add(type);
    }
  }
  return [...types];
}

function trialOf(line: string): TrialLine | undefined {
  try {
    const trial = JSON.parse(line) as Partial<TrialLine> | null;
    if (typeof trial?.data !== 'string' || typeof trial.config !== 'string' || typeof trial.code !== 'string')
      return undefined;
    const { data, config, code, sharpe, decisions, types } = trial;
    return {
      data,
      config,
      code,
      sharpe: typeof sharpe === 'number' ? sharpe : null,
      decisions: decisions ?? '',
      ...(Array.isArray(types) ? { types: types.map(String) } : {}),
    };
  } catch {
    return undefined;
  }
}
