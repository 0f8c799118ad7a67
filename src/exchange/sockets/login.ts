import type { AuthResult } from '../../venues/hitbtc/wire/index.ts';
import { loginKey, verifyV2Login, verifyV3Login } from '../../venues/hitbtc/wire/index.ts';
import type { Clock, Micros } from '../../core/base/clock.ts';
import type { AccountAccess, Bucket, KeyRing, RateLimiter } from '../base/index.ts';
import { bucketOfV2Method, Refusal, refuse } from '../base/index.ts';
import type { RpcMethod } from './rpc-session.ts';

interface LoginDeps {
  readonly accounts: KeyRing;
  readonly access: AccountAccess;
  readonly throttle: RateLimiter;
  readonly clock: Clock;
  /** Clock of the machine, where `clock` is another: a signature may be of either time. */
  readonly wall?: Clock | undefined;
}

/** The login of a v3 location. Source: v3-gaps, section 2.1; API v3, "Limits". */
export function v3Login(deps: LoginDeps, buckets: LoginBuckets): RpcMethod {
  const { accounts } = deps;
  return loginMethod(deps, buckets, (params, now) =>
    verifyV3Login({ params, lookup: (apiKey) => accounts.secretOf(apiKey), now }),
  );
}

/** The login of all v2 locations. Source: v2-gaps, section 4.2; API v2, "Limits". */
export function v2Login(deps: LoginDeps): RpcMethod {
  const { accounts } = deps;
  const nonces = new Nonces();
  const bucket = bucketOfV2Method('login');
  return loginMethod(deps, { account: bucket, address: bucket }, (params, now) =>
    verifyV2Login({
      params,
      lookup: (apiKey) => accounts.secretOf(apiKey),
      now,
      isFreshNonce: (apiKey, nonce) => nonces.use(apiKey, nonce),
    }),
  );
}

/**
 * What a login counts against, whether it fails or not: for the account whose key it names; for the address when there is no
 * such key.
 */
interface LoginBuckets {
  readonly account: Bucket | undefined;
  readonly address: Bucket | undefined;
}

function loginMethod(
  { accounts, access, throttle, clock, wall }: LoginDeps,
  buckets: LoginBuckets,
  verify: (params: unknown, now: Micros) => AuthResult,
): RpcMethod {
  return {
    right: 'none',
    run({ session, request }) {
      const key = accounts.keyOf(loginKey(request.params));
      const bucket = key === undefined ? buckets.address : buckets.account;
      const identity = key === undefined ? session.connection.address : `account ${key.account.id}`;
      if (bucket !== undefined && !throttle.admit(identity, bucket.name, bucket.limit)) return refuse(429);
      let result = verify(request.params, clock.now());
      if (!result.ok && wall !== undefined) result = verify(request.params, wall.now());
      if (!result.ok) return new Refusal(result.error);
      if (key === undefined) return refuse(1_002);
      const out = access.admit(key.account);
      if (out !== undefined) return out;
      session.login(key);
      return 'true';
    },
  };
}

/** Nonces kept per key; beyond this the oldest are forgotten. */
const noncesMax = 10_000;

/** The nonces used per key, so that a login seen on the wire cannot be replayed. */
class Nonces {
  readonly #used = new Set<string>();

  /** Whether the nonce is new for that key; from here on it is not. */
  use(apiKey: string, nonce: string): boolean {
    const entry = `${apiKey} ${nonce}`;
    if (this.#used.has(entry)) return false;
    this.#used.add(entry);
    if (this.#used.size > noncesMax) this.#forget();
    return true;
  }

  #forget(): void {
    let surplus = noncesMax / 10;
    for (const entry of this.#used) {
      if (surplus-- <= 0) return;
      this.#used.delete(entry);
    }
  }
}
