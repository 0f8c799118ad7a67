import { existsSync } from 'node:fs';

/** A strategy named on the command line: a path, or the name of a folder of `strategies/`. */
export function strategyPath(name: string, home: string): string {
  if (existsSync(name)) return name;
  const shipped = `${home}/strategies/${name}`;
  return existsSync(shipped) ? shipped : name;
}

/** What a strategy on its own is called, by its path: client order ids carry it, and so does the digest. */
export function strategyName(path: string): string {
  const last =
    path
      .replace(/[\\/]+(index\.ts)?$/, '')
      .split(/[\\/]/)
      .at(-1) ?? 'strategy';
  const name = last
    .replace(/\.ts$/, '')
    .replaceAll(/[^A-Za-z0-9-]/g, '-')
    .slice(0, 32);
  return /^[A-Za-z]/.test(name) ? name : `s-${name}`.slice(0, 32);
}
