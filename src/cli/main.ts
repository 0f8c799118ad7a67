import { CommanderError } from 'commander';
import { exitCodes } from '../app/process/exit-codes.ts';
import { keepDoorShut, leave } from '../app/process/leave.ts';
import { processOutput } from '../app/process/output.ts';
import { exitCodeOf, sentenceOf } from './exit-code.ts';
import { program } from './program.ts';

keepDoorShut();
// Who started us (bin/godwit.js) was killed without a word: that is a request to stop, orders cancelled, journal closed.
process.channel?.unref();
process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'));
const output = processOutput();
let code: number;
try {
  code = await program(output).run(process.argv);
} catch (error) {
  // commander has already printed its own sentence.
  if (!(error instanceof CommanderError)) output.progress(`godwit: ${sentenceOf(error)}`);
  code = exitCodeOf(error);
}
const unwritten = await output.settled();
if (unwritten !== undefined) {
  output.progress(`godwit: ${unwritten}`);
  if (code === exitCodes.done) code = exitCodes.failed;
}
// A library's idle socket or timer must not keep a finished command alive.
leave(code);
