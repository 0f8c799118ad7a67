import { Recent } from '../../core/base/recent.ts';
import { refuse } from '../../exchange/base/index.ts';
import type { RestRoute } from '../../exchange/http/index.ts';
import type { RpcMethod } from '../../exchange/sockets/index.ts';

/** Signatures that are remembered, at least: as many as the limits admit of one program in the longest window, a minute. */
const least = 20_000;

/**
 * Signatures that have been used. One that was seen on its way is good for its whole window, so a request that changes orders is served
 * once by it. A client that asks anew signs anew, because the time is part of what is signed.
 */
export class UsedSignatures {
  readonly #used = new Recent<string, true>(least);

  /** The route, which serves no signature twice. Basic has none, and is as safe as the line that it comes by. */
  once(route: RestRoute): RestRoute {
    return {
      ...route,
      run: (call) => {
        const { authorization = '' } = call.request;
        const isSigned = /^HS256 /i.test(authorization);
        return isSigned && this.#isUsed(authorization) ? usedBefore() : route.run(call);
      },
    };
  }

  /** The login of a socket, which takes no signature twice. */
  loginOnce(login: RpcMethod): RpcMethod {
    return {
      ...login,
      run: (call) => {
        const params: unknown = call.request.params;
        const signature =
          typeof params === 'object' && params !== null && 'signature' in params
            ? String(params.signature)
            : '';
        return signature !== '' && this.#isUsed(signature) ? usedBefore() : login.run(call);
      },
    };
  }

  #isUsed(signature: string): boolean {
    if (this.#used.has(signature)) return true;
    this.#used.set(signature, true);
    return false;
  }
}

function usedBefore(): ReturnType<typeof refuse> {
  return refuse(1_002, { description: 'The signature was used before: sign each request with its own time' });
}
