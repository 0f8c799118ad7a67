import type { AuthResult } from '../../venues/hitbtc/wire/auth.ts';
import { verifyV2Login, verifyV3Login } from '../../venues/hitbtc/wire/socket-auth.ts';
import type { AppSetup } from '../app-setup.ts';
import type { Bucket } from '../rate-limits.ts';
import { bucketOfV2Method } from '../rate-limits.ts';
import { Refusal, refuse } from '../refusal.ts';
import type { RpcMethod } from './rpc-session.ts';

/** The login of a v3 location, counted per account in `bucket`. Source: v3-gaps, section 2.1; API v3, "Limits". */
export function v3Login(app: AppSetup, bucket: Bucket | undefined): RpcMethod {
  const { accounts } = app.world;
  return loginMethod(app, bucket, (params) =>
    verifyV3Login({ params, lookup: (apiKey) => accounts.secretOf(apiKey), now: app.clock.now() }),
  );
}

/** The login of all v2 locations. Source: v2-gaps, section 4.2; API v2, "Limits". */
export function v2Login(app: AppSetup): RpcMethod {
  const { accounts } = app.world;
  const nonces = new Nonces();
  return loginMethod(app, bucketOfV2Method('login'), (params) =>
    verifyV2Login({
      params,
      lookup: (apiKey) => accounts.secretOf(apiKey),
      now: app.clock.now(),
      isFreshNonce: (apiKey, nonce) => nonces.use(apiKey, nonce),
    }),
  );
}

function loginMethod(
  { world, throttle }: AppSetup,
  bucket: Bucket | undefined,
  verify: (params: unknown) => AuthResult,
): RpcMethod {
  return {
    right: 'none',
    run({ session, request }) {
      const result = verify(request.params);
      if (!result.ok) return new Refusal(result.error);
      const key = world.accounts.keyOf(result.apiKey);
      if (key === undefined) return refuse(1_002);
      const out = world.subAccountAccess.admit(key.account);
      if (out !== undefined) return out;
      const identity = `account ${key.account.id}`;
      if (bucket !== undefined && !throttle.admit(identity, bucket.name, bucket.limit)) return refuse(429);
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
