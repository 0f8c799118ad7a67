import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { ScenarioResult } from '../../src/app/backtest/scenario-result.ts';
import type { ScenarioRun } from '../../src/app/backtest/scenario-result.ts';
import { runScenario } from '../../src/app/backtest/scenario-run.ts';
import type { LoadedScenario } from '../../src/research/scenario/load.ts';
import { loadScenario } from '../../src/research/scenario/load.ts';
import { configuredScenario } from '../../src/app/run/scenario-config.ts';

const home = fileURLToPath(new URL('../..', import.meta.url));

/** Published numbers of the folder of recorded data, as they are; whole numbers beyond 2^53 stay text. */
export function readExpected(name: string): unknown {
  const text = readFileSync(new URL(`../../../shared/data/conformance/${name}`, import.meta.url), 'utf8');
  const keep = (_key: string, value: unknown, context: { readonly source?: string }): unknown =>
    typeof value === 'number' && /^\d{16,}$/.test(context.source ?? '') ? context.source : value;
  return JSON.parse(text, keep as Parameters<typeof JSON.parse>[1]);
}

/** A scenario of this suite, read and checked. */
export function scenarioNamed(name: string): LoadedScenario {
  return loadScenario(fileURLToPath(new URL(`scenarios/${name}.yaml`, import.meta.url)));
}

/** Runs a scenario of this suite; throws when anything cut it short. */
export async function runNamed(name: string, watch?: ScenarioRun['watch']): Promise<ScenarioResult> {
  return await runLoaded(scenarioNamed(name), watch);
}

/** Runs a scenario that was read, and perhaps changed; throws when anything cut it short. */
export async function runLoaded(
  loaded: LoadedScenario,
  watch?: ScenarioRun['watch'],
): Promise<ScenarioResult> {
  const result = await runScenario({ loaded: configuredScenario(loaded, home), watch });
  const [problem] = result.problems;
  if (problem !== undefined) throw new Error(`${loaded.file}: ${problem}`);
  return result;
}

/** Throws an error that names the place and both values unless they are equal as JSON. */
export function equal(place: string, found: unknown, expected: unknown): void {
  const [a, b] = [JSON.stringify(found), JSON.stringify(expected)];
  if (a !== b) throw new Error(`${place}: expected ${b}, found ${a}`);
}
