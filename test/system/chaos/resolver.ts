import { existsSync } from 'node:fs';
import dns from 'node:dns';

// Loaded into the daemon's process before it begins: no name is resolved while the file exists that the configuration is named after.

const { lookup } = dns;
const away = `${process.argv[process.argv.indexOf('--config') + 1]}.no-names`;

Reflect.set(dns, 'lookup', (name: string, ...rest: readonly unknown[]): unknown => {
  const callback = rest.at(-1);
  if (existsSync(away) && typeof callback === 'function') {
    const error = Object.assign(new Error(`getaddrinfo ENOTFOUND ${name}`), { code: 'ENOTFOUND' });
    process.nextTick(() => Reflect.apply(callback, undefined, [error]) as unknown);
    return undefined;
  }
  return Reflect.apply(lookup, dns, [name, ...rest]) as unknown;
});
