/**
 * One program that measures one thing and prints one line of JSON: `{"value": ...}` and what else it found out. One that
 * takes turns by itself prints a line a turn.
 */
export interface Variant {
  readonly name: string;
  /** Path of the program, from `test/bench/variants/`. */
  readonly file: string;
  readonly args?: readonly string[];
  /** The command of Godwit whose flags it runs with; those of a long run when left out. */
  readonly command?: string;
  /** A package of `test/bench/peers/` without which it cannot run. */
  readonly needs?: string;
  /** A program that must be on the path. */
  readonly program?: string;
  /** A module of the Python that `--install` makes. */
  readonly python?: string;
  /** Whether it runs the program that `--install` builds with cargo. */
  readonly isBuilt?: boolean;
  /** Files that must be there: recordings that are no part of the repository. */
  readonly files?: readonly string[];
  /** It takes minutes, and turns enough by itself: it runs in the first round only. */
  readonly once?: boolean;
}

/** What is to be reached: so many times the peer, or a figure of our own, at most or at least; or only to be known. */
export type Goal =
  | { readonly kind: 'ratio'; readonly least: number }
  | { readonly kind: 'least'; readonly value: number }
  | { readonly kind: 'most'; readonly value: number }
  | { readonly kind: 'none' };

/** One line of the table. */
export interface Row {
  readonly name: string;
  readonly work: string;
  readonly unit: string;
  /** Whether a smaller value is the better one (times), or a greater (rates). */
  readonly better: 'smaller' | 'greater';
  readonly ours: Variant;
  /** Which figure of our program is meant, when it prints several. */
  readonly figure?: string;
  readonly peer?: Variant;
  /** The same of the peer. */
  readonly peerFigure?: string;
  /** Instead of a peer: another figure of our program, of the same turn. */
  readonly beside?: { readonly name: string; readonly figure: string };
  readonly goal: Goal;
  /** The same work as a whole command, cold: `command-cold.ts`; the peer's script beside it, where there is one. */
  readonly cold?: { readonly ours: Variant; readonly peer?: Variant };
}

/** What a program printed. */
export interface Printed {
  readonly value: number;
  readonly [figure: string]: number | string;
}

/** Seconds that a whole command takes: processor time, and by the clock on the wall. */
export interface Cold {
  readonly processor: number;
  readonly wall: number;
}

export interface RowResult {
  readonly name: string;
  readonly work: string;
  readonly unit: string;
  readonly ours: number | undefined;
  readonly peer: number | undefined;
  readonly peerName: string | undefined;
  /** How many times better than the peer. */
  readonly ratio: number | undefined;
  readonly required: string;
  /** Lowest and highest round: of the ratio when it is what counts, else of our value. */
  readonly spread: string;
  readonly reached: boolean | undefined;
  /** Whole commands; `undefined` where none was run. */
  readonly cold: { readonly ours: Cold | undefined; readonly peer: Cold | undefined };
  /** Medians of everything our program printed, such as its own processor time. */
  readonly figures: Readonly<Record<string, number>>;
  /** Why something was left out. */
  readonly note: string;
}
