import { CommanderError } from 'commander';
import { exitCodes } from '../process/exit-codes.ts';
import { handed } from '../process/handed.ts';
import { checkOpenFiles } from '../process/open-files.ts';
import { blockExit, exitProcess } from '../process/exit.ts';
import type { Output } from '../process/output.ts';
import { processOutput } from '../process/output.ts';
import { exitCodeOf, sentenceOf } from './errors.ts';
import { readProxiesFrom } from '../../core/base/proxy.ts';
import { sentinelVariable } from '../sentinel/handed-setting.ts';
import { quickLook } from '../operate/quick-look.ts';

blockExit();
// What started this process (bin/godwit.js) is gone, or what started that: a request to stop, which a run hears by itself.
process.channel?.unref();
process.once('disconnect', () => {
  if (process.listenerCount('SIGTERM') === 0) process.kill(process.pid, 'SIGTERM');
});
if (handed.hangUpIgnored) process.on('SIGHUP', () => {});
const output = processOutput();
let code: number;
try {
  code = (await quickLook(process.argv.slice(2), handed.environment, output)) ?? (await wholeProgram(output));
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
exitProcess(code);

async function wholeProgram(to: Output): Promise<number> {
  checkOpenFiles();
  if (handed.environment[sentinelVariable] !== undefined) return sentinelOfDaemon(to);
  // Schemas that read little make no code for it: a backtest is over before that pays.
  if (process.argv[2] === 'backtest') (await import('zod')).config({ jitless: true });
  const [{ registerModules, registerVenues, venuesVariable }, { program }] = await Promise.all([
    import('../venue/load.ts'),
    import('./program.ts'),
  ]);
  readProxiesFrom(handed.environment);
  registerVenues();
  await registerModules(handed.environment[venuesVariable]);
  return program(to).run(process.argv);
}

/** The sentinel that a daemon starts has no command line to read: a third of the code that it would load otherwise. */
async function sentinelOfDaemon(to: Output): Promise<number> {
  readProxiesFrom(handed.environment);
  const { handedSetting, runSentinel } = await import('../sentinel/command.ts');
  const { environment } = handed;
  return runSentinel({ ...handedSetting(environment), environment, output: to });
}
