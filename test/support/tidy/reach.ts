import type { Source } from './source.ts';
import { targetOf } from './source.ts';

/** A top-level declaration: where it stands, its name, whether it is exported, and the names its text mentions. */
interface Declaration {
  readonly path: string;
  readonly name: string;
  readonly exported: boolean;
  readonly mentions: ReadonlySet<string>;
}

interface Module {
  readonly declarations: ReadonlyMap<string, Declaration>;
  /** Local name → where it comes from; `*` stands for a whole namespace. */
  readonly imports: ReadonlyMap<string, { readonly path: string; readonly name: string }>;
  /** Names that statements outside declarations mention: they run when the module is loaded. */
  readonly loose: ReadonlySet<string>;
  /** Modules loaded for their effect, by a dynamic import, or as the file of a worker. */
  readonly loads: readonly { readonly path: string; readonly names: readonly string[] | 'all' }[];
  /** Names that are handed on with `export { … } from`. */
  readonly handedOn: ReadonlyMap<string, { readonly path: string; readonly name: string }>;
}

/**
 * Exported declarations of `sources` that nothing reaches from `entries`, as `path#name`. Read from the text: a declaration
 * reaches what its text mentions, in its own file or through an import. Members of classes are not looked at one by one.
 */
export function unreachedExports(sources: readonly Source[], entries: readonly string[]): string[] {
  const modules = new Map(sources.map((source) => [source.path, read(source)]));
  const reached = new Set<string>();
  const loaded = new Set<string>();
  const waiting: { readonly path: string; readonly name: string }[] = [];
  const load = (path: string): void => {
    const module = modules.get(path);
    if (module === undefined || loaded.has(path)) return;
    loaded.add(path);
    follow(path, module, module.loose);
    for (const { path: other, names } of module.loads) {
      load(other);
      for (const name of names === 'all' ? exportsOf(modules.get(other)) : names) reach(other, name);
    }
    for (const { path: other } of module.imports.values()) load(other);
    for (const { path: other } of module.handedOn.values()) load(other);
  };
  const reach = (path: string, name: string): void => {
    if (reached.has(`${path}#${name}`)) return;
    reached.add(`${path}#${name}`);
    waiting.push({ path, name });
  };
  const follow = (path: string, module: Module, names: ReadonlySet<string>): void => {
    for (const name of names) {
      if (module.declarations.has(name)) reach(path, name);
      const from = module.imports.get(name);
      if (from === undefined) continue;
      if (from.name === '*') for (const each of exportsOf(modules.get(from.path))) reach(from.path, each);
      else reach(from.path, from.name);
    }
  };
  for (const entry of entries) {
    load(entry);
    for (const name of exportsOf(modules.get(entry))) reach(entry, name);
  }
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    load(next.path);
    const module = modules.get(next.path);
    const handed = module?.handedOn.get(next.name);
    if (handed?.name === '*')
      for (const each of exportsOf(modules.get(handed.path))) reach(handed.path, each);
    else if (handed !== undefined) reach(handed.path, handed.name);
    const declaration = module?.declarations.get(next.name);
    if (module !== undefined && declaration !== undefined) follow(next.path, module, declaration.mentions);
  }
  return [...modules.values()]
    .flatMap(({ declarations }) => [...declarations.values()])
    .filter(({ path, name, exported }) => exported && !reached.has(`${path}#${name}`))
    .map(({ path, name }) => `${path}#${name}`);
}

function exportsOf(module: Module | undefined): string[] {
  if (module === undefined) return [];
  const own = [...module.declarations.values()].filter(({ exported }) => exported).map(({ name }) => name);
  return [...own, ...module.handedOn.keys()];
}

const declarationStart =
  /^(export )?(?:default )?(?:declare )?(?:abstract )?(?:async )?(?:function\*?|class|interface|type|const|let|namespace)\s+([\w$]+)/;
const destructured = /^(export )?(?:const|let)\s*[{[]/;

function read({ path, text }: Source): Module {
  const imports = new Map<string, { path: string; name: string }>();
  const handedOn = new Map<string, { path: string; name: string }>();
  const loads: { path: string; names: readonly string[] | 'all' }[] = [];
  const code = text.replaceAll(/\/\*[\s\S]*?\*\//g, '').replaceAll(/(^|[\s;{}(),])\/\/[^\n]*/g, '$1');
  for (const match of code.matchAll(/^(import|export)(?: type)?\s+([^;'"]*?)\s+from\s+'([^']+)';/gm)) {
    const target = targetOf(path, match[3] ?? '');
    if (target === undefined) continue;
    const table = match[1] === 'import' ? imports : handedOn;
    for (const [name, local] of namesOf(match[2] ?? '')) table.set(local, { path: target, name });
  }
  for (const match of code.matchAll(/^import\s+'([^']+)';/gm)) {
    const target = targetOf(path, match[1] ?? '');
    if (target !== undefined) loads.push({ path: target, names: [] });
  }
  for (const match of code.matchAll(/(?:\{([^{}]*)\} = await )?import\(\s*'([^']+)'\s*\)/g)) {
    const target = targetOf(path, match[2] ?? '');
    if (target === undefined) continue;
    const names = match[1]?.split(',').map((each) => each.split(':')[0]?.trim() ?? '');
    loads.push({ path: target, names: names ?? 'all' });
  }
  for (const match of code.matchAll(/new URL\(\s*'(\.[^']+\.ts)'\s*,\s*import\.meta\.url\s*\)/g)) {
    const target = targetOf(path, match[1] ?? '');
    if (target !== undefined) loads.push({ path: target, names: [] });
  }
  const { declarations, loose } = parts(path, code);
  return { declarations, imports, handedOn, loads, loose };
}

/** `a, type B as C, * as all` as pairs of the name there and the name here. */
function namesOf(clause: string): [string, string][] {
  const whole = /\* as ([\w$]+)/.exec(clause);
  if (whole !== null) return [['*', whole[1] ?? '']];
  return (/\{([\s\S]*)\}/.exec(clause)?.[1] ?? '')
    .split(',')
    .map((each) => each.trim().replace(/^type /, ''))
    .filter((each) => each !== '')
    .map((each): [string, string] => {
      const [name = '', local = name] = each.split(/\s+as\s+/);
      return [name, local];
    });
}

function parts(path: string, code: string): Pick<Module, 'declarations' | 'loose'> {
  const declarations = new Map<string, Declaration>();
  const loose = new Set<string>();
  let current: { name: string; exported: boolean; text: string[] } | undefined;
  const close = (): void => {
    if (current === undefined) return;
    const before = declarations.get(current.name);
    const mentions = new Set([...(before?.mentions ?? []), ...wordsOf(current.text.join('\n'))]);
    const exported = current.exported || before?.exported === true;
    declarations.set(current.name, { path, name: current.name, exported, mentions });
  };
  for (const line of code
    .replaceAll(/^(?:import|export)(?: type)?\s[^;'"]*?from\s+'[^']+';/gm, '')
    .split('\n')) {
    const start = declarationStart.exec(line);
    if (start !== null) {
      close();
      current = { name: start[2] ?? '', exported: start[1] !== undefined, text: [line] };
    } else if (/^[A-Za-z_$]/.test(line) || destructured.test(line)) {
      close();
      current = undefined;
      for (const word of wordsOf(line)) loose.add(word);
    } else if (current !== undefined) current.text.push(line);
    else for (const word of wordsOf(line)) loose.add(word);
  }
  close();
  return { declarations, loose };
}

function wordsOf(text: string): Iterable<string> {
  return (text.match(/[A-Za-z_$][\w$]*/g) ?? []).values();
}
