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
