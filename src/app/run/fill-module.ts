import { statSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { ConfigError } from '../../core/config/error.ts';
import { hashStrategy, resolveOwnPackage, describeThrownAt } from '../../core/strategy/framework.ts';
import type { LoadedScenario } from '../../research/scenario/index.ts';
import { pathBeside } from '../../research/scenario/read-text.ts';
import type { FillModel, OpenFillModel } from '../../sim/fill-models/models.ts';

/**
 * The fill model of the module that a scenario names; `undefined` when it names none. Throws `ConfigError` in one sentence
 * when the file does not export one.
 */
export async function loadFillModel(loaded: LoadedScenario): Promise<OpenFillModel | undefined> {
  const file = fileOf(loaded);
  if (file === undefined) return undefined;
  const place = `${loaded.file}: fills.module`;
  resolveOwnPackage();
  let exported: { readonly default?: unknown };
  try {
    exported = (await import(pathToFileURL(file).href)) as { readonly default?: unknown };
  } catch (error) {
    throw new ConfigError(`${place}: ${file} cannot be loaded: ${describeThrownAt(error)}`, { cause: error });
  }
  const open = exported.default;
  if (typeof open !== 'function') {
    const found = open === undefined ? 'no default export' : `a default export of type ${typeof open}`;
    throw new ConfigError(`${place}: expected ${file} to export a function as default, found ${found}`);
  }
  return (setup) => {
    const model: unknown = (open as OpenFillModel)(setup);
    const missing = missingOf(model);
    if (missing === undefined) return model as FillModel;
    throw new ConfigError(`${place}: expected ${file} to make a fill model, found one without ${missing}`);
  };
}

/** Hash of the file of such a module; nothing without one. */
export function hashFillModel(loaded: LoadedScenario): string | undefined {
  const file = fileOf(loaded);
  return file === undefined ? undefined : hashStrategy(file);
}

function fileOf({ scenario: { fills }, file }: LoadedScenario): string | undefined {
  if (fills.model !== 'module') return undefined;
  const full = pathBeside(file, fills.module);
  const isThere = statSync(full, { throwIfNoEntry: false })?.isFile() === true;
  if (isThere && full.endsWith('.ts')) return full;
  throw new ConfigError(
    `${file}: fills.module: expected a .ts file, found ${isThere ? '' : 'nothing at '}${full}`,
  );
}

const members = {
  book: 'object',
  onMarket: 'function',
  onTrade: 'function',
  onNew: 'function',
  onEnd: 'function',
  fills: 'function',
} as const satisfies Readonly<Partial<Record<keyof FillModel, string>>>;

function missingOf(model: unknown): string | undefined {
  if (typeof model !== 'object' || model === null) return 'any member';
  return Object.entries(members).find(([name, type]) => typeof Reflect.get(model, name) !== type)?.[0];
}
