import type { Cancel, Clock, Micros } from '../core/base/clock.ts';
import { microsPerMilli, seconds } from '../core/base/clock.ts';
import type { RunView } from './run-view.ts';
import type { CurveText, StrategyProfit } from './schemas.ts';

const every = seconds(5);
/** Four hours at a point every five seconds; then every second point is dropped, and points come half as often. */
const pointsMax = 2_880;

interface Point {
  /** Milliseconds since 1970. */
  readonly time: number;
  readonly values: ReadonlyMap<string, { readonly profit: number; readonly drawdown: number }>;
  /** Profit by the key of the strategy. */
  readonly strategies: ReadonlyMap<string, number>;
}

/**
 * Profit and drawdown of the run, those of its earlier sessions counted, by quote currency, and the profit of each strategy: in a
 * bounded number of points of equal distance, since this session began.
 */
export class Curve {
  readonly #view: Pick<RunView, 'strategyProfits' | 'profits' | 'drawdowns'>;
  readonly #clock: Clock;
  readonly #owners = new Map<string, Omit<StrategyProfit, 'profit'>>();
  #points: Point[] = [];
  /** One sample of so many becomes a point. */
  #stride = 1;
  #samples = 0;
  #cancel: Cancel;

  constructor(view: Pick<RunView, 'strategyProfits' | 'profits' | 'drawdowns'>, clock: Clock) {
    this.#view = view;
    this.#clock = clock;
    this.#cancel = clock.after(every, () => this.#tick());
  }

  /** Column by column. `null`: at that time there was no price, or nothing in this currency yet. */
  text(): CurveText {
    const names = [...new Set(this.#points.flatMap(({ values }) => [...values.keys()]))];
    const column = (name: string, figure: 'profit' | 'drawdown'): (number | null)[] =>
      this.#points.map(({ values }) => values.get(name)?.[figure] ?? null);
    return {
      times: this.#points.map(({ time }) => time),
      currencies: names.map((currency) => ({
        currency,
        profit: column(currency, 'profit'),
        drawdown: column(currency, 'drawdown'),
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
    const rows = this.#view.strategyProfits();
    const values = new Map<string, { profit: number; drawdown: number }>();
    const profits = this.#view.profits();
    for (const [currency, drawdown] of this.#view.drawdowns())
      values.set(currency, { profit: profits.get(currency) ?? 0, drawdown });
    if (this.#samples++ % this.#stride !== 0) return;
    const time = Math.floor((this.#clock.now() as Micros) / microsPerMilli);
    this.#points.push({ time, values, strategies: new Map(rows.map((row) => this.#keyed(row))) });
    if (this.#points.length < pointsMax) return;
    this.#points = this.#points.filter((_, at) => at % 2 === 0);
    this.#stride *= 2;
  }

  #keyed({ profit, ...owner }: StrategyProfit): readonly [string, number] {
    const key = JSON.stringify([owner.kind, owner.name, owner.currency]);
    if (!this.#owners.has(key)) this.#owners.set(key, owner);
    return [key, profit];
  }
}
