import type { Hmac } from 'node:crypto';
import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import type { Secret } from '../../../core/base/secret.ts';

/** The lower case hexadecimal HMAC-SHA256 of the parts one after another. */
export function hmacHex(secret: Secret, ...parts: readonly (string | Uint8Array)[]): string {
  return hmacOf(secret, parts).digest('hex');
}

/** The same as base64url, for tokens. */
export function hmacBase64Url(secret: Secret, ...parts: readonly (string | Uint8Array)[]): string {
  return hmacOf(secret, parts).digest('base64url');
}

function hmacOf(secret: Secret, parts: readonly (string | Uint8Array)[]): Hmac {
  const hmac = createHmac('sha256', secret.reveal());
  for (const part of parts) hmac.update(part);
  return hmac;
}

/** Whether two texts are the same, in a time that does not depend on where they differ or how long the second is. */
export function sameText(given: string, expected: string): boolean {
  return timingSafeEqual(digest(given), digest(expected));
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
