import { encodeV3ApiKey } from '../../venues/hitbtc/wire/v3/api-keys.ts';
import type { RestRoute } from './rest-route.ts';
import { v3Route } from './rest-route.ts';

/** What a user may know of the keys of the account: never their secrets. Source: v3-gaps, section 8. */
export function v3UserRoutes(): RestRoute[] {
  return [
    v3Route('userApiKeys', (_params, call) =>
      (call.account?.keys ?? []).map(({ apiKey, rights }) => encodeV3ApiKey({ apiKey, rights: [...rights] })),
    ),
  ];
}
