import { fstatSync, writeSync } from 'node:fs';
import { terminalText } from './terminal-text.ts';

/** Where a command writes its results (standard output) and its progress and errors (standard error). */
export interface Output {
  /** One line of data. */
  data(line: string): void;
  /** One line for the person who watches. */
  progress(line: string): void;
  readonly colour: boolean;
  /** Whether progress appears on a terminal and nowhere else: a secret may be shown there. */
  readonly watched?: boolean;
}

/** The output of a whole process. */
export interface ProcessOutput extends Output {
  /**
   * Waits until everything has left: a pipe takes what is written at its own pace. Resolves with why standard output could
   * not be written, if it could not; a reader that has gone (`| head`) is no failure.
   */
  settled(): Promise<string | undefined>;
}

const standardOutput = 1;

/**
 * The process's own streams; colour only on a terminal, and never when `NO_COLOR` is set. From then on standard output is for
 * data alone: what anybody else writes to it, such as a strategy that prints, goes to standard error.
 */
export function processOutput(): ProcessOutput {
  const { stdout, stderr } = process;
  const write = stdout.write.bind(stdout);
  let failure: string | undefined;
  // The reader may close the pipe. That must not end a run that has orders to cancel and a journal to close.
  stdout.on('error', (error) => (failure ??= failureOf(error)));
  stderr.on('error', () => {});
  stdout.write = stderr.write.bind(stderr);
  const isFile = standsInFile();
  const colour = stdout.isTTY && (process.env['NO_COLOR'] ?? '') === '';
  return {
    data: (line) => {
      if (failure !== undefined) return;
      const text = `${terminalText(line, colour)}\n`;
      if (isFile) failure = writtenWhole(text);
      else write(text);
    },
    progress: (line) => void stderr.write(`${terminalText(line, colour)}\n`),
    colour,
    watched: stderr.isTTY,
    settled: async () => {
      await Promise.all([drained(stdout, write), drained(stderr, stderr.write.bind(stderr))]);
      return failure;
    },
  };
}

/** Node takes what a full disk left out for written. Returns why not all could be written. */
function writtenWhole(text: string): string | undefined {
  const bytes = Buffer.from(text);
  try {
    for (let at = 0; at < bytes.length;) at += writeSync(standardOutput, bytes, at);
    return undefined;
  } catch (error) {
    return failureOf(error);
  }
}

function failureOf(error: unknown): string | undefined {
  const code = error instanceof Error && 'code' in error ? String(error.code) : String(error);
  return code === 'EPIPE' ? undefined : `standard output could not be written (${code})`;
}

function standsInFile(): boolean {
  try {
    const stat = fstatSync(standardOutput);
    return stat.isFile() || (stat.isCharacterDevice() && !process.stdout.isTTY);
  } catch {
    return false;
  }
}

async function drained(stream: NodeJS.WriteStream, write: NodeJS.WriteStream['write']): Promise<void> {
  if (stream.writableLength === 0 || stream.destroyed) return;
  await new Promise<void>((resolve) => {
    stream.once('close', resolve);
    write('', () => resolve());
  });
}
