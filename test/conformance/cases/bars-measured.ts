import { readFileSync } from 'node:fs';
import type { BarFill } from '../../../src/sim/fill-models/bars/index.ts';
import type { ConformanceCase } from '../case.ts';
import { equal } from '../expected.ts';
import { close } from '../scenarios/compare.ts';
import { runScenario } from '../scenarios/run-scenario.ts';

/** What `test/bench/peers/bars_measure.py` wrote down: nothing published, but what the peers themselves make of it. */
interface Measured {
  readonly versions: Readonly<Record<string, string>>;
  readonly cases: readonly MeasuredCase[];
}

interface MeasuredCase {
  readonly peer: 'backtrader' | 'backtesting';
  readonly data: string;
  /** So many bars count. */
  readonly bars: number;
  readonly orders: readonly Readonly<Record<string, string | number>>[];
  /** Bar, position and equity at its close. */
  readonly changes: readonly (readonly [bar: number, position: number, equity: number])[];
  /** Equity at the close of the last bar that counts. */
  readonly last: number;
}

const { versions, cases: measured } = JSON.parse(
  readFileSync(new URL('../measured/bars.json', import.meta.url), 'utf8'),
) as Measured;
/** Of a thousand million: the peers add up doubles. */
const tolerance = 1e-14;
const peers = { backtrader: 'backtrader', backtesting: 'backtesting.py' };

export const cases: readonly ConformanceCase[] = measured.map((one) => ({
  name: `${peers[one.peer]} ${versions[one.peer]}, measured: ${titleOf(one)}`,
  needs: [`bars/${one.data}`],
  run: () => compare(one),
}));

function titleOf({ data, bars, orders }: MeasuredCase): string {
  const kinds = [...new Set(orders.map(({ type }) => String(type)))].toSorted();
  return `${orders.length} orders on ${bars} bars of ${data.split('.')[0]} (${kinds.join(', ')})`;
}

async function compare({ data, bars, orders, changes, last }: MeasuredCase): Promise<void> {
  const run = await runScenario('bars-measured', {
    change: (scenario) => {
      scenario['data'] = [`../../../../shared/data/bars/${data}`];
      const { params } = scenario['strategy'] as { params: Record<string, unknown> };
      params['period'] = data.includes('1m') ? 'M1' : 'D1';
      params['orders'] = orders.map(texts);
    },
  });
  equal('problems', run.problems, []);
  equal('denials', run.denials, []);
  const { equity, fills, fillBars } = run.books;
  const barOf = (index: number): number => fillBars[index] ?? Infinity;
  let position = 0;
  let at = 0;
  for (const [bar, held, worth] of changes) {
    for (; barOf(at) <= bar; at += 1) {
      const { side, quantity } = fills[at] as BarFill;
      position += side === 'buy' ? quantity : -quantity;
    }
    equal(`position after bar ${bar}`, position, held);
    close(`equity after bar ${bar}`, Number(equity.values[bar]), worth, tolerance);
  }
  equal(
    'orders that filled later',
    fillBars.slice(at).findIndex((bar) => bar < bars),
    -1,
  );
  close('equity at the end', Number(equity.values[bars - 1]), last, tolerance);
}

const counts = new Set(['after', 'life']);

/** Prices and quantities as texts, as a scenario wants them. */
function texts(order: MeasuredCase['orders'][number]): Readonly<Record<string, unknown>> {
  const entries = Object.entries(order).map(([key, value]) => [
    key,
    typeof value === 'number' && counts.has(key) ? value : String(value),
  ]);
  return Object.fromEntries(entries) as Readonly<Record<string, unknown>>;
}
