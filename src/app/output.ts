/** Where a command tells its results (standard output) and its progress and complaints (standard error). */
export interface Output {
  /** One line of data. */
  data(line: string): void;
  /** One line for the person who watches. */
  progress(line: string): void;
  readonly colour: boolean;
}

/** The process's own streams; colour only on a terminal, and never when `NO_COLOR` is set. */
export function processOutput(): Output {
  return {
    data: (line) => void process.stdout.write(`${line}\n`),
    progress: (line) => void process.stderr.write(`${line}\n`),
    colour: process.stdout.isTTY && (process.env['NO_COLOR'] ?? '') === '',
  };
}
