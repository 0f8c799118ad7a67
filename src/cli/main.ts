import { processOutput } from '../app/output.ts';
import { exitCodeOf, sentenceOf } from './exit-code.ts';
import { CommanderError } from 'commander';
import { program } from './program.ts';

// Whoever reads may leave (`| head`): that must not end a run that has orders to cancel and a journal to close.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});
// Who started us (bin/godwit.js) was killed without a word: that is a request to stop, orders cancelled, journal closed.
process.channel?.unref();
process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'));
const output = processOutput();
try {
  process.exitCode = await program(output).run(process.argv);
} catch (error) {
  // commander has already printed its own sentence.
  if (!(error instanceof CommanderError)) output.progress(`godwit: ${sentenceOf(error)}`);
  process.exitCode = exitCodeOf(error);
}
// A pipe takes what is written at its own pace; leaving earlier would cut a long document short.
await Promise.all([process.stdout, process.stderr].map((stream) => drained(stream)));
// A library's idle socket or timer must not keep a finished command alive.
process.exit();

async function drained(stream: NodeJS.WriteStream): Promise<void> {
  if (stream.writableLength === 0 || stream.destroyed) return;
  await new Promise<void>((resolve) => {
    stream.once('close', resolve);
    stream.write('', () => resolve());
  });
}
