import { processOutput } from '../app/output.ts';
import { exitCodeOf, sentenceOf } from './exit-code.ts';
import { CommanderError } from 'commander';
import { program } from './program.ts';

const output = processOutput();
try {
  process.exitCode = await program(output).run(process.argv);
} catch (error) {
  // commander has already printed its own sentence.
  if (!(error instanceof CommanderError)) output.progress(`godwit: ${sentenceOf(error)}`);
  process.exitCode = exitCodeOf(error);
}
// A library's idle socket or timer must not keep a finished command alive.
process.exit();
