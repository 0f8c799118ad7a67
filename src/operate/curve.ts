import { z } from 'zod';
import { amountToNumber } from '../core/base/amount.ts';
import type { Cancel, Clock, Micros } from '../core/base/clock.ts';
import { microsPerMilli, seconds } from '../core/base/clock.ts';
import type { KeptHistory, KeptLines } from './history/index.ts';
import type { RunView } from './run-view.ts';
import type { CurveText, StrategyProfit } from './schemas.ts';

const every = seconds(5);
/** Four hours at a point every five seconds; then every second point is dropped, and points come half as often. */
const pointsMax = 2_880;

/** Profit, drawdown and equity; of an equity that cannot be valued `null`. */
type Values = readonly [profit: number, drawdown: number, equity: number | null];

interface Point {
  /** Milliseconds since 1970. */
  readonly time: number;
  readonly values: ReadonlyMap<string, Values>;
  /** Profit by the key of the strategy. */
  readonly strategies: ReadonlyMap<string, number>;
}

const number = z.number();
const pointSchema = z.strictObject({
  time: z.int(),
  values: z.record(z.string(), z.tuple([number, number, number.nullable()])),
  strategies: z.record(z.string(), number),
});
const ownerSchema = z.tuple([z.enum(['live', 'shadow']), z.string(), z.string()]);

type Viewed = Pick<RunView, 'strategyProfits' | 'profits' | 'drawdowns' | 'equities'>;

/**
 * Profit, drawdown and equity of the run by quote currency, and the profit of each strategy: in a bounded number of points of equal
 * distance since the run began, its earlier sessions counted.
 */
export class Curve {
  readonly #view: Viewed;
  readonly #clock: Clock;
  readonly #lines: KeptLines;
  readonly #owners = new Map<string, Omit<StrategyProfit, 'profit'>>();
  #points: Point[] = [];
  /** One sample of so many becomes a point. */
  #stride = 1;
  #samples = 0;
  #cancel: Cancel;

  constructor(view: Viewed, clock: Clock, kept: KeptHistory) {
    this.#view = view;
    this.#clock = clock;
    this.#lines = kept.open('curve', { linesMax: pointsMax, all: () => this.#points.map(lineOf) });
    for (const line of this.#lines.earlier) this.#take(line);
    this.#stride = strideOf(this.#points);
    this.#cancel = clock.after(every, () => this.#tick());
  }

  /** Column by column. `null`: at that time there was no price, or nothing in this currency yet. */
  text(): CurveText {
    const names = [...new Set(this.#points.flatMap(({ values }) => [...values.keys()]))];
    const column = (name: string, at: 0 | 1 | 2): (number | null)[] =>
      this.#points.map(({ values }) => values.get(name)?.[at] ?? null);
    return {
      times: this.#points.map(({ time }) => time),
      currencies: names.map((currency) => ({
        currency,
        profit: column(currency, 0),
        drawdown: column(currency, 1),
        equity: column(currency, 2),
      })),
      strategies: [...this.#owners].map(([key, owner]) => ({
        ...owner,
        points: this.#points.map(({ strategies }) => strategies.get(key) ?? null),
      })),
    };
  }

  close(): void {
    this.#cancel();
  }

  #tick(): void {
    this.#cancel = this.#clock.after(every, () => this.#tick());
    if (this.#samples++ % this.#stride !== 0) return;
    const rows = this.#view.strategyProfits();
    const values = new Map<string, Values>();
    const profits = this.#view.profits();
    const equities = this.#view.equities();
    for (const [currency, drawdown] of this.#view.drawdowns()) {
      const equity = equities.get(currency);
      const shown = equity === undefined ? null : amountToNumber(equity);
      values.set(currency, [profits.get(currency) ?? 0, drawdown, shown]);
    }
    const time = Math.floor((this.#clock.now() as Micros) / microsPerMilli);
    const point = { time, values, strategies: new Map(rows.map((row) => this.#keyed(row))) };
    this.#points.push(point);
    this.#lines.add(lineOf(point));
    if (this.#points.length < pointsMax) return;
    this.#points = this.#points.filter((_, at) => at % 2 === 0);
    this.#stride *= 2;
    this.#lines.renew();
  }

  #take(line: unknown): void {
    const read = pointSchema.safeParse(line);
    if (!read.success || read.data.time <= (this.#points.at(-1)?.time ?? 0)) return;
    const { time, values, strategies } = read.data;
    const owned = Object.entries(strategies).filter(([key]) => this.#knows(key));
    this.#points.push({ time, values: new Map(Object.entries(values)), strategies: new Map(owned) });
  }

  #knows(key: string): boolean {
    if (this.#owners.has(key)) return true;
    const read = ownerSchema.safeParse(jsonOf(key));
    if (!read.success) return false;
    const [kind, name, currency] = read.data;
    this.#owners.set(key, { kind, name, currency });
    return true;
  }

  #keyed({ profit, ...owner }: StrategyProfit): readonly [string, number] {
    const key = JSON.stringify([owner.kind, owner.name, owner.currency]);
    if (!this.#owners.has(key)) this.#owners.set(key, owner);
    return [key, profit];
  }
}

/** Samples from one point to the next: a time in which no daemon ran is no distance of points. */
function strideOf(points: readonly Point[]): number {
  const distances = points.slice(1).map(({ time }, at) => time - (points[at]?.time ?? 0));
  const shortest = distances.reduce((least, one) => Math.min(least, one), Infinity);
  if (shortest === Infinity) return 1;
  return 2 ** Math.max(0, Math.round(Math.log2((shortest * microsPerMilli) / every)));
}

function lineOf({ time, values, strategies }: Point): object {
  return { time, values: Object.fromEntries(values), strategies: Object.fromEntries(strategies) };
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
