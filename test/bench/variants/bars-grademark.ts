import { createRequire } from 'node:module';
import { readBars } from '../support/bars.ts';
import { cpuMicros, median, print } from '../support/print.ts';

// EMA cross 10/20 on one-minute bars in grademark, long only where it may hold one position at a time. It computes
// nothing itself: the averages are made before, with data-forge's bars in between. Usage: node bars-grademark.ts BARS.csv.gz

type Enter = (options: { direction: 'long' | 'short' }) => void;
interface Bar {
  readonly fast: number;
  readonly slow: number;
}
interface Rule {
  readonly bar: Bar;
}
interface Grademark {
  backtest(strategy: object, bars: object): readonly unknown[];
}
interface DataForge {
  readonly DataFrame: new (options: { values: readonly object[]; index: readonly unknown[] }) => object;
}

const load = createRequire(new URL('../peers/', import.meta.url));
const grademark = load('grademark') as Grademark;
const { DataFrame } = load('data-forge') as DataForge;
const passes = 5;

const rows = readBars(process.argv[2] ?? '');
let fast = Number.NaN;
let slow = Number.NaN;
const values = rows.map((row, i) => {
  fast = i === 0 ? row.close : (2 / 11) * row.close + (9 / 11) * fast;
  slow = i === 0 ? row.close : (2 / 21) * row.close + (19 / 21) * slow;
  return { ...row, fast, slow };
});
const strategy = {
  entryRule(enter: Enter, { bar }: Rule) {
    enter({ direction: bar.fast >= bar.slow ? 'long' : 'short' });
  },
  exitRule(exit: () => void, { bar, position }: Rule & { position: { direction: string } }) {
    if (position.direction === 'long' ? bar.fast < bar.slow : bar.fast >= bar.slow) exit();
  },
  fees: () => 0.1,
};
const times: number[] = [];
let trades = 0;
for (let pass = 0; pass < passes; pass++) {
  const series = new DataFrame({ values, index: rows.map(({ time }) => time) });
  const start = cpuMicros();
  trades = grademark.backtest(strategy, series).length;
  times.push(cpuMicros() - start);
}
print({ value: rows.length / (median(times) / 1e6), bars: rows.length, trades });
