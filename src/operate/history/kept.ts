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
  /** Number of lines that are kept. Once a file has a quarter more, the rest is dropped. */
  readonly linesMax: number;
  /** All lines that are to be kept, the oldest first. */
  readonly all: () => readonly unknown[];
}

/** Rows of as many numbers each that outlive a restart, for lists of thousands. */
export interface KeptRows {
  /** Numbers of the rows that earlier sessions left, row behind row, the oldest first. A number may be any that a double can be. */
  readonly earlier: Float64Array;
  add(row: readonly number[]): void;
}

export interface RowKeeping {
  /** Numbers of a row. */
  readonly width: number;
  /** Number of rows that are kept, as `linesMax`. */
  readonly rowsMax: number;
  /** Numbers of all rows that are to be kept, row behind row, the oldest first. */
  readonly all: () => Float64Array;
}

/** Place beside the journal for what an operator sees of the days before. What it cannot read or write it says, and nothing stops. */
export interface KeptHistory {
  /** Opens the lines of a name: once in a session. */
  open(name: string, kept: LineKeeping): KeptLines;
  /** Opens the rows of a name: once in a session. */
  openRows(name: string, kept: RowKeeping): KeptRows;
}
