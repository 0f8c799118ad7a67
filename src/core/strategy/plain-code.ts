import { readFileSync, realpathSync } from 'node:fs';
import { registerHooks, stripTypeScriptTypes } from 'node:module';
import { pathToFileURL } from 'node:url';
import { strategyParts } from './loader.ts';

/** Code of the `.ts` files of a strategy without its types, by the addresses of the files. */
export type PlainCode = Readonly<Record<string, string>>;

/** Texts that are kept: a start of the daemon loads each strategy more than once, and many may be of one file. */
const keptMax = 1_000;
const kept = new Map<string, string | undefined>();
const moduleSyntax = /^[ \t]*(?:import|export)\b/m;

/**
 * Code of a strategy without its types, so that its worker need not load what takes them out: that takes a third of its start, and
 * some megabytes. What cannot be told is left out, and loaded as it is. Throws as `strategyParts` does.
 */
export function plainCodeOf(path: string, name?: string): PlainCode {
  const code: Record<string, string> = {};
  for (const part of strategyParts(path, name)) {
    const plain = part.path.endsWith('.ts') ? plainText(readFileSync(part.path, 'utf8')) : undefined;
    if (plain !== undefined) code[pathToFileURL(realpathSync(part.path)).href] = plain;
  }
  return code;
}

/** Loads what this thread imports from now on from `code`, where it is there. */
export function usePlainCode(code: PlainCode): void {
  registerHooks({
    load: (url, context, next) => {
      const source = Object.hasOwn(code, url) ? code[url] : undefined;
      // A file that its package calls CommonJS is loaded as that.
      if (source === undefined || context.format === 'commonjs-typescript') return next(url, context);
      return { format: 'module', source, shortCircuit: true };
    },
  });
}

/** Places stay as they are: types become spaces. */
function plainText(text: string): string | undefined {
  if (kept.has(text)) return kept.get(text);
  if (kept.size >= keptMax) kept.clear();
  const plain = stripped(text);
  kept.set(text, plain);
  return plain;
}

function stripped(text: string): string | undefined {
  try {
    const plain = stripTypeScriptTypes(text);
    return moduleSyntax.test(plain) ? plain : undefined;
  } catch {
    // The worker says what is wrong with it.
    return undefined;
  }
}
