/** A bound that holds when the value is equal to it, too. */
export type Limit = { readonly atMost: number } | { readonly atLeast: number };

/** One number that a row has measured. */
export interface Figure {
  /** Unique within its row: small letters, digits, blanks. */
  readonly name: string;
  readonly value: number;
  /** What the value counts: `seeds`, `ms`, `MiB an hour`. */
  readonly unit: string;
  /** Without one the figure is for people, and nothing fails by it. */
  readonly limit?: Limit;
  /** What everything random came of, where something did. */
  readonly seed?: number;
  /** Names behind the number, such as the marks that were missed: one sentence. */
  readonly note?: string;
}

/** How much of a row is asked for, and what helps it to go on after it was stopped. */
export interface Share {
  /** The share of CI: seconds instead of minutes, and no limit in it that a busy machine would break. */
  readonly isShort: boolean;
  /**
   * The value of a piece of the work by its name: measured now, or by an earlier run on the same commit that was stopped later.
   * It must survive JSON. A long row consists of such pieces, each of a minute at most.
   */
  readonly chunk: <T>(name: string, measure: () => Promise<T>) => Promise<T>;
  /** A line of progress, for people. */
  readonly tell: (line: string) => void;
  /** Aborts when the run is stopped. The process ends five seconds later; what it has started should end before. */
  readonly stopped: AbortSignal;
}

/**
 * A thing that is proved by numbers. It is measured in a process of its own, two of them at a time.
 *
 * A file `test/prove/rows/WHAT.ts` exports `rows`; the runner finds it there. Every row is loaded to find one, so what measures is
 * imported within `measure`.
 */
export interface Row {
  /** What `--only` takes: small letters, digits and hyphens. */
  readonly name: string;
  /** One sentence. */
  readonly shows: string;
  /** Expected wall time of the whole, on two cores. A row that takes five times as long, and five minutes more, is stopped and failed. */
  readonly minutes: number;
  /** Expected wall time of the share of CI; without it the row is not part of that share. */
  readonly shortSeconds?: number;
  /** True where time is measured, and where the row keeps both cores busy by itself: nothing else runs meanwhile. */
  readonly isAlone?: boolean;
  readonly measure: (share: Share) => Promise<readonly Figure[]>;
}

/** Whether the figure is within its limit; a value that is no number is not. */
export function isWithin({ value, limit }: Figure): boolean {
  if (Number.isNaN(value)) return false;
  if (limit === undefined) return true;
  return 'atMost' in limit ? value <= limit.atMost : value >= limit.atLeast;
}

/** `<= 5`, `>= 10`, or `-` where there is none. */
export function limitText(limit: Limit | undefined): string {
  if (limit === undefined) return '-';
  return 'atMost' in limit ? `<= ${limit.atMost}` : `>= ${limit.atLeast}`;
}
