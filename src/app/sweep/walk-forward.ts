import { timeText } from '../../core/base/clock.ts';
import { Decimal } from '../../core/base/decimal.ts';
import type { Fold, Span } from '../../research/scenario/index.ts';
import { lengthOf, walkFolds } from '../../research/scenario/index.ts';
import type { WalkOptions } from '../../research/search/index.ts';
import type { EquityLine } from '../../research/report/index.ts';
import type { SweepRow } from './result.ts';
import { countedCurrency, failedTests, ranked, rowOf } from './result.ts';
import type { SearchRun, Tried } from './search.ts';
import { searchSpan, tryPoints } from './search.ts';
import type { SweepSetup } from './setup.ts';

/** One window: the point chosen on its training span, and what it came to on its test span. */
export interface WalkWindow extends Fold {
  readonly trials: number;
  /** `undefined` when no trial has a value. */
  readonly chosen: SweepRow | undefined;
  /** Profit a day of the test over that of the training; `undefined` where the training made none. */
  readonly efficiency: number | undefined;
}

/** Result of a walk, as plain JSON. */
export interface WalkResult {
  readonly name: string;
  readonly objective: string;
  readonly anchored: boolean;
  /** Currency of all money here; left out where windows do not agree on one. */
  readonly currency?: string | undefined;
  readonly windows: readonly WalkWindow[];
  /** Profit of all tests together. */
  readonly profit: number;
  readonly days: number;
  /** Profit a day of all tests over that of all trainings. */
  readonly efficiency: number | undefined;
  /** Tests with a profit, of all. */
  readonly winning: number;
  /** Profit of the tests, one behind the other, as one line. */
  readonly equity: EquityLine;
  /** Further notes on the result. */
  readonly notes: readonly string[];
}

const daysIn = (spans: readonly Span[]): number =>
  spans.reduce((sum, span) => sum + lengthOf(span), 0) / 86_400e6;

/** The windows of a sweep. Throws `BadInput` when the data is too short for one. */
export function foldsOf(setup: SweepSetup, options: WalkOptions): readonly Fold[] {
  return walkFolds(setup.span, options);
}

/** Searches each training span, runs the best on the test span behind it, and joins the tests. */
export async function walkForward(
  run: SearchRun,
  folds: readonly Fold[],
): Promise<Omit<WalkResult, 'anchored'>> {
  const { setup } = run;
  const { objective } = setup.loaded.options;
  const windows: WalkWindow[] = [];
  const times: number[] = [];
  const values: number[] = [];
  const seen: Tried[] = [];
  const reasons: string[] = [];
  for (const fold of folds) {
    const tried = await searchSpan(run, fold.train);
    const [best] = ranked(tried);
    const [test] = best === undefined ? [] : await tryPoints(run, [best.point], fold.test, true);
    const chosen = best === undefined ? undefined : rowOf(best, test);
    if (best === undefined) reasons.push(`${timeText(fold.test.from)}: ${whyNone(tried, objective)}`);
    windows.push({ ...fold, trials: tried.length, chosen, efficiency: efficiencyOf([{ fold, chosen }]) });
    seen.push(...[best, test].filter((one) => one !== undefined));
    if (test === undefined || test.outcome.failure !== undefined) continue;
    const before = values.at(-1) ?? 0;
    times.push(...test.outcome.equity.times);
    values.push(...test.outcome.equity.values.map((value) => sumOf([before, value])));
  }
  const pairs = windows.map((window) => ({ fold: window, chosen: window.chosen }));
  const profits = windows.map(({ chosen }) => chosen?.test?.figures['profit'] ?? 0);
  const { notes, ...money } = countedCurrency(seen);
  return {
    name: setup.name,
    objective,
    ...money,
    windows,
    profit: sumOf(profits),
    days: daysIn(windows.filter(({ chosen }) => isWhole(chosen)).map(({ test }) => test)),
    efficiency: efficiencyOf(pairs),
    winning: profits.filter((profit) => profit > 0).length,
    equity: { times, values },
    notes: [
      ...notes,
      ...unchosen(reasons, folds.length),
      ...failedTests(windows.map(({ chosen }) => chosen?.test)),
    ],
  };
}

/** Which windows chose nothing, with the reason of the first: their rows are empty. */
function unchosen(reasons: readonly string[], windows: number): readonly string[] {
  const [first] = reasons;
  return first === undefined
    ? []
    : [`${reasons.length} of ${windows} windows chose nothing, the first that judged from ${first}`];
}

/** Why none of the trials of a training can be the best. */
function whyNone(tried: readonly Tried[], objective: string): string {
  const failures = tried.flatMap(({ outcome }) => outcome.failure ?? []);
  const [first] = failures;
  return first === undefined
    ? `none of ${tried.length} trials has a ${objective}, too little behind it`
    : `${failures.length} of ${tried.length} trials failed, the first: ${first}`;
}

/** Whether a window has a result, be it that nothing was chosen to be traded. */
function isWhole(chosen: SweepRow | undefined): boolean {
  return chosen?.test?.failure === undefined;
}

/** Sum of money as it is written, without the noise of doubles. */
function sumOf(amounts: readonly number[]): number {
  return amounts.reduce((sum, one) => sum.plus(one), new Decimal(0)).toNumber();
}

interface Pair {
  readonly fold: Fold;
  readonly chosen: SweepRow | undefined;
}

/** Profit a day out of sample over profit a day in sample (Pardo's walk-forward efficiency). */
function efficiencyOf(pairs: readonly Pair[]): number | undefined {
  let [inside, outside, insideDays, outsideDays] = [0, 0, 0, 0];
  for (const { fold, chosen } of pairs) {
    if (chosen === undefined || !isWhole(chosen)) continue;
    inside += chosen.figures['profit'] ?? 0;
    outside += chosen.test?.figures['profit'] ?? 0;
    insideDays += daysIn([fold.train]);
    outsideDays += daysIn([fold.test]);
  }
  return inside > 0 ? outside / outsideDays / (inside / insideDays) : undefined;
}
