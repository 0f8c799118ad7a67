import { CommanderError } from 'commander';
import { GodwitError, NotFound } from '../../core/base/errors.ts';
import { OperateFailed } from '../operate/client.ts';
import { exitCodes } from '../process/exit-codes.ts';

/** The command line is not what the command expects. Exit code 2. */
export class UsageError extends GodwitError {
  override readonly code = 'GW_USAGE';
}

/** The exit code an error ends the process with. Source: product, section 2. */
export function exitCodeOf(error: unknown): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? exitCodes.done : exitCodes.usage;
  if (error instanceof GodwitError && error.code === 'GW_USAGE') return exitCodes.usage;
  if (error instanceof OperateFailed) return error.exitCode;
  if (error instanceof NotFound) return exitCodes.notFound;
  if (error instanceof GodwitError && error.code === 'GW_STRATEGY_LATE') return exitCodes.timedOut;
  if (error instanceof GodwitError && configurationCodes.has(error.code)) return exitCodes.configuration;
  return exitCodes.failed;
}

/** One sentence for the person who called. Stack traces are for bugs only. */
export function sentenceOf(error: unknown): string {
  if (error instanceof GodwitError && error.code !== 'GW_BROKEN_INVARIANT') return error.message;
  if (error instanceof Error) return error.stack ?? error.message;
  return String(error);
}

/** A supervisor should not restart on these. */
const configurationCodes = new Set(['GW_CONFIG', 'GW_LOGIN_REFUSED', 'GW_OPEN_FILES', 'GW_STRATEGY']);
