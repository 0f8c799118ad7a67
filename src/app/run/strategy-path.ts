import { readdirSync } from 'node:fs';
import { hintOf } from '../../core/base/nearest.ts';
import { ConfigError } from '../../core/config/error.ts';
import { strategyExists } from '../../core/strategy/loader.ts';

/** A strategy named on the command line: a path, or the name of a folder of `strategies/`. */
export function strategyPath(name: string, home: string): string {
  if (strategyExists(name)) return name;
  const shipped = `${home}/strategies/${name}`;
  return strategyExists(shipped) ? shipped : name;
}

/** The same for the command line: an unknown bare name is refused with the names there are. */
export function namedStrategy(name: string, home: string): string {
  const path = strategyPath(name, home);
  if (strategyExists(path) || !/^[\w-]{1,64}$/.test(name)) return path;
  const shipped = readdirSync(`${home}/strategies`).toSorted();
  const hint = hintOf(name, shipped, 'shipped are');
  throw new ConfigError(`there is no strategy ${JSON.stringify(name)}, ${hint}`);
}

/** Name of a strategy on its own, by its path: client order ids carry it, and so does the digest. */
export function strategyName(path: string): string {
  const last =
    path
      .replace(/(?<![\\/])[\\/]+(index\.ts)?$/, '')
      .split(/[\\/]/)
      .at(-1) ?? 'strategy';
  const name = last
    .replace(/\.ts$/, '')
    .replaceAll(/[^A-Za-z0-9-]/g, '-')
    .slice(0, 32);
  return /^[A-Za-z]/.test(name) ? name : `s-${name}`.slice(0, 32);
}
