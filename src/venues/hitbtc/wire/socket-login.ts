import type { Credentials } from '../../../core/base/secret.ts';

/** Params of a v3 login that shows the secret: for this machine only. Source: v3-gaps, section 2.1. */
export function v3BasicParams({ apiKey, secret }: Credentials): object {
  return { type: 'BASIC', api_key: apiKey, secret_key: secret.reveal() };
}

/** Params of a v2 login that shows the secret: for this machine only. Source: v2-gaps, section 4.2. */
export function v2BasicParams({ apiKey, secret }: Credentials): object {
  return { algo: 'BASIC', pKey: apiKey, sKey: secret.reveal() };
}
