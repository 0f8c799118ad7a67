import type { Secret } from '../../../core/base/secret.ts';
import type { WireError } from './errors.ts';
import { wireError } from './errors.ts';

/** The secret of an API key, or `undefined` when there is no such key. */
export type SecretLookup = (apiKey: string) => Secret | undefined;

/** Scheme by which a caller has shown who it is. `Bearer` serves the logins of v2 sockets only. */
export type AuthScheme = 'Basic' | 'HS256' | 'Bearer';

/** Caller who is speaking, or the documented refusal (codes 1001, 1002, 1004). */
export type AuthResult =
  | { readonly ok: true; readonly apiKey: string; readonly scheme: AuthScheme }
  | { readonly ok: false; readonly error: WireError };

/** For how long a signature counts when it names no window, in milliseconds. Source: v3-gaps, section 5. */
export const windowMsDefault = 10_000;

export function authorized(apiKey: string, scheme: AuthScheme): AuthResult {
  return { ok: true, apiKey, scheme };
}

/** A refusal; the description says what is wrong with the form, never anything of a key or signature. */
export function unauthorized(code: 1001 | 1002 | 1004, description?: string): AuthResult {
  return { ok: false, error: wireError(code, description === undefined ? {} : { description }) };
}
