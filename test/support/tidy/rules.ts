import { folders } from './folders.ts';
import type { Source } from './source.ts';
import { bare, importsOf, folderOf, targetOf } from './source.ts';

/** A rule for the sources: returns the breaches, one sentence each. */
export type Rule = (sources: readonly Source[]) => string[];

/** A folder imports its own files and the folders and packages of its row, nothing else. */
export const keepsToItsRow: Rule = (sources) =>
  sources.flatMap(({ path, text }) => {
    const folder = folderOf(path);
    const row = folders[folder];
    if (row === undefined) return [`${path}: its folder has no row in the import table`];
    return importsOf(text).flatMap((specifier) => {
      const target = targetOf(path, specifier);
      if (target === undefined)
        return packageAllowed(path, folder, specifier) ? [] : [`${path} imports the package ${specifier}`];
      const other = folderOf(target);
      const optionsOfAnyFolder = folder === 'app/config' && target.endsWith('/options.ts');
      if (other === folder || row.folders.includes(other) || optionsOfAnyFolder) return [];
      return [`${path} imports ${target}, but ${folder} may not import ${other}`];
    });
  });

/** A row names nothing that its folder does not use. */
export const usesItsRow: Rule = (sources) => {
  const used = new Map<string, Set<string>>();
  for (const { path, text } of sources) {
    const folder = folderOf(path);
    const names = used.get(folder) ?? new Set<string>();
    for (const specifier of importsOf(text)) {
      const target = targetOf(path, specifier);
      names.add(target === undefined ? specifier : folderOf(target));
    }
    used.set(folder, names);
  }
  return [...used].flatMap(([folder, names]) => {
    const row = folders[folder];
    return [...(row?.folders ?? []), ...(row?.packages ?? [])]
      .filter((one) => ![...names].some((name) => isNamedBy(one, name)))
      .map((one) => `${folder} may import ${one}, and does not`);
  });
};

function packageAllowed(path: string, folder: string, specifier: string): boolean {
  const allowed = folders[folder]?.packages ?? [];
  if (path.endsWith('/options.ts') && specifier === 'zod') return true;
  return allowed.some((name) => isNamedBy(name, specifier));
}

/** Whether a name of the table, which may end with a star, means this one. */
function isNamedBy(name: string, specifier: string): boolean {
  return name === specifier || (name.endsWith('*') && specifier.startsWith(name.slice(0, -1)));
}

/**
 * A private number of a class has a first value. A field declared without one begins as `undefined`; the engine then keeps
 * whatever comes later in a box, a new one for every write.
 */
