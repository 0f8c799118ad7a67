/** One row of the catalogue of faults: an invariant, a fault, a control, a security test or a load. */
export interface Row {
  readonly id: string;
  /** One sentence in our own words: what happens, and what must hold. */
  readonly holds: string;
  /** Limit that the tests hold, as it is written. */
  readonly limit?: string;
  /** Files below `src/` that do it. */
  readonly where: readonly string[];
  /**
   * Evidence, each one text: `FILE.test.ts: TITLE` below `test/`, `check I4` (an invariant of the simulation),
   * `mark branch/NAME` (a branch that a thousand seeds must hit) `prove ROW` (the figures of a row of `npm run prove`) or `prove ROW BEGIN` (those whose
   * names begin so).
   */
  readonly tests: readonly string[];
  /** Part of the catalogue's row that no test shows. */
  readonly less?: string;
}

/** A rule of `core/orders/controls/table.ts`. `tests` show that the limit passes and one increment more is refused. */
export interface RuleRow extends Row {
  /** Tests with orders in flight, or the reason why other orders say nothing to it. */
  readonly inFlight: readonly string[] | string;
}

export interface Section {
  readonly title: string;
  readonly about: string;
  readonly rows: readonly (Row | RuleRow)[];
}

/** Tests of a row, those with orders in flight included. */
export function testsOf(row: Row | RuleRow): readonly string[] {
  return 'inFlight' in row && typeof row.inFlight !== 'string' ? [...row.tests, ...row.inFlight] : row.tests;
}
