import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';
import { runScenario as runOf } from '../../../src/app/backtest/scenario-run.ts';
import type { ScenarioRun } from '../../../src/app/backtest/scenario-result.ts';
import type { BarRunResult } from '../../../src/app/backtest/bar-run.ts';
import { scenarioSchema } from '../../../src/research/scenario/scenario.ts';
import { configuredScenario } from '../../../src/app/run/scenario-config.ts';

/** Recorded data beside the repository. */
export const data = new URL('../../../../shared/data/', import.meta.url);

/** The JSON of published results of that name. */
export function published(name: string): unknown {
  return JSON.parse(readFileSync(new URL(`conformance/${name}`, data), 'utf8'));
}

type Change = (scenario: Record<string, unknown>) => void;

/** Runs a scenario of this folder, perhaps changed first, on its own data or on bars given as rows of a table. */
export async function runScenario(
  name: string,
  options: {
    readonly change?: Change;
    readonly bars?: readonly string[];
    readonly watch?: ScenarioRun['watch'];
  } = {},
): Promise<BarRunResult> {
  const file = fileURLToPath(new URL(`${name}.yaml`, import.meta.url));
  const text = parse(readFileSync(file, 'utf8')) as Record<string, unknown>;
  options.change?.(text);
  const folder = options.bars === undefined ? undefined : mkdtempSync(join(tmpdir(), 'godwit-bars-'));
  try {
    if (folder !== undefined) {
      const path = join(folder, 'bars.csv');
      writeFileSync(path, ['time,open,high,low,close,volume', ...(options.bars ?? [])].join('\n'));
      text['data'] = [path];
    }
    const scenario = scenarioSchema.parse(text);
    const loaded = configuredScenario({ scenario, file, sha256: undefined }, '.');
    const { barRun } = await runOf({ loaded, watch: options.watch });
    if (barRun === undefined) throw new Error(`${name}: expected fills of the model bars`);
    return barRun;
  } finally {
    if (folder !== undefined) rmSync(folder, { recursive: true });
  }
}
