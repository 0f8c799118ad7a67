import { readFileSync, statSync } from 'node:fs';
import { z } from 'zod';
import { Secret } from '../../core/base/secret.ts';
import { ConfigError } from '../../core/config/error.ts';

const reference = /^\$\{(env|file):([^}]{1,400})\}$/;

/** A secret in a configuration: a reference, never the value itself. */
export const secretReference = z.string().regex(reference, {
  error: 'expected a reference such as ${env:NAME} or ${file:PATH}, never the secret itself',
});

/**
 * Reads what a reference points at. `path` is where it stands in the configuration.
 * A file must not be readable by others. The value never appears in an error. Source: faults, Q10.
 */
export function resolveSecret(
  text: string,
  path: string,
  environment: Readonly<Record<string, string | undefined>>,
): Secret {
  const match = reference.exec(text);
  if (match === null) throw new ConfigError(`${path}: expected a reference such as \${env:NAME}`);
  const [, kind, name = ''] = match;
  const value = kind === 'env' ? environment[name] : readSecretFile(name, path);
  if (value === undefined || value.trim() === '') {
    throw new ConfigError(
      `${path}: the ${kind === 'env' ? `environment variable ${name}` : `file ${name}`} is not set or empty`,
    );
  }
  return new Secret(value.trim());
}

function readSecretFile(file: string, path: string): string {
  let mode: number;
  let text: string;
  try {
    mode = statSync(file).mode;
    text = readFileSync(file, 'utf8');
  } catch {
    throw new ConfigError(`${path}: cannot read the file ${file}`);
  }
  if (process.platform !== 'win32' && (mode & 0o077) !== 0) {
    throw new ConfigError(`${path}: the file ${file} can be read by others; expected mode 0600`);
  }
  return text;
}
