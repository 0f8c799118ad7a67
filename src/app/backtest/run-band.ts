import type { BandBelief, BandResult, BandRun } from '../../research/report/band.ts';

/** How bad the circumstances of a run are, in numbers and in words. */
export interface BandLevel {
  readonly value: number;
  readonly text: string;
}

/** A belief about fills. */
export interface BandModel<Fills> {
  readonly belief: BandBelief;
  readonly text: string;
  readonly fills: Fills;
}

/** What a run of the band came to, in the currency of the band. */
export interface BandOutcome {
  readonly profit: number;
  readonly fills: number;
  /** What cut the run short, such as a strategy that threw. */
  readonly problem?: string | undefined;
}

/** Everything a band is made of. */
export interface BandPlan<Fills, Level extends BandLevel> extends Omit<BandResult, 'runs'> {
  readonly models: readonly BandModel<Fills>[];
  /** The usual level and a bad one. */
  readonly levels: readonly Level[];
  /** The next worse level in the search for the one at which the edge is gone; `undefined` at the end of it. */
  readonly worse: (level: number) => Level | undefined;
  readonly run: (fills: Fills, level: Level) => Promise<BandOutcome>;
  /** Told before each run. */
  readonly onRun?: ((text: string) => void) | undefined;
}

/**
 * Runs the band: each belief at each level; then, where all fitted runs have a profit, fitted fills at ever worse levels
 * until it is gone or the search ends. Where a run is cut short it says so in one clause: there is no band of parts.
 */
export async function runBandPlan<Fills, Level extends BandLevel>(
  plan: BandPlan<Fills, Level>,
): Promise<BandResult | string> {
  const { currency, axis, beliefs, models, levels } = plan;
  const runs: BandRun[] = [];
  for (const level of levels)
    for (const model of models) {
      const run = await runOne(plan, model, level);
      if (typeof run === 'string') return run;
      runs.push(run);
    }
  const search = await searchEdge(plan, runs);
  return typeof search === 'string' ? search : { currency, axis, beliefs, runs: [...runs, ...search] };
}

async function searchEdge<Fills, Level extends BandLevel>(
  plan: BandPlan<Fills, Level>,
  band: readonly BandRun[],
): Promise<readonly BandRun[] | string> {
  const fitted = band.filter(({ belief }) => belief === 'fitted');
  const model = plan.models.find(({ belief }) => belief === 'fitted');
  if (model === undefined || fitted.some(({ profit }) => profit <= 0)) return [];
  const runs: BandRun[] = [];
  let level = plan.worse(Math.max(...fitted.map((run) => run.level)));
  while (level !== undefined) {
    const run = await runOne(plan, model, level);
    if (typeof run === 'string') return run;
    runs.push(run);
    level = run.profit > 0 ? plan.worse(run.level) : undefined;
  }
  return runs;
}

async function runOne<Fills, Level extends BandLevel>(
  plan: BandPlan<Fills, Level>,
  { belief, text, fills }: BandModel<Fills>,
  level: Level,
): Promise<BandRun | string> {
  const what = `${belief} fills (${text}), ${level.text}`;
  plan.onRun?.(`band: ${what}`);
  const { problem, ...outcome } = await plan.run(fills, level);
  if (problem !== undefined) return `not known: its run with ${what} was cut short: ${problem}`;
  return { belief, model: text, level: level.value, levelText: level.text, ...outcome };
}
