import { GodwitError } from '../../core/base/errors.ts';

/** A strategy cannot be run as configured: not found, wrong export, wrong parameters. Exit code 78. */
export class StrategyError extends GodwitError {
  override readonly code = 'GW_STRATEGY';
}
