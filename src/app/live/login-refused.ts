import { GodwitError } from '../../core/base/errors.ts';

/** The venue does not accept the key: no later attempt will change that. Exit code 78. */
export class LoginRefused extends GodwitError {
  override readonly code = 'GW_LOGIN_REFUSED';
}
