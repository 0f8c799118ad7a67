import { createHmac } from 'node:crypto';
import type { ApiKey } from '../../../src/exchange/base/accounts.ts';
import type { Answer, Ask, Bench } from './raw-client.ts';
import { rest } from './raw-client.ts';

/** The Authorization header of v2: method, seconds, path, query and body, signed. */
export function v2Header(
  bench: Bench,
  key: ApiKey,
  { line, body = '', seconds }: { line: string; body?: string; seconds?: number },
): string {
  const [method = '', path = ''] = line.split(' ');
  const timestamp = String(seconds ?? Math.floor(bench.clock.now() / 1_000_000));
  const signature = createHmac('sha256', key.secret.reveal())
    .update(method + timestamp + path + body)
    .digest('hex');
  return `HS256 ${Buffer.from(`${key.apiKey}:${timestamp}:${signature}`).toString('base64')}`;
}

/** A request of v2, signed by HS256. */
export async function signed(bench: Bench, key: ApiKey, line: string, ask: Ask = {}): Promise<Answer> {
  const body =
    ask.form === undefined
      ? ask.json === undefined
        ? ''
        : JSON.stringify(ask.json)
      : new URLSearchParams(ask.form).toString();
  const authorization = v2Header(bench, key, { line, body });
  return rest(bench, line, { ...ask, headers: { ...ask.headers, authorization } });
}
