import { existsSync, readFileSync } from 'node:fs';
import { findPackageJSON } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The folder of `src` and `strategies`: the checkout, or `dist` of the package. */
export const home = resolve(fileURLToPath(new URL('../../..', import.meta.url)));

/** The folder of `package.json`, `bin`, `config` and `backtest`. */
export function packageFolder(): string {
  return dirname(findPackageJSON(import.meta.url) ?? join(home, 'package.json'));
}

/** The folder of the pages that messages name. */
export function pagesFolder(): string {
  return join(packageFolder(), 'docs');
}

/** A text in which samples and settings that a project does not have are named where the package in it has them. */
export function withPackagePaths(text: string): string {
  const installed = join('node_modules', 'godwit');
  return text.replaceAll(/(?<= )(?:backtest|config)\/[\w./-]+/g, (path) => {
    const shipped = join(installed, path);
    return !existsSync(path) && existsSync(shipped) ? shipped : path;
  });
}

/** The version of Godwit, as its package says. */
export function packageVersion(): string {
  const text = readFileSync(join(packageFolder(), 'package.json'), 'utf8');
  return (JSON.parse(text) as { readonly version: string }).version;
}
