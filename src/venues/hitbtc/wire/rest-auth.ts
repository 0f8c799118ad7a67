import type { Micros } from '../../../core/base/clock.ts';
import { microsPerMilli, microsPerSecond } from '../../../core/base/clock.ts';
import type { Credentials } from '../../../core/base/secret.ts';
import type { AuthResult, SecretLookup } from './auth.ts';
import { authorized, unauthorized, windowMsDefault } from './auth.ts';
import { hmacHex, sameText } from './hmac.ts';

/** Part of a REST request that is signed. */
export interface SignedRequest {
  /** Upper case. */
  readonly method: string;
  /** As requested, from `/api/` on, trailing slash included. */
  readonly path: string;
  /** As requested, without the question mark; empty when there is none. */
  readonly query: string;
  readonly body: string | Uint8Array;
}

/** `Basic base64(apiKey:secretKey)`, for both versions. Source: API v3 and v2, "Authentication". */
export function basicHeader(credentials: Credentials): string {
  return `Basic ${base64(`${credentials.apiKey}:${credentials.secret.reveal()}`)}`;
}

/**
 * `HS256 base64(apiKey:signature:timestamp[:window])`; the signed text is method, path, `?` and query, body,
 * timestamp in milliseconds, window in milliseconds. Source: API v3, "Authentication"; v3-gaps, section 5.
 */
export function signV3(
  credentials: Credentials,
  request: SignedRequest,
  time: { readonly now: Micros; readonly windowMs?: number },
): string {
  const { apiKey, secret } = credentials;
  const timestamp = String(Math.floor(time.now / microsPerMilli));
  const window = time.windowMs === undefined ? '' : String(time.windowMs);
  const signature = hmacHex(secret, v3Head(request, '?'), request.body, timestamp + window);
  return `HS256 ${base64(`${apiKey}:${signature}:${timestamp}${window === '' ? '' : `:${window}`}`)}`;
}

/**
 * `HS256 base64(publicKey:timestamp:signature)`; the signed text is method, timestamp in seconds, path, `?` and
 * query, body. Source: API v2, "Authentication"; v2-gaps, section 8.
 */
export function signV2(credentials: Credentials, request: SignedRequest, now: Micros): string {
  const { apiKey, secret } = credentials;
  const timestamp = String(Math.floor(now / microsPerSecond));
  const signature = hmacHex(secret, v2Head(request, timestamp, '?'), request.body);
  return `HS256 ${base64(`${apiKey}:${timestamp}:${signature}`)}`;
}

/** Needs of a verifier besides the request. */
export interface RestVerification {
  /** The Authorization header as it came. */
  readonly authorization: string | undefined;
  readonly request: SignedRequest;
  readonly lookup: SecretLookup;
  readonly now: Micros;
}

/**
 * Checks a v3 Authorization header. A signature counts with and without the `?` before the query (clients differ),
 * within its window (10 s when it names none) before or after `now`. Without a header the code is 1002: version 3 knows no other.
 */
export function verifyV3(verification: RestVerification): AuthResult {
  return verify(verification, 1002, (fields) => {
    const [apiKey = '', signature = '', timestamp = '', window] = fields;
    if (fields.length < 3 || fields.length > 4 || !/^\d{13}$/.test(timestamp)) {
      return unauthorized(1002, 'expected apiKey:signature:timestamp[:window], timestamp in milliseconds');
    }
    if (window !== undefined && !/^\d{1,9}$/.test(window)) {
      return unauthorized(1002, 'expected window in whole milliseconds');
    }
    const away = Math.abs(verification.now / microsPerMilli - Number(timestamp));
    if (away > (window === undefined ? windowMsDefault : Number(window))) {
      return unauthorized(1002, 'timestamp is out of the window');
    }
    const { request } = verification;
    return checkSignature(verification, apiKey, signature, (secret, mark) =>
      hmacHex(secret, v3Head(request, mark), request.body, timestamp + (window ?? '')),
    );
  });
}

/** Checks a v2 Authorization header; the window is 10 s, as in v3, because v2 names none. */
export function verifyV2(verification: RestVerification): AuthResult {
  return verify(verification, 1001, (fields) => {
    const [apiKey = '', timestamp = '', signature = ''] = fields;
    if (fields.length !== 3 || !/^\d{10}$/.test(timestamp)) {
      return unauthorized(1002, 'expected publicKey:timestamp:signature, timestamp in seconds');
    }
    const away = Math.abs(verification.now / microsPerMilli - Number(timestamp) * 1000);
    // The stamp is cut to whole seconds, so up to one more may have passed.
    if (away > windowMsDefault + 1000) return unauthorized(1002, 'timestamp is out of the window');
    const { request } = verification;
    return checkSignature(verification, apiKey, signature, (secret, mark) =>
      hmacHex(secret, v2Head(request, timestamp, mark), request.body),
    );
  });
}

/** `missing`: the code of a request without a header, which the two documents name differently. */
function verify(
  verification: RestVerification,
  missing: 1001 | 1002,
  checkFields: (fields: readonly string[]) => AuthResult,
): AuthResult {
  const { authorization, lookup } = verification;
  if (authorization === undefined || authorization.trim() === '') return unauthorized(missing);
  const [scheme = '', credentials = '', ...rest] = authorization.trim().split(/ +/);
  const name = scheme.toLowerCase();
  if (name !== 'basic' && name !== 'hs256') return unauthorized(1004);
  if (rest.length > 0 || credentials.length > 2_000 || !/^[\w+/-]+={0,2}$/.test(credentials)) {
    return unauthorized(1002, 'expected base64 credentials');
  }
  const text = Buffer.from(credentials, 'base64').toString('utf8');
  if (name === 'hs256') return checkFields(text.split(':'));
  const colon = text.indexOf(':');
  const apiKey = text.slice(0, Math.max(0, colon));
  const secret = lookup(apiKey);
  const known = sameText(text.slice(colon + 1), secret?.reveal() ?? '');
  return known && secret !== undefined && colon > 0 ? authorized(apiKey, 'Basic') : unauthorized(1002);
}

function checkSignature(
  verification: RestVerification,
  apiKey: string,
  signature: string,
  sign: (secret: NonNullable<ReturnType<SecretLookup>>, mark: '?' | '') => string,
): AuthResult {
  if (!/^[0-9a-fA-F]{64}$/.test(signature)) return unauthorized(1002, 'invalid signature format');
  const secret = verification.lookup(apiKey);
  if (secret === undefined) return unauthorized(1002);
  const given = signature.toLowerCase();
  const plain = sameText(given, sign(secret, '?'));
  const markless = verification.request.query !== '' && sameText(given, sign(secret, ''));
  return plain || markless ? authorized(apiKey, 'HS256') : unauthorized(1002);
}

function v3Head({ method, path, query }: SignedRequest, mark: '?' | ''): string {
  return `${method}${path}${query === '' ? '' : mark + query}`;
}

function v2Head({ method, path, query }: SignedRequest, timestamp: string, mark: '?' | ''): string {
  return `${method}${timestamp}${path}${query === '' ? '' : mark + query}`;
}

function base64(text: string): string {
  return Buffer.from(text, 'utf8').toString('base64');
}
