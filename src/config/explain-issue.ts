import { z } from 'zod';
import type { Tree } from './layers.ts';
import { isTree } from './layers.ts';
import { nearest } from './nearest.ts';

export interface IssuePlace {
  readonly schema: z.ZodType;
  readonly tree: Tree;
  readonly origins: ReadonlyMap<string, string>;
}

/** One clear sentence of a schema's complaint: what, where, what was expected, and the nearest known name. */
export function explainIssue(issue: z.core.$ZodIssue, place: IssuePlace): string {
  if (issue.code === 'unrecognized_keys') {
    const key = String(issue.keys[0]);
    const path = [...issue.path, key].join('.');
    const known = keysAt(place.schema, issue.path);
    const near = nearest(key, known);
    const hint = near === undefined ? `known here: ${known.join(', ')}` : `did you mean "${near}"?`;
    return `${from(path, place)}${path} is not a known setting; ${hint}`;
  }
  const path = issue.path.join('.');
  const found = valueAt(place.tree, issue.path);
  const shown = showing(found, path);
  const expectation = issue.message.replace(/^Invalid input: /, '').replace(/, received .*$/, '');
  return `${from(path, place)}${path === '' ? 'the configuration' : path}: ${expectation}, found ${shown}`;
}

/** What was found, unless it may be, or hold, a secret that somebody typed in. Source: faults, I22. */
function showing(found: unknown, path: string): string {
  if (found === undefined) return 'nothing';
  if (Array.isArray(found)) return 'a list';
  if (isTree(found)) return 'a section';
  return /key|secret|password|token/i.test(path) ? 'something else' : JSON.stringify(found).slice(0, 80);
}

function from(path: string, place: IssuePlace): string {
  for (let at = path; at !== ''; at = at.slice(0, Math.max(0, at.lastIndexOf('.')))) {
    const origin = place.origins.get(at) ?? [...place.origins].find(([key]) => key.startsWith(`${at}.`))?.[1];
    if (origin !== undefined) return `${origin}: `;
  }
  return '';
}

function valueAt(tree: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>((at, key) => {
    if (isTree(at)) return at[String(key)];
    return Array.isArray(at) ? (at as unknown[])[Number(key)] : undefined;
  }, tree);
}

/** The member names an object schema knows at a path. */
function keysAt(schema: z.ZodType, path: readonly PropertyKey[]): string[] {
  let at = unwrap(schema);
  for (const key of path) {
    if (at instanceof z.ZodObject) at = unwrap((at.shape as Record<string, z.ZodType>)[String(key)]);
    else if (at instanceof z.ZodArray) at = unwrap(at.element as z.ZodType);
    else if (at instanceof z.ZodRecord) at = unwrap(at.valueType as z.ZodType);
  }
  return at instanceof z.ZodObject ? Object.keys(at.shape as object) : [];
}

function unwrap(schema: z.ZodType | undefined): z.ZodType | undefined {
  let at: z.ZodType | undefined = schema;
  while (
    at instanceof z.ZodDefault ||
    at instanceof z.ZodPrefault ||
    at instanceof z.ZodOptional ||
    at instanceof z.ZodNullable
  ) {
    at = at.unwrap() as z.ZodType;
  }
  return at;
}
