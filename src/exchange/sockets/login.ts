import type { AuthResult } from '../../venues/hitbtc/wire/auth.ts';
import { loginKey, verifyV2Login, verifyV3Login } from '../../venues/hitbtc/wire/socket-auth.ts';
import type { AppSetup } from '../server/app-setup.ts';
import type { Bucket } from '../base/rate-limits.ts';
import { bucketOfV2Method } from '../base/rate-limits.ts';
import { Refusal, refuse } from '../base/refusal.ts';
import type { RpcMethod } from './rpc-session.ts';

/** The login of a v3 location. Source: v3-gaps, section 2.1; API v3, "Limits". */
export function v3Login(app: AppSetup, buckets: LoginBuckets): RpcMethod {
  const { accounts } = app.world;
  return loginMethod(app, buckets, (params) =>
    verifyV3Login({ params, lookup: (apiKey) => accounts.secretOf(apiKey), now: app.clock.now() }),
  );
}

/** The login of all v2 locations. Source: v2-gaps, section 4.2; API v2, "Limits". */
export function v2Login(app: AppSetup): RpcMethod {
  const { accounts } = app.world;
  const nonces = new Nonces();
  const bucket = bucketOfV2Method('login');
  return loginMethod(app, { account: bucket, address: bucket }, (params) =>
    verifyV2Login({
      params,
      lookup: (apiKey) => accounts.secretOf(apiKey),
      now: app.clock.now(),
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
  { world, throttle }: AppSetup,
  buckets: LoginBuckets,
  verify: (params: unknown) => AuthResult,
): RpcMethod {
  return {
    right: 'none',
    run({ session, request }) {
      const key = world.accounts.keyOf(loginKey(request.params));
      const bucket = key === undefined ? buckets.address : buckets.account;
      const identity = key === undefined ? session.connection.address : `account ${key.account.id}`;
      if (bucket !== undefined && !throttle.admit(identity, bucket.name, bucket.limit)) return refuse(429);
      const result = verify(request.params);
      if (!result.ok) return new Refusal(result.error);
      if (key === undefined) return refuse(1_002);
      const out = world.subAccountAccess.admit(key.account);
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
