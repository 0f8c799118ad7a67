import type { Rule } from './rules.ts';
import type { Source } from './source.ts';
import { bare } from './source.ts';

const exportedValue = /^export (?:declare )?(?:async )?(?:const|let|function\*?) ([\w$]+)/gm;

/** An exported value has a name of its own in the whole of `src`; a face gives the names of other files on. */
export const namesValuesOnce: Rule = (sources) => {
  const places = new Map<string, Set<string>>();
  for (const { path, text } of sources) {
    for (const [, name = ''] of bare(text).matchAll(exportedValue))
      places.set(name, (places.get(name) ?? new Set()).add(path));
  }
  return [...places]
    .filter(([, paths]) => paths.size > 1)
    .map(([name, paths]) => `the value ${name} is exported by ${[...paths].join(' and ')}`);
};

const otherWords = /(?:Setup|Parts|Settings?|Config|Args|Context|Needs|Ports|Props)$/;

/** An object that a constructor takes apart is called `…Options` (what a user sets) or `…Deps` (what is handed in). */
export const namesConstructorObjects: Rule = (sources) => {
  const declared = new Set(
    sources.flatMap(({ text }) =>
      [...bare(text).matchAll(/^(?:export )?interface (\w+)/gm)].map(([, name]) => name),
    ),
  );
  return sources.flatMap(({ path, text }) =>
    [...bare(text).matchAll(/\bconstructor\(([^)]*)\)/g)].flatMap(([, parameters = '']) =>
      [...parameters.matchAll(/:\s*(?:Readonly<)?([A-Z]\w+)/g)]
        .map(([, name = '']) => name)
        .filter((name) => declared.has(name) && otherWords.test(name))
        .map((name) => `${path}: a constructor takes ${name}: expected …Options or …Deps`),
    ),
  );
};

/** Words with which a clause begins, and no sentence about a thing or an act. */
const clauseWords =
  /^(?:What|Whatever|Of|By|Whose|Whom|Who|Which|How|Why|Where|When|While|As|In|For|From|Since|So|That|With|Without|At|To)$/;

/** Docstrings that begin with such a word, by the folder of `src` that they stand in. */
export function clausesOf(sources: readonly Source[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { path, text } of sources) {
    const folder = path.split('/')[1] ?? '';
    for (const [, word = ''] of text.matchAll(/\/\*\*\s*(?:\*\s*)?([A-Za-z]+)(?=[\s,])/g))
      if (clauseWords.test(word)) counts.set(folder, (counts.get(folder) ?? 0) + 1);
  }
  return counts;
}

const slack = 20;

/**
 * A docstring begins with a noun or a verb. `allowed` is how many of each folder still do not: a folder with more is a breach, and so
 * is an allowance that is no longer needed.
 */
export function beginsPlainly(
  sources: readonly Source[],
  allowed: Readonly<Record<string, number>>,
): string[] {
  const counts = clausesOf(sources);
  return [...new Set([...counts.keys(), ...Object.keys(allowed)])].flatMap((folder) => {
    const count = counts.get(folder) ?? 0;
    const most = allowed[folder] ?? 0;
    if (count > most) return [`${folder}: ${count} docstrings begin with a clause, allowed are ${most}`];
    return most - count > slack ? [`${folder}: ${count} docstrings begin with a clause: lower ${most}`] : [];
  });
}

/** Verbs that say nothing without their object. Words that each reader knows from collections and streams are none of them. */
const bareVerb =
  /^(?:take|end|begin|look|keep|note|put|hold|say|tell|give|move|change|settle|carry|leave|drop|turn|follow|rest|cut|judge)$/;

/**
 * Bare verbs by the folder of `src`: exported functions, and methods of classes and interfaces, private ones too. The only such verb
 * of its class does what the name of the class says.
 */
export function bareVerbsOf(sources: readonly Source[]): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, string[]>();
  for (const { path, text } of sources) {
    const folder = path.split('/')[1] ?? '';
    const code = bare(text);
    const functions = [...code.matchAll(/^export (?:async )?function\*? (\w+)/gm)]
      .map(([, name = '']) => name)
      .filter((name) => bareVerb.test(name))
      .map((name) => `${path}: ${name}`);
    const methods = [
      ...code.matchAll(/^(?:export )?(?:abstract )?(?:class|interface) (\w+)[^\n]*\n([\s\S]*?)^\}/gm),
    ].flatMap(([, owner, body = '']) => {
      const verbs = [
        ...body.matchAll(/^ {2}(?:(?:static|async|override|readonly) )*\*?#?(\w+)\??(?:\(|<\w|: \(| = \()/gm),
      ]
        .map(([, name = '']) => name)
        .filter((name) => bareVerb.test(name));
      return verbs.length > 1 ? verbs.map((name) => `${path}: ${owner}.${name}`) : [];
    });
    if (functions.length + methods.length === 0) continue;
    found.set(folder, [...(found.get(folder) ?? []), ...functions, ...methods]);
  }
  return found;
}

/** A verb has its object. `allowed` is how many of each folder still have none: it only falls. */
export function givesVerbsObjects(
  sources: readonly Source[],
  allowed: Readonly<Record<string, number>>,
): string[] {
  const found = bareVerbsOf(sources);
  return [...new Set([...found.keys(), ...Object.keys(allowed)])].flatMap((folder) => {
    const verbs = found.get(folder) ?? [];
    const most = allowed[folder] ?? 0;
    if (verbs.length > most)
      return [`${folder}: ${verbs.length} verbs without an object, allowed are ${most}: ${verbs.join(', ')}`];
    return verbs.length < most ? [`${folder}: ${verbs.length} verbs without an object: lower ${most}`] : [];
  });
}
