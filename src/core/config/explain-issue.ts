import type { z } from 'zod';
import { expectationOf } from '../base/expectation.ts';
import { nearest } from '../base/nearest.ts';
import type { Tree } from './layers.ts';
import { isTree } from './layers.ts';
import { keysAt, valueAt } from './schema-keys.ts';

export interface IssuePlace {
  readonly schema: z.ZodType;
  readonly tree: Tree;
  readonly origins: ReadonlyMap<string, string>;
}

/** One clear sentence of a schema's complaint: what, where, what was expected, and the nearest known name. */
export function explainIssue(complaint: z.core.$ZodIssue, place: IssuePlace): string {
  const issue = innermost(complaint);
  if (issue.code === 'unrecognized_keys') {
    const key = String(issue.keys[0]);
    const path = [...issue.path, key].join('.');
    const known = keysAt(place.schema, place.tree, issue.path);
    const near = nearest(key, known);
    const hint = near === undefined ? `known here: ${known.join(', ')}` : `did you mean "${near}"?`;
    return `${from(path, place)}${path} is not a known setting; ${hint}`;
  }
  const path = issue.path.join('.');
  if (issue.code === 'invalid_key') {
    const name = JSON.stringify(String(issue.path.at(-1) ?? '')).slice(0, 80);
    return `${from(path, place)}${path}: ${wantedName(issue)} as a name, found ${name}`;
  }
  const found = valueAt(place.tree, issue.path);
  return `${from(path, place)}${path === '' ? 'the configuration' : path}: ${wantedFor(found, issue)}, found ${showing(found, path)}`;
}

function wanted(issue: z.core.$ZodIssue): string {
  const values = valuesOf(issue);
  if (values !== undefined) return `expected ${listed(values)}`;
  // A choice may have a message of its own.
  if (issue.code === 'invalid_union' && issue.message === 'Invalid input') return wantedByAny(issue.errors);
  return expectationOf(issue.message);
}

/** Expectation in the place of `found`: of amounts, whose digits count, it is the quotes that are forgotten. */
function wantedFor(found: unknown, issue: z.core.$ZodIssue): string {
  const text = wanted(issue);
  return typeof found === 'number' && text === 'expected text' ? 'expected text in quotes' : text;
}

/** Values that each would have taken, of a choice between kinds of values that refused them all alike. */
function wantedByAny(tries: readonly (readonly z.core.$ZodIssue[])[]): string {
  const parts = tries.flatMap(([first]) => (first === undefined ? [] : [wanted(first)]));
  return `expected ${listed([...new Set(parts.map((part) => part.replace(/^expected /, '')))])}`;
}

/** Form of the names of a table that has one of its own. */
function wantedName({ issues: [first] }: z.core.$ZodIssueInvalidKey): string {
  return first === undefined ? 'expected another word' : expectationOf(first.message);
}

/** Values that may stand there, where these are few. */
function valuesOf(issue: z.core.$ZodIssue): readonly unknown[] | undefined {
  if (issue.code === 'invalid_value' && /^Invalid (input|option)/.test(issue.message)) return issue.values;
  return issue.code === 'invalid_union' && issue.errors.length === 0 && 'options' in issue
    ? (issue.options as readonly unknown[])
    : undefined;
}

function listed(values: readonly unknown[]): string {
  const texts = values.map(String);
  const last = texts.pop() ?? '';
  return texts.length === 0 ? last : `${texts.join(', ')} or ${last}`;
}

/**
 * Of a choice that failed, the complaint of the alternative that got furthest: it is the one that was meant. Where all of
 * them want another word at one place, as kinds do, one complaint names every word.
 */
function innermost(issue: z.core.$ZodIssue): z.core.$ZodIssue {
  if (issue.code !== 'invalid_union') return issue;
  const tries = issue.errors.flatMap((issues) => issues.slice(0, 1)).map(innermost);
  const depth = tries.reduce((most, one) => Math.max(most, depthOf(one)), 0);
  if (depth === 0) return issue;
  const furthest = tries.filter((one) => depthOf(one) === depth);
  const meant = furthest.find((one) => one.code !== 'invalid_value') ?? furthest[0];
  if (meant === undefined) return issue;
  const path = [...issue.path, ...meant.path];
  if (meant.code !== 'invalid_value') return { ...meant, path };
  const words = furthest.flatMap((one) => (one.code === 'invalid_value' ? one.values : []));
  return { ...meant, path, values: words, message: 'Invalid option' };
}

function depthOf(issue: z.core.$ZodIssue): number {
  return issue.path.length + (issue.code === 'unrecognized_keys' ? 1 : 0);
}

/** Value that was found, unless it may be, or hold, a secret. Source: faults, I22. */
function showing(found: unknown, path: string): string {
  if (found === undefined) return 'nothing';
  if (Array.isArray(found)) return found.length === 0 ? 'an empty list' : 'a list';
  if (isTree(found)) return 'a section';
  if (/key|secret|password|token/i.test(path)) return 'something else';
  // JSON has no word for the infinities.
  return typeof found === 'number' ? String(found) : JSON.stringify(found).slice(0, 80);
}

function from(path: string, place: IssuePlace): string {
  for (let at = path; at !== ''; at = at.slice(0, Math.max(0, at.lastIndexOf('.')))) {
    const origin = place.origins.get(at) ?? [...place.origins].find(([key]) => key.startsWith(`${at}.`))?.[1];
    if (origin !== undefined) return `${origin}: `;
  }
  return '';
}
