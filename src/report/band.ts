/** What is believed about our place in the queue. */
export type BandBelief = 'pessimistic' | 'fitted' | 'optimistic';

/** One run of the band. */
export interface BandRun {
  readonly belief: BandBelief;
  readonly queue: string;
  /** Microseconds from the gate to the engine. */
  readonly latency: number;
  readonly latencyText: string;
  /** Net profit in the currency of the band. */
  readonly profit: number;
  readonly fills: number;
}

/** The whole band; `runs` also holds the steps of the search for the latency at which the edge is gone. */
export interface BandResult {
  readonly currency: string;
  readonly runs: readonly BandRun[];
}

/**
 * The latency at which the profit of the fitted runs reaches 0, in microseconds: on a straight line between the last run
 * with a profit and the first without. Otherwise the reason in one clause.
 */
export function edgeLatency({ runs }: BandResult): number | string {
  const fitted = runs.filter(({ belief }) => belief === 'fitted').toSorted((a, b) => a.latency - b.latency);
  const [first] = fitted;
  if (first === undefined) return 'no run of the band used the fitted fills';
  if (first.profit <= 0) return `there is no profit at ${first.latencyText} already`;
  for (const [i, run] of fitted.entries()) {
    if (run.profit > 0) continue;
    const before = fitted[i - 1] as BandRun;
    const share = before.profit / (before.profit - run.profit);
    return before.latency + share * (run.latency - before.latency);
  }
  return `there is still a profit at ${fitted.at(-1)?.latencyText ?? ''}`;
}
