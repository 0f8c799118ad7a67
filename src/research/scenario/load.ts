import { createHash } from 'node:crypto';
import type { z } from 'zod';
import { tellingIssue } from '../../core/base/expectation.ts';
import { ConfigError } from '../../core/config/error.ts';
import { explainIssue } from '../../core/config/explain-issue.ts';
import { isTree } from '../../core/config/layers.ts';
import { parseYaml } from '../../core/config/parse-yaml.ts';
import { readText } from './read-text.ts';
import type { Scenario } from './scenario.ts';
import { scenarioSchema } from './scenario.ts';

/** A scenario that was read and checked: plain values, which threads and other machines can be sent. */
export interface LoadedScenario {
  readonly scenario: Scenario;
  /** As it was named; relative paths in the scenario begin at its folder. */
  readonly file: string;
  /** First 16 digits of the SHA-256 of the file; `undefined` without a file. */
  readonly sha256: string | undefined;
}

/** Reads a scenario file. Throws `ConfigError`: one sentence with file, place, expectation and finding. */
export function loadScenario(file: string): LoadedScenario {
  const text = readText(file, 'a scenario file');
  const tree = parseYaml(text, file);
  if (!isTree(tree))
    throw new ConfigError(`${file}: expected a scenario, with "name:" and "data:" at the top`);
  const parsed = scenarioSchema.safeParse(tree);
  if (!parsed.success) {
    const issue = tellingIssue(parsed.error.issues) as z.core.$ZodIssue;
    throw new ConfigError(
      `${file}: ${explainIssue(issue, { schema: scenarioSchema, tree, origins: new Map() })}`,
    );
  }
  return {
    scenario: parsed.data,
    file,
    sha256: createHash('sha256').update(text).digest('hex').slice(0, 16),
  };
}
