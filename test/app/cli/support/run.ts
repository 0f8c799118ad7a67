import { CommanderError } from 'commander';
import { exitCodeOf, sentenceOf } from '../../../../src/app/cli/errors.ts';
import { program } from '../../../../src/app/cli/program.ts';

export interface Said {
  readonly code: number;
  readonly out: string;
  /** What standard error would show. */
  readonly err: string;
}

/** Runs one command line in this process, as `main.ts` does in its own. */
export async function run(line: string | readonly string[]): Promise<Said> {
  const args = typeof line === 'string' ? line.split(' ').filter((part) => part !== '') : line;
  const out: string[] = [];
  const err: string[] = [];
  const output = {
    data: (text: string) => void out.push(text),
    progress: (text: string) => void err.push(text),
    colour: false,
  };
  let code: number;
  try {
    code = await program(output).run(['node', 'godwit', ...args]);
  } catch (error) {
    code = exitCodeOf(error);
    if (!(error instanceof CommanderError)) err.push(`godwit: ${sentenceOf(error)}`);
  }
  return { code, out: out.join('\n'), err: err.join('\n') };
}
