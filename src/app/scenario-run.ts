import { formatAmount } from '../base/amount.ts';
import { loggedFill } from '../research/fill-log.ts';
import type { BarRunResult } from './bar-run.ts';
import { isBarScenario, runBarScenario } from './bar-scenario.ts';
import type { ScenarioResult, ScenarioRun } from './scenario-result.ts';
import { runTickScenario } from './tick-scenario.ts';

/** Runs a scenario with the runner its fill model needs. Throws `BadInput` in one sentence when it cannot begin. */
export async function runScenario(run: ScenarioRun): Promise<ScenarioResult> {
  const { scenario, file } = run.loaded;
  if (!isBarScenario(scenario)) return await runTickScenario(run);
  return barResult(run, await runBarScenario({ scenario, file, home: run.home, watch: run.watch }));
}

function barResult({ loaded }: ScenarioRun, result: BarRunResult): ScenarioResult {
  const { digest, bars, orders, denials, stopped, accounts, positions, books, statistics } = result;
  const { name, fills, seed } = loaded.scenario;
  return {
    name,
    identity: {
      mode: 'backtest',
      scenario: `${name} ${loaded.sha256}`,
      'fill model': fills.model,
      seed,
      decisions: digest,
    },
    complete: stopped.length === 0,
    problems: stopped,
    notes: [],
    columns: [],
    rows: [],
    fills: books.fills.map((fill) =>
      loggedFill(fill, {
        instrument: fill.instrument,
        order: fill.request.clientOrderId,
        side: fill.side,
        told: fill.time,
      }),
    ),
    orders: [],
    bars: {
      bars,
      orders,
      denials,
      positions: Object.fromEntries(positions),
      accounts: accounts.map(({ currency, total, locked, free, equity }) => ({
        currency,
        total: formatAmount(total),
        locked: formatAmount(locked),
        free: formatAmount(free),
        equity: formatAmount(equity),
      })),
      statistics,
    },
  };
}
