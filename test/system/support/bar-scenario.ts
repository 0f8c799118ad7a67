import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Random } from '../../../src/core/base/random.ts';

/** When the first bar begins, in seconds. */
export const barsBegin = 1_700_000_040;

/** Seconds since the epoch. */
interface BarClock {
  readonly start?: string;
  readonly end?: string;
}

/** A strategy of `test/research/fixtures`. */
export function researchFixture(name: string): string {
  return fileURLToPath(new URL(`../../research/scenario/fixtures/${name}.ts`, import.meta.url));
}

/**
 * A scenario in `folder` for a strategy of `test/research/fixtures`: a hundred one-minute bars of a price that wanders,
 * in a file of their own, or the part of them that `clock` takes. The strategy is given the name of that file, and `params`;
 * `fills` is added to those of the scenario.
 */
export function barScenario(
  folder: string,
  name: string,
  clock: BarClock = {},
  { fills, ...params }: { readonly fills?: object } = {},
): string {
  const random = new Random('bars');
  let price = 10_000;
  const rows = Array.from({ length: 100 }, (_, i) => {
    const open = price;
    price += random.between(-20, 20);
    const [high, low] = [Math.max(open, price) + 2, Math.min(open, price) - 2];
    return [barsBegin + i * 60, ...[open, high, low, price].map((p) => (p / 100).toFixed(2)), 5].join(',');
  });
  mkdirSync(join(folder, name), { recursive: true });
  const file = join(folder, name, 'bars.csv');
  writeFileSync(file, ['time,open,high,low,close,volume', ...rows, ''].join('\n'));
  const scenario = join(folder, `${name}.yaml`);
  const text = {
    name,
    data: [file],
    clock,
    instrument: { symbol: 'AAABBB', base: 'AAA', quote: 'BBB', tick: '0.01', lot: '1' },
    fills: { model: 'bars', account: { kind: 'margin' }, ...fills },
    balances: { BBB: '100000', AAA: '1000' },
    strategy: { path: researchFixture(name), params: { symbol: 'AAABBB', file, ...params } },
  };
  writeFileSync(scenario, JSON.stringify(text));
  return scenario;
}
