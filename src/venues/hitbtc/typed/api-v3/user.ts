import type { CallOptions } from '../caller.ts';
import type { V3Caller } from '../table-caller.ts';

/** The user behind a key, v3. Errors: 1002, 429. Source: v3-gaps, section 8. */
export class V3User {
  readonly #api: V3Caller;

  constructor(api: V3Caller) {
    this.#api = api;
  }

  /** The keys of this account and their rights, never their secrets. Any right. */
  apiKeys(options?: CallOptions) {
    return this.#api.call('userApiKeys', {}, options);
  }
}
