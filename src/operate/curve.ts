import { z } from 'zod';
import { amountToNumber } from '../core/base/amount.ts';
import type { Cancel, Clock, Micros } from '../core/base/clock.ts';
import { microsPerMilli, seconds } from '../core/base/clock.ts';
import type { KeptHistory, KeptLines } from './history/index.ts';
import type { RunView } from './run-view.ts';
import type { CurveText } from './schemas.ts';

const every = seconds(5);
/** Four hours at a point every five seconds; then every second point is dropped, and points come half as often. */
const pointsMax = 2_880;

const figures = ['profit', 'drawdown', 'equity'] as const;
type Figure = (typeof figures)[number];

/** Meaning of a column of numbers: a figure of a currency, or the profit of a strategy in one. */
const columnSchema = z.union([
  z.strictObject({ figure: z.enum(figures), currency: z.string() }),
  z.strictObject({ kind: z.enum(['live', 'shadow']), name: z.string(), currency: z.string() }),
]);
type Column = z.output<typeof columnSchema>;

/** Milliseconds since 1970, then a number for each column that was known. `null`: it could not be told. */
type Point = readonly [time: number, ...numbers: (number | null)[]];

type Viewed = Pick<RunView, 'strategyProfits' | 'profits' | 'drawdowns' | 'equities'>;

/**
 * Profit, drawdown and equity of the run by quote currency, and the profit of each strategy: in a bounded number of points of equal
 * distance since the run began, its earlier sessions counted.
 */
export class Curve {
  readonly #view: Viewed;
  readonly #clock: Clock;
  readonly #lines: KeptLines;
  readonly #columns: Column[] = [];
  /** Places of columns in a point, by their text. */
  readonly #places = new Map<string, number>();
  #points: Point[] = [];
  /** One sample of so many becomes a point. */
  #stride = 1;
  #samples = 0;
  #cancel: Cancel;

  constructor(view: Viewed, clock: Clock, kept: KeptHistory) {
    this.#view = view;
    this.#clock = clock;
    const all = (): readonly unknown[] => [...this.#columns, ...this.#points];
    this.#lines = kept.open('curve', { linesMax: pointsMax, all });
    for (const line of this.#lines.earlier) this.#take(line);
    this.#stride = strideOf(this.#points);
    this.#cancel = clock.after(every, () => this.#tick());
  }

  /** Column by column. `null`: at that time there was no price, or nothing in this currency yet. */
  text(): CurveText {
    const numbers = (place: number): (number | null)[] =>
      this.#points.map((point) => (place > 0 ? (point[place] ?? null) : null));
    const currencies = new Set<string>();
    const strategies: CurveText['strategies'] = [];
    for (const [at, column] of this.#columns.entries())
      if ('figure' in column) currencies.add(column.currency);
      else strategies.push({ ...column, points: numbers(at + 1) });
    const figure = (of: Figure, currency: string): (number | null)[] =>
      numbers(this.#places.get(keyOf({ figure: of, currency })) ?? 0);
    return {
      times: this.#points.map(([time]) => time),
      currencies: [...currencies].map((currency) => ({
        currency,
        profit: figure('profit', currency),
        drawdown: figure('drawdown', currency),
        equity: figure('equity', currency),
      })),
      strategies,
    };
  }

  close(): void {
    this.#cancel();
  }

  #tick(): void {
    this.#cancel = this.#clock.after(every, () => this.#tick());
    if (this.#samples++ % this.#stride !== 0) return;
    const numbers: (number | null)[] = [];
    const put = (column: Column, value: number | null): void => {
      numbers[this.#placeOf(column) - 1] = value;
    };
    const profits = this.#view.profits();
    const equities = this.#view.equities();
    for (const [currency, drawdown] of this.#view.drawdowns()) {
      const equity = equities.get(currency);
      put({ figure: 'profit', currency }, profits.get(currency) ?? 0);
      put({ figure: 'drawdown', currency }, drawdown);
      put({ figure: 'equity', currency }, equity === undefined ? null : amountToNumber(equity));
    }
    for (const { profit, ...owner } of this.#view.strategyProfits()) put(owner, profit);
    const time = Math.floor((this.#clock.now() as Micros) / microsPerMilli);
    const point: Point = [time, ...Array.from(numbers, (number) => number ?? null)];
    this.#points.push(point);
    this.#lines.add(point);
    if (this.#points.length < pointsMax) return;
    this.#points = this.#points.filter((_, at) => at % 2 === 0);
    this.#stride *= 2;
    this.#lines.renew();
  }

  #take(line: unknown): void {
    if (isPoint(line)) {
      if (line[0] > (this.#points.at(-1)?.[0] ?? 0)) this.#points.push(line);
      return;
    }
    const column = columnSchema.safeParse(line);
    if (column.success) this.#know(column.data);
  }

  /** Place of a column in a point. A new one is kept before the first point that has it. */
  #placeOf(column: Column): number {
    const known = this.#places.get(keyOf(column));
    if (known !== undefined) return known;
    this.#lines.add(column);
    return this.#know(column);
  }

  #know(column: Column): number {
    const place = this.#columns.push(column);
    this.#places.set(keyOf(column), place);
    return place;
  }
}

function keyOf(column: Column): string {
  const { currency } = column;
  return JSON.stringify(
    'figure' in column ? [column.figure, currency] : [column.kind, column.name, currency],
  );
}

/** Checked by hand: there are thousands of them at a start. */
function isPoint(line: unknown): line is Point {
  if (!Array.isArray(line)) return false;
  const point = line as readonly unknown[];
  for (let at = 1; at < point.length; at++)
    if (point[at] !== null && !Number.isFinite(point[at])) return false;
  return Number.isSafeInteger(point[0]);
}

/** Samples from one point to the next: a time in which no daemon ran is no distance of points. */
function strideOf(points: readonly Point[]): number {
  let shortest = Infinity;
  for (const [at, [time]] of points.entries())
    if (at > 0) shortest = Math.min(shortest, time - (points[at - 1] as Point)[0]);
  if (shortest === Infinity) return 1;
  return 2 ** Math.max(0, Math.round(Math.log2((shortest * microsPerMilli) / every)));
}
