/** Lines of one name that outlive a restart: values that JSON can hold. */
export interface KeptLines {
  /** Lines that earlier sessions left, the oldest first. */
  readonly earlier: readonly unknown[];
  /** Adds a line at the end. It is written soon, and never in this turn. */
  add(line: unknown): void;
  /** Writes all of them anew, as `all` of the opening has them. */
  renew(): void;
}

export interface LineKeeping {
  /** Number of lines at most: of twice as many the rest is dropped. */
  readonly linesMax: number;
  /** All lines that are to be kept, the oldest first. */
  readonly all: () => readonly unknown[];
}

/** Place beside the journal for what an operator sees of the days before. What it cannot read or write it says, and nothing stops. */
export interface KeptHistory {
  /** Opens the lines of a name: once in a session. */
  open(name: string, kept: LineKeeping): KeptLines;
}
