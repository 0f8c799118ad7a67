import { existsSync, readFileSync } from 'node:fs';
import type { z } from 'zod';
import { tellingIssue } from '../../core/base/expectation.ts';
import { ConfigError } from '../../core/config/error.ts';
import type { Layer, Tree } from '../../core/config/layers.ts';
import { environmentLayers, isTree, mergeLayers, setLayers } from '../../core/config/layers.ts';
import { explainIssue } from '../../core/config/explain-issue.ts';
import { parseYaml } from '../../core/config/parse-yaml.ts';
import type { Config } from './schema.ts';
import { configSchema } from './schema.ts';

export interface ConfigSources {
  /** YAML files, later wins. */
  readonly files: readonly string[];
  /** `GODWIT__section__key` variables are read from here. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** `section.key=value`, later wins. */
  readonly sets: readonly string[];
  /** The defaults of a command; every file overrides them. */
  readonly base?: Tree;
  /** Where `base` came from, for complaints; the command when left out. */
  readonly baseOrigin?: string;
}

export interface LoadedConfig {
  readonly config: Config;
  /** Path of each value that is not a default to the file, variable or flag it came from. */
  readonly origins: ReadonlyMap<string, string>;
}

/** Reads and checks the configuration. Throws `ConfigError`: one sentence with path, expectation and finding. */
export function loadConfig(sources: ConfigSources): LoadedConfig {
  const origins = new Map<string, string>();
  const tree = mergeLayers(layersOf(sources), origins);
  const parsed = configSchema.safeParse(tree);
  if (!parsed.success) {
    const issue = tellingIssue(parsed.error.issues) as z.core.$ZodIssue;
    throw new ConfigError(explainIssue(issue, { schema: configSchema, tree, origins }));
  }
  return { config: deepFreeze(parsed.data), origins };
}

/** The file of a venue that the configuration names. None of one that cannot be read: what loads it whole says why. */
export function venueModuleIn(sources: ConfigSources): string | undefined {
  try {
    const { venue } = mergeLayers(layersOf(sources), new Map());
    const module = isTree(venue) ? venue['module'] : undefined;
    return typeof module === 'string' && module !== '' ? module : undefined;
  } catch (error) {
    if (error instanceof ConfigError) return undefined;
    throw error;
  }
}

/** The configuration of this folder, of a command that names none. */
export function filesOfFolder(): readonly string[] {
  const file = 'godwit.yaml';
  return existsSync(file) ? [file] : [];
}

function layersOf({
  base,
  baseOrigin = 'the command',
  files,
  environment,
  sets,
}: ConfigSources): readonly Layer[] {
  return [
    ...(base === undefined ? [] : [{ origin: baseOrigin, tree: base }]),
    ...files.map(readLayer),
    ...environmentLayers(environment),
    ...setLayers(sets),
  ];
}

function readLayer(file: string): Layer {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    const reason = error instanceof Error && 'code' in error ? String(error.code) : 'unreadable';
    throw new ConfigError(`cannot read the configuration file ${file} (${reason})`);
  }
  const tree = parseYaml(text, file);
  if (!isTree(tree)) throw new ConfigError(`${file}: expected sections such as "venue:" at the top`);
  return { origin: file, tree };
}

function deepFreeze<Value>(value: Value): Value {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    for (const child of Object.values(value)) deepFreeze(child);
  }
  return value;
}
