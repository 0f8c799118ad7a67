import { z } from 'zod';
import type { Micros } from '../../../core/base/clock.ts';
import { microsPerSecond } from '../../../core/base/clock.ts';
import type { Secret } from '../../../core/base/secret.ts';
import type { Credentials } from '../../../core/base/secret.ts';
import { hmacBase64Url, sameText } from './hmac.ts';

// The documents do not say how the token of a BEARER login is made. Ours is a compact JSON Web Token (RFC 7519)
// signed by HS256 with the secret key: `sub` is the public key, `exp` the end of its validity in UNIX seconds.

const header = encode({ alg: 'HS256', typ: 'JWT' });
const headMembers = z.object({ alg: z.literal('HS256') });
const claims = z.object({ sub: z.string(), exp: z.int(), nbf: z.int().optional() });
const lengthMax = 2_000;

/** A token for `lifetimeSeconds` from `now`. The same key, time and lifetime give the same token. */
export function makeJwt(credentials: Credentials, now: Micros, lifetimeSeconds = 60): string {
  const iat = Math.floor(now / microsPerSecond);
  const text = `${header}.${encode({ sub: credentials.apiKey, iat, exp: iat + lifetimeSeconds })}`;
  return `${text}.${hmacBase64Url(credentials.secret, text)}`;
}

/** Why a token does not count for that key at `now`; `undefined` when it does. Says nothing of key or signature. */
export function jwtFault(token: string, apiKey: string, secret: Secret, now: Micros): string | undefined {
  const parts = token.split('.');
  const [head = '', body = '', signature = ''] = parts;
  if (parts.length !== 3 || token.length > lengthMax) return 'expected a JSON Web Token of three parts';
  if (!headMembers.safeParse(decode(head)).success) return 'expected a token signed by HS256';
  if (!sameText(signature, hmacBase64Url(secret, `${head}.${body}`))) return 'the token does not count';
  const read = claims.safeParse(decode(body));
  if (!read.success || read.data.sub !== apiKey) return 'expected the claims sub (the pKey) and exp';
  const seconds = now / microsPerSecond;
  if (read.data.exp <= seconds) return 'the token has expired';
  if (read.data.nbf !== undefined && read.data.nbf > seconds) return 'the token does not count yet';
  return undefined;
}

function encode(value: object): string {
  return Buffer.from(JSON.stringify(value), 'utf8').toString('base64url');
}

function decode(part: string): unknown {
  try {
    return JSON.parse(Buffer.from(part, 'base64url').toString('utf8'));
  } catch {
    return undefined;
  }
}