export const numbersBeginAsNumbers: Rule = (sources) =>
  sources.flatMap(({ path, text }) =>
    [...text.matchAll(/^ {2}(#\w+): (?:number|Micros|Lots|Ticks);$/gm)].map(
      ([, name]) => `${path}: ${name} has no first value`,
    ),
  );

/** No file reaches itself through imports, and no folder does. */
export const hasNoCycles: Rule = (sources) => {
  const files = new Map<string, string[]>();
  for (const { path, text } of sources) {
    files.set(
      path,
      importsOf(text).flatMap((specifier) => targetOf(path, specifier) ?? []),
    );
  }
  const rows = new Map<string, string[]>();
  for (const [path, targets] of files) {
    const folder = folderOf(path);
    const others = targets.filter((target) => !target.endsWith('/options.ts')).map(folderOf);
    rows.set(folder, [...(rows.get(folder) ?? []), ...others.filter((other) => other !== folder)]);
  }
  return [...cyclesOf(files), ...cyclesOf(rows)];
};

function cyclesOf(graph: ReadonlyMap<string, readonly string[]>): string[] {
  const done = new Set<string>();
  const found: string[] = [];
  const walk = (node: string, path: readonly string[]): void => {
    const at = path.indexOf(node);
    if (at >= 0) {
      found.push(`a cycle: ${[...path.slice(at), node].join(' → ')}`);
      return;
    }
    if (done.has(node)) return;
    for (const next of graph.get(node) ?? []) walk(next, [...path, node]);
    done.add(node);
  };
  for (const node of graph.keys()) walk(node, []);
  return found;
}

/**
 * Groups of folders that import each other in circles, each folder with its own files only. An import of a type counts, and so
 * does one of options. `known` are groups that still do, as folders in order of their names: one that was untied is a breach.
 */
export function hasNoKnots(sources: readonly Source[], known: readonly (readonly string[])[] = []): string[] {
  const graph = new Map<string, Set<string>>();
  for (const { path, text } of sources) {
    const folder = parentOf(path);
    const others = graph.get(folder) ?? new Set<string>();
    for (const specifier of importsOf(text)) {
      const target = targetOf(path, specifier);
      if (target !== undefined && parentOf(target) !== folder) others.add(parentOf(target));
    }
    graph.set(folder, others);
  }
  const expected = new Set(known.map((group) => group.join(', ')));
  const found = knotsOf(graph).map((group) => group.join(', '));
  return [
    ...found
      .filter((group) => !expected.has(group))
      .map((group) => `folders import each other in circles: ${group}`),
    ...[...expected].filter((group) => !found.includes(group)).map((group) => `${group}: no knot any more`),
  ];
}

/** The folder that a file of `src/` stands in, below `src`. */
function parentOf(path: string): string {
  return path.split('/').slice(1, -1).join('/');
}

/** The groups of two and more nodes that reach each other, by name. */
function knotsOf(graph: ReadonlyMap<string, ReadonlySet<string>>): string[][] {
  const reached = new Map([...graph.keys()].map((node) => [node, reachedFrom(graph, node)]));
  const groups = new Map<string, string[]>();
  for (const node of [...graph.keys()].sort()) {
    const group = [...(reached.get(node) ?? [])].filter((other) => reached.get(other)?.has(node)).sort();
    if (group.length > 1) groups.set(group.join(), group);
  }
  return [...groups.values()];
}

function reachedFrom(graph: ReadonlyMap<string, ReadonlySet<string>>, start: string): Set<string> {
  const reached = new Set<string>();
  const waiting = [...(graph.get(start) ?? [])];
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    if (reached.has(node)) continue;
    reached.add(node);
    waiting.push(...(graph.get(node) ?? []));
  }
  return reached;
}

const clockCalls =
  /\b(Date\.now\(|new Date\(\)|performance\.now\(|setTimeout\(|setInterval\(|process\.hrtime)/;
const randomCalls = /\bMath\.random\(|\brandomBytes\(|\brandomInt\(|\bgetRandomValues\(/;
const hiddenTimers =
  /\b(timer|interval|delay|delayWhen|debounceTime|throttleTime|auditTime|sampleTime|bufferTime|timeout|timestamp)\b/;
const timerImport = /import\s*\{([^}]*)\}\s*from\s*'rxjs(?:\/operators)?'/g;

/** No file reads the ambient clock or ambient randomness, and no operator hides a timer. */
export const callsNothingBanned: Rule = (sources) =>
  sources.flatMap(({ path, text }) => {
    const code = bare(text);
    const found: string[] = [];
    if (path !== 'src/core/base/system-clock.ts') {
      const clock = clockCalls.exec(code);
      if (clock !== null) found.push(`${path} calls ${clock[1]}: use the injected clock`);
    }
    const random = randomCalls.exec(code);
    if (random !== null) found.push(`${path} calls ${random[0]}: use the injected random numbers`);
    for (const match of text.matchAll(timerImport)) {
      const hidden = hiddenTimers.exec(match[1] ?? '');
      if (hidden !== null) found.push(`${path} imports the operator ${hidden[0]}, which hides a timer`);
    }
    return found;
  });

const integerFolders = new Set([
  'core/book',
  'core/state',
  'core/orders',
  'core/bus',
  'core/gate',
  'exchange/matching',
  'sim',
]);

/** decimal.js stays at the boundary: in configuration, reports and helpers for authors. */
export const keepsDecimalsAtTheBoundary: Rule = (sources) =>
  sources
    .filter(({ path }) => integerFolders.has(folderOf(path)))
    .filter(({ text }) => importsOf(text).some((specifier) => specifier.includes('decimal')))
    .map(({ path }) => `${path} imports decimals; its folder counts in integers`);

/** "Market data" is the documents' own word. */
const vagueNames = /(^|-)(utils?|helpers?|common|misc|(?<!market-)data|info|manager2)(-|\.|$)/;

/** Files are named for the one thing inside, export by name, and leave nothing unfinished behind. */
export const isNamedAndFinished: Rule = (sources) =>
  sources.flatMap(({ path, text }) => {
    const name = path.split('/').at(-1) ?? '';
    const found: string[] = [];
    if (vagueNames.test(name)) found.push(`${path}: a vague file name`);
    if (name !== name.toLowerCase()) found.push(`${path}: file names are kebab-case`);
    if (/^export default\b/m.test(text) && path.startsWith('src/')) found.push(`${path}: a default export`);
    if (/\b(TODO|FIXME|XXX)\b/.test(text)) found.push(`${path}: unfinished work`);
    if (/^export \* from/m.test(text)) found.push(`${path}: a barrel`);
    return found;
  });

/** Tables of wire fields may be long; everything else splits. */
const longTables =
  /\/(tables?|fields|endpoints|schemas?)(-[a-z0-9]+)*\.ts$|-(table|fields|schemas?|endpoints)\.ts$/;
const fileLinesMax = 400;
const functionLinesMax = 70;

export const isShort: Rule = (sources) =>
  sources.flatMap(({ path, text }) => {
    const lines = text.split('\n');
    const found: string[] = [];
    if (lines.length - 1 > fileLinesMax && !longTables.test(path)) {
      found.push(`${path} has ${lines.length - 1} lines, more than ${fileLinesMax}`);
    }
    return [...found, ...longFunctions(path, lines)];
  });

const functionStart =
  /^( {0,4})(?:export )?(?:default )?(?:(?:static|async|override|get|set|function|const) )*[#\w*$]+(?:<[^(]*>)?(?: = (?:async )?)?\(.*$/;
const statement = /^\s*(if|for|while|switch|return|else|catch|await|throw|new|super|expect)\b/;

/** The formatter keeps a function's closing brace at the indentation of its first line. */
function longFunctions(path: string, lines: readonly string[]): string[] {
  const found: string[] = [];
  for (const [index, line] of lines.entries()) {
    const match = functionStart.exec(line);
    if (match === null || statement.test(line)) continue;
    const indent = match[1] ?? '';
    const opensHere = line.endsWith('{');
    const signatureEnd = opensHere
      ? index
      : lines.findIndex((at, i) => i > index && new RegExp(`^${indent}\\).*\\{$`).test(at));
    if (
      signatureEnd < 0 ||
      (!opensHere && lines.slice(index + 1, signatureEnd).some((at) => !at.startsWith(`${indent}  `)))
    )
      continue;
    const end = lines.findIndex((at, i) => i > signatureEnd && new RegExp(`^${indent}\\}`).test(at));
    const length = end - index + 1;
    if (end > 0 && length > functionLinesMax) {
      found.push(`${path}:${index + 1} has a function of ${length} lines, more than ${functionLinesMax}`);
    }
  }
  return found;
}

/** Every error code and denial code of the sources has a row in `docs/errors.md`. */
export function codesAreDocumented(sources: readonly Source[], errorsPage: string): string[] {
  const codes = new Set<string>();
  for (const { path, text } of sources) {
    for (const match of text.matchAll(/\bcode = '(GW_[A-Z0-9_]+)'/g)) codes.add(match[1] ?? '');
    if (path === 'src/core/model/denial.ts')
      for (const match of text.matchAll(/^ {2}'([A-Z_]+)',$/gm)) codes.add(match[1] ?? '');
  }
  return [...codes]
    .filter((code) => !errorsPage.includes(`\`${code}\``))
    .map((code) => `docs/errors.md has no row for ${code}`);
}
