import { GodwitError } from '../base/errors.ts';

/** The configuration is wrong. A supervisor should not restart: exit code 78. */
export class ConfigError extends GodwitError {
  override readonly code = 'GW_CONFIG';
}
