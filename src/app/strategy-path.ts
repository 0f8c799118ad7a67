import { existsSync } from 'node:fs';

/** A strategy named on the command line: a path, or the name of a folder of `strategies/`. */
export function strategyPath(name: string, home: string): string {
  if (existsSync(name)) return name;
  const shipped = `${home}/strategies/${name}`;
  return existsSync(shipped) ? shipped : name;
}
