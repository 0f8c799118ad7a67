import { microsPerMilli } from '../../../core/base/clock.ts';
import type { Micros } from '../../../core/base/clock.ts';
import type { Credentials } from '../../../core/base/secret.ts';
import { authorized, unauthorized, windowMsDefault } from './auth.ts';
import type { AuthResult, SecretLookup } from './auth.ts';
import { hmacHex, sameText } from './hmac.ts';
import { jwtFault, makeJwt } from './jwt.ts';
import { z } from 'zod';

/** Params of a v3 login by signature. `timestamp` and `window` are JSON numbers. Source: v3-gaps, section 2.1. */
export function v3LoginParams(
  credentials: Credentials,
  time: { readonly now: Micros; readonly windowMs?: number },
): object {
  const timestamp = Math.floor(time.now / microsPerMilli);
  const { windowMs } = time;
  const signature = hmacHex(credentials.secret, `${timestamp}${windowMs ?? ''}`);
  const head = { type: 'HS256', api_key: credentials.apiKey, timestamp };
  return windowMs === undefined ? { ...head, signature } : { ...head, window: windowMs, signature };
}

/** Params of a v2 login by signature; `nonce` is free text of the caller that never repeats. Source: v2-gaps, section 4.2. */
export function v2LoginParams(credentials: Credentials, nonce: string): object {
  const signature = hmacHex(credentials.secret, nonce);
  return { algo: 'HS256', pKey: credentials.apiKey, nonce, signature };
}

/** Params of a v2 login by token. Source: API v2, "Authentication". */
export function v2BearerParams(credentials: Credentials, now: Micros): object {
  return { algo: 'BEARER', pKey: credentials.apiKey, jwt: makeJwt(credentials, now) };
}

/** Needs of a verifier of logins besides the params. */
export interface LoginVerification {
  readonly params: unknown;
  readonly lookup: SecretLookup;
  readonly now: Micros;
  /** Whether this key has not used the nonce before; the caller remembers nonces, within a bound. v2 only. */
  readonly isFreshNonce?: (apiKey: string, nonce: string) => boolean;
}

const keyText = z.string().min(1).max(200);
const signatureText = z.string().max(200);
const v3Signed = z.object({
  api_key: keyText,
  timestamp: z.int().nonnegative(),
  window: z.int().nonnegative().nullish(),
  signature: signatureText,
});
const v3Basic = z.object({ api_key: keyText, secret_key: z.string().max(500) });
const v2Signed = z.object({ pKey: keyText, nonce: z.string().min(1).max(200), signature: signatureText });
const v2Bearer = z.object({ pKey: keyText, jwt: z.string().max(2_000) });
const v2Basic = z.object({ pKey: keyText, sKey: z.string().max(500) });

/** Params of a login by version, for documents. */
export const sentLogins = {
  v3: z.union([v3Signed.extend({ type: z.literal('HS256') }), v3Basic.extend({ type: z.literal('BASIC') })]),
  v2: z.union([
    v2Signed.extend({ algo: z.literal('HS256') }),
    v2Bearer.extend({ algo: z.literal('BEARER') }),
    v2Basic.extend({ algo: z.literal('BASIC') }),
  ]),
} as const;

/** The public key that a login names; empty when it names none. */
export function loginKey(params: unknown): string {
  return textMember(params, 'api_key') || textMember(params, 'pKey');
}

/** Checks a v3 socket login: HS256 over timestamp and window, or BASIC; the type is compared without case. */
export function verifyV3Login(verification: LoginVerification): AuthResult {
  const type = textMember(verification.params, 'type').toUpperCase();
  if (type === 'BASIC') {
    const read = v3Basic.safeParse(verification.params);
    if (!read.success) return unauthorized(1002, 'expected api_key and secret_key');
    return checkSecret(verification.lookup, read.data.api_key, read.data.secret_key);
  }
  if (type !== 'HS256') return unauthorized(1004);
  const read = v3Signed.safeParse(verification.params);
  if (!read.success) return unauthorized(1002, 'expected api_key, timestamp, signature, and window or none');
  const { api_key, timestamp, window, signature } = read.data;
  if (Math.abs(verification.now / microsPerMilli - timestamp) > (window ?? windowMsDefault)) {
    return unauthorized(1002, 'timestamp is out of the window');
  }
  return checkSignature(verification.lookup, api_key, signature, `${timestamp}${window ?? ''}`);
}

/** Checks a v2 socket login: HS256 over a nonce, BASIC, or BEARER with the token of `makeJwt`. Source: API v2, "Authentication". */
export function verifyV2Login(verification: LoginVerification): AuthResult {
  const algo = textMember(verification.params, 'algo').toUpperCase();
  if (algo === 'BASIC') {
    const read = v2Basic.safeParse(verification.params);
    if (!read.success) return unauthorized(1002, 'expected pKey and sKey');
    return checkSecret(verification.lookup, read.data.pKey, read.data.sKey);
  }
  if (algo === 'BEARER') return checkToken(verification);
  if (algo !== 'HS256') return unauthorized(1004);
  const read = v2Signed.safeParse(verification.params);
  if (!read.success) return unauthorized(1002, 'expected pKey, nonce and signature');
  const { pKey, nonce, signature } = read.data;
  const result = checkSignature(verification.lookup, pKey, signature, nonce);
  if (result.ok && verification.isFreshNonce?.(pKey, nonce) === false) {
    return unauthorized(1002, 'nonce was used before');
  }
  return result;
}

function checkToken({ params, lookup, now }: LoginVerification): AuthResult {
  const read = v2Bearer.safeParse(params);
  if (!read.success) return unauthorized(1002, 'expected pKey and jwt');
  const { pKey, jwt } = read.data;
  const secret = lookup(pKey);
  if (secret === undefined) return unauthorized(1002);
  const fault = jwtFault(jwt, pKey, secret, now);
  return fault === undefined ? authorized(pKey, 'Bearer') : unauthorized(1002, fault);
}

function checkSecret(lookup: SecretLookup, apiKey: string, given: string): AuthResult {
  const secret = lookup(apiKey);
  const same = sameText(given, secret?.reveal() ?? '');
  return same && secret !== undefined ? authorized(apiKey, 'Basic') : unauthorized(1002);
}

function checkSignature(lookup: SecretLookup, apiKey: string, signature: string, text: string): AuthResult {
  if (!/^[0-9a-fA-F]{64}$/.test(signature)) return unauthorized(1002, 'invalid signature format');
  const secret = lookup(apiKey);
  if (secret === undefined) return unauthorized(1002);
  return sameText(signature.toLowerCase(), hmacHex(secret, text))
    ? authorized(apiKey, 'HS256')
    : unauthorized(1002);
}

function textMember(params: unknown, name: string): string {
  if (typeof params !== 'object' || params === null || !Object.hasOwn(params, name)) return '';
  const value: unknown = (params as Record<string, unknown>)[name];
  return typeof value === 'string' ? value : '';
}

/** Params of a v3 login that shows the secret: for this machine only. Source: v3-gaps, section 2.1. */
export function v3BasicParams({ apiKey, secret }: Credentials): object {
  return { type: 'BASIC', api_key: apiKey, secret_key: secret.reveal() };
}

/** Params of a v2 login that shows the secret: for this machine only. Source: v2-gaps, section 4.2. */
export function v2BasicParams({ apiKey, secret }: Credentials): object {
  return { algo: 'BASIC', pKey: apiKey, sKey: secret.reveal() };
}
