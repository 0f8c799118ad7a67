import { readFileSync } from 'node:fs';
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
  const layers: Layer[] = [
    ...(sources.base === undefined
      ? []
      : [{ origin: sources.baseOrigin ?? 'the command', tree: sources.base }]),
    ...sources.files.map(readLayer),
    ...environmentLayers(sources.environment),
    ...setLayers(sources.sets),
  ];
  const origins = new Map<string, string>();
  const tree = mergeLayers(layers, origins);
  const parsed = configSchema.safeParse(tree);
  if (!parsed.success) {
    const issue = tellingIssue(parsed.error.issues) as z.core.$ZodIssue;
    throw new ConfigError(explainIssue(issue, { schema: configSchema, tree, origins }));
  }
  return { config: deepFreeze(parsed.data), origins };
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
