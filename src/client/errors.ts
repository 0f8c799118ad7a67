import { GodwitError } from '../base/errors.ts';

/** An address that must not be used: no http(s) or ws(s) URL, or credentials over an unencrypted link. */
export class AddressRefused extends GodwitError {
  override readonly code = 'GW_ADDRESS_REFUSED';
}

/** A REST read failed for good: refused, or without a usable answer after all attempts. */
export class RestFailed extends GodwitError {
  override readonly code = 'GW_REST_FAILED';
}
