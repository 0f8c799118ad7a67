import { GodwitError } from '../../../core/base/errors.ts';

/** An address that must not be used: no http(s) or ws(s) URL, or credentials over an unencrypted link. */
export class AddressRefused extends GodwitError {
  override readonly code = 'GW_ADDRESS_REFUSED';
}

/** A REST read failed for good: refused, or without a usable answer after all attempts. */
export class RestFailed extends GodwitError {
  override readonly code = 'GW_REST_FAILED';
  /** Whether the same read may be answered later: the venue did not refuse it. */
  readonly mayPass: boolean;

  constructor(message: string, mayPass: boolean) {
    super(message);
    this.mayPass = mayPass;
  }
}
