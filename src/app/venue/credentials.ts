import { ConfigError } from '../../core/config/error.ts';
import type { Credentials } from '../../core/base/secret.ts';
import type { Config } from '../config/schema.ts';
import { resolveSecret } from '../config/secrets.ts';

/** The keys that the configuration names. Throws `ConfigError` when one is not there or cannot be read. */
export function credentialsOf({
  config,
  environment,
}: {
  readonly config: Pick<Config, 'venue'>;
  readonly environment: Readonly<Record<string, string | undefined>>;
}): Credentials {
  const { api_key: apiKey, secret_key: secretKey } = config.venue;
  if (apiKey === undefined || secretKey === undefined) {
    const missing = apiKey === undefined ? 'api_key' : 'secret_key';
    throw new ConfigError(`venue.${missing}: expected a reference such as \${env:NAME}, found nothing`);
  }
  return {
    apiKey: resolveSecret(apiKey, 'venue.api_key', environment).reveal(),
    secret: resolveSecret(secretKey, 'venue.secret_key', environment),
  };
}
