import { GodwitError } from '../../core/base/errors.ts';

/** The command line is not what the command expects. Exit code 2. */
export class UsageError extends GodwitError {
  override readonly code = 'GW_USAGE';
}
