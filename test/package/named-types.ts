import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';

/** A declaration file: what it declares, imports and hands on, each by its local name. */
interface Declared {
  readonly path: string;
  /** Text of each declaration, without comments. */
  readonly own: ReadonlyMap<string, string>;
  /** File and name of each import and each name that is handed on, of files of the package. */
  readonly from: ReadonlyMap<string, { readonly path: string; readonly name: string }>;
  readonly exported: ReadonlySet<string>;
}

/**
 * Types that a public declaration of an entry names and the entry does not export: nobody could write them down. `entry` is its
 * declaration file; what the entries `beside` it export counts, too. Types of packages and of the language are not looked at.
 */
export function unnamedTypes(entry: string, beside: readonly string[] = []): readonly string[] {
  const files = new Map<string, Declared>();
  const read = (path: string): Declared => {
    const known = files.get(path) ?? declaredIn(path);
    files.set(path, known);
    return known;
  };
  /** Where a name of a file is declared. */
  const declaration = (
    path: string,
    name: string,
  ): { readonly path: string; readonly name: string } | undefined => {
    const file = read(path);
    if (file.own.has(name)) return { path, name };
    const from = file.from.get(name);
    return from === undefined ? undefined : declaration(from.path, from.name);
  };
  const keyOf = (place: { readonly path: string; readonly name: string }): string =>
    `${place.path}#${place.name}`;
  const offered = [...read(entry).exported].flatMap((name) => declaration(entry, name) ?? []);
  const others = beside.flatMap((path) =>
    [...read(path).exported].flatMap((name) => declaration(path, name) ?? []),
  );
  const known = new Set([...offered, ...others].map(keyOf));
  const missing = new Map<string, string>();
  for (const place of offered) {
    const text = read(place.path).own.get(place.name) ?? '';
    for (const word of new Set(text.match(/\b[A-Z]\w*/g))) {
      const named = word === place.name ? undefined : declaration(place.path, word);
      if (named !== undefined && !known.has(keyOf(named))) missing.set(word, place.name);
    }
  }
  return [...missing].map(([type, by]) => `${by} names ${type}`).toSorted();
}

const statement =
  /^(?:export )?(?:declare )?(?:abstract )?(?:interface|type|class|function|const|let) ([\w$]+)[\s\S]*?(?=^(?:export|declare|interface|type|import|class|abstract)\b|(?![\s\S]))/gm;
const clause = /^(?:import|export) (?:type )?\{([^}]*)\}(?: from '([^']+)')?;/gm;

function declaredIn(path: string): Declared {
  const text = readFileSync(path, 'utf8')
    .replaceAll(/\/\*[\s\S]*?\*\//g, '')
    .replaceAll(/\/\/[^\n]*/g, '')
    // What is private is no part of what is public.
    .replaceAll(/^\s+private [^\n]*$/gm, '');
  const own = new Map<string, string>();
  const exported = new Set<string>();
  for (const [whole, name = ''] of text.matchAll(statement)) {
    own.set(name, `${own.get(name) ?? ''}${whole.replaceAll(/'(?:[^'\\\n]|\\.)*'/g, '')}`);
    if (whole.startsWith('export')) exported.add(name);
  }
  const from = new Map<string, { readonly path: string; readonly name: string }>();
  for (const [whole, names = '', specifier] of text.matchAll(clause)) {
    const target = specifier?.startsWith('.') === true ? fileOf(path, specifier) : undefined;
    for (const each of names.split(',').map((one) => one.trim().replace(/^type /, ''))) {
      if (each === '') continue;
      const [name = '', local = name] = each.split(/\s+as\s+/);
      if (target !== undefined) from.set(local, { path: target, name });
      if (specifier === undefined && local !== name) from.set(local, { path, name });
      if (whole.startsWith('export')) exported.add(local);
    }
  }
  return { path, own, from, exported };
}

function fileOf(path: string, specifier: string): string | undefined {
  const target = resolve(join(dirname(path), specifier.replace(/\.[jt]s$/, '.d.ts')));
  return existsSync(target) ? target : undefined;
}
