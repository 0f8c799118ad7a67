import { ConfigError } from './error.ts';

/** A plain object of configuration values. */
export type Tree = { [key: string]: unknown };

/** One source of values: a file, the environment or the command line. */
export interface Layer {
  /** Name of the value's origin: a file's name, `GODWIT__a__b`, `--set a.b`. */
  readonly origin: string;
  readonly tree: Tree;
}

const forbidden = new Set(['__proto__', 'constructor', 'prototype']);

/** Merges layers, later wins; objects merge key by key, lists and values are replaced. `origins` gets path to origin. */
export function mergeLayers(layers: readonly Layer[], origins: Map<string, string>): Tree {
  const result: Tree = {};
  for (const layer of layers) mergeInto({ target: result, source: layer.tree, path: '', layer, origins });
  return result;
}

interface Merge {
  readonly target: Tree;
  readonly source: Tree;
  readonly path: string;
  readonly layer: Layer;
  readonly origins: Map<string, string>;
}

function mergeInto({ target, source, path, layer, origins }: Merge): void {
  for (const [key, value] of Object.entries(source)) {
    if (forbidden.has(key))
      throw new ConfigError(`${layer.origin}: the key ${JSON.stringify(key)} is not allowed`);
    const here = path === '' ? key : `${path}.${key}`;
    if (isTree(value)) {
      const below: Tree = isTree(target[key]) ? target[key] : {};
      target[key] = below;
      mergeInto({ target: below, source: value, path: here, layer, origins });
    } else {
      target[key] = value;
      origins.set(here, layer.origin);
    }
  }
}

/** Whether `value` is a plain object. */
export function isTree(value: unknown): value is Tree {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** One layer per `GODWIT__section__key` variable; names are spelled as in a file. */
export function environmentLayers(environment: Readonly<Record<string, string | undefined>>): Layer[] {
  const layers: Layer[] = [];
  for (const [name, value] of Object.entries(environment)) {
    if (value === undefined || !name.startsWith('GODWIT__')) continue;
    const path = name.slice('GODWIT__'.length).split('__');
    layers.push({ origin: name, tree: treeOf(path, scalar(value), name) });
  }
  return layers;
}

/** One layer per `--set a.b=value`. */
export function setLayers(assignments: readonly string[]): Layer[] {
  return assignments.map((assignment) => {
    const split = assignment.indexOf('=');
    if (split <= 0) throw new ConfigError(`--set ${assignment}: expected the form section.key=value`);
    const path = assignment.slice(0, split);
    return {
      origin: `--set ${path}`,
      tree: treeOf(path.split('.'), scalar(assignment.slice(split + 1)), `--set ${path}`),
    };
  });
}

function treeOf(path: readonly string[], value: unknown, origin: string): Tree {
  const [key, ...rest] = path;
  if (key === undefined || key === '')
    throw new ConfigError(`${origin}: expected a path such as section.key`);
  return { [key]: rest.length === 0 ? value : treeOf(rest, value, origin) };
}

/** Text from the environment or an argument as YAML would read it: numbers, booleans, a list in brackets, else text. */
function scalar(text: string): unknown {
  const list = /^\[(.*)\]$/.exec(text)?.[1]?.trim();
  if (list !== undefined) return list === '' ? [] : list.split(',').map((item) => scalar(item.trim()));
  if (text === 'true') return true;
  if (text === 'false') return false;
  if (/^-?(0|[1-9]\d{0,14})(\.\d{1,15})?$/.test(text)) return Number(text);
  return text;
}
