/** One trade, bar or level of a sample, `second` after the first of 2023 (bars: minutes). */
export interface SampleRow {
  readonly second: number;
  readonly symbol: string;
  /** Three digits, a point, two digits: 100.25. */
  readonly price: string;
}

/** A small file of one format. */
export interface Sample {
  readonly format: string;
  /** Its name: some formats tell symbol or day by it. */
  readonly name: string;
  /** What stands before the rows, such as a header. */
  readonly head: readonly string[];
  row(row: SampleRow, index: number): string;
  /** Between rows and behind them. */
  readonly join?: readonly [between: string, end: string];
  /** Whether rows name their symbol. */
  readonly namesSymbol: boolean;
}

/** The first second of 2023. */
export const start = 1_672_531_200;
export const millis = (second: number): number => (start + second) * 1_000;
export const iso = (second: number): string => new Date(millis(second)).toISOString();
