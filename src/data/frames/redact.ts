import type { Frame } from '../../core/model/frame.ts';

/** Members of our own messages that carry credentials. Source: API v3 and v2, "Authentication", "login". */
const secretMembers = new Set([
  'api_key',
  'secret_key',
  'signature',
  'pkey',
  'skey',
  'nonce',
  'secret',
  'password',
  'token',
  'authorization',
]);
const suspect = /login|api_key|secret|signature|pKey|sKey|password|token|authorization|\\u/i;

/** Word that stands where a credential stood. */
export const redacted = '[redacted]';

/**
 * A frame as it may be kept: of our own messages, every credential is cut out, and of a login all of its parameters
 * but the algorithm. A sent text that looks like it holds one and is no JSON is cut out whole. Frames that came in, and
 * sent ones without credentials, are returned as they are.
 */
export function redactFrame(frame: Frame): Frame {
  if (frame.direction !== 'out') return frame;
  const text = Buffer.from(frame.bytes).toString('utf8');
  if (!suspect.test(text)) return frame;
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    return { ...frame, bytes: Buffer.from(JSON.stringify(redacted)) };
  }
  return { ...frame, bytes: Buffer.from(JSON.stringify(redactValue(body))) };
}

function redactValue(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(redactValue);
  if (typeof value !== 'object' || value === null) return value;
  const members = value as Readonly<Record<string, unknown>>;
  const isLogin = members['method'] === 'login';
  return Object.fromEntries(
    Object.entries(members).map(([name, member]) => {
      if (secretMembers.has(name.toLowerCase())) return [name, redacted];
      return [name, isLogin && name === 'params' ? redactLogin(member) : redactValue(member)];
    }),
  );
}

/** Cuts a login down to its algorithm: parameters not known today may be secret too. */
function redactLogin(params: unknown): unknown {
  if (typeof params !== 'object' || params === null) return redacted;
  return Object.fromEntries(
    Object.entries(params).map(([name, value]) => [
      name,
      (name === 'type' || name === 'algo') && typeof value === 'string' && value.length <= 8
        ? value
        : redacted,
    ]),
  );
}
