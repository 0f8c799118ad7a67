import type { Amount } from '../../core/base/amount.ts';
import { add, formatAmount, parseAmount, subtract, zero } from '../../core/base/amount.ts';
import type { Cancel, Clock } from '../../core/base/clock.ts';
import { microsPerSecond, seconds, timeText } from '../../core/base/clock.ts';
import type { ProfitReach } from '../../core/ledger/profit-peak.ts';
import { ProfitPeak } from '../../core/ledger/profit-peak.ts';
import { runProfits } from '../../core/orders/base/profit.ts';
import type { StateView } from '../../core/state/index.ts';
import type { KeptHistory, KeptLines } from './kept.ts';

/** Rows that are kept: a year of two quote currencies. */
const rowsMax = 800;
/** Time between two looks: that of two valuations of the run's profit. */
const lookEvery = seconds(1);
/** A day that goes on is written once in this time. */
const writeEvery = 60 * microsPerSecond;

/** Sums of a run up to a time. */
interface Sums {
  readonly profit: Amount;
  readonly fees: Amount;
  readonly fills: number;
}

/** One UTC day of a run in one quote currency. */
export interface Day {
  /** `2026-11-28` */
  readonly day: string;
  readonly currency: string;
  /** Sums when it began, or when it was first looked at, and those of the last look. */
  readonly from: Sums;
  readonly to: Sums;
  /** The highest profit of the run within it, and the largest fall from one. */
  readonly peak: Amount;
  readonly drawdownMax: Amount;
  /** That of the last look; `undefined` where the account was not read. */
  readonly equity: Amount | undefined;
}

/** Day as it is kept, amounts in decimal text. */
interface DayLine {
  readonly day: string;
  readonly currency: string;
  readonly from: SumsText;
  readonly to: SumsText;
  readonly peak: string;
  readonly drawdownMax: string;
  readonly equity?: string;
}
type SumsText = Readonly<Record<'profit' | 'fees', string>> & Pick<Sums, 'fills'>;

interface DaysDeps {
  readonly view: StateView;
  readonly clock: Clock;
  readonly kept: KeptHistory;
  readonly equities: () => ReadonlyMap<string, Amount>;
}

/** Profit, fees and fills of each UTC day of a run, its earlier sessions counted. */
export class Days {
  readonly #view: StateView;
  readonly #clock: Clock;
  readonly #lines: KeptLines;
  /** Equity now, by currency. */
  readonly #equities: () => ReadonlyMap<string, Amount>;
  /** By currency the last day last. */
  readonly #days = new Map<string, Day[]>();
  /** Currencies whose profit went on before anything was kept of it: what came before their first look is of no day. */
  readonly #begun: ReadonlySet<string>;
  /** Peak and largest fall of the run at the last look, by currency. */
  readonly #courses = new Map<string, ProfitReach>();
  #writtenAt = 0;
  #cancel: Cancel;

  constructor({ view, clock, kept, equities }: DaysDeps) {
    this.#view = view;
    this.#clock = clock;
    this.#equities = equities;
    this.#lines = kept.open('days', { linesMax: rowsMax, all: () => this.all.map(lineOf) });
    // A day has a line of each minute, of which the last one holds.
    const lines = new Map<string, DayLine>();
    for (const line of this.#lines.earlier)
      if (isDayLine(line)) lines.set(`${line.day} ${line.currency}`, line);
    for (const line of lines.values()) this.#takeLine(line);
    const begun = runProfits(view);
    this.#begun = new Set(begun.map(({ currency }) => currency));
    for (const course of begun) this.#courses.set(course.currency, course);
    this.#cancel = clock.after(lookEvery, () => this.#tick());
  }

  /** The oldest first. */
  get all(): readonly Day[] {
    const days = [...this.#days.values()].flat();
    return days.toSorted((a, b) => (a.day < b.day ? -1 : Number(a.day > b.day)));
  }

  /** The day under way in a currency; `undefined` where nothing was traded yet. */
  today(currency: string): Day | undefined {
    const last = this.#days.get(currency)?.at(-1);
    return last?.day === this.#name() ? last : undefined;
  }

  /** Looks at the run. What cannot be valued now is left as it was. */
  lookAtRun(): void {
    const equities = this.#equities();
    const name = this.#name();
    let changed = false;
    for (const { currency, profit, ...course } of runProfits(this.#view)) {
      if (profit === undefined) continue;
      const to = { profit, ...this.#countsIn(currency) };
      const before = this.#days.get(currency)?.at(-1);
      // A clock that is set back begins no day again.
      const goesOn = before !== undefined && before.day >= name;
      if (before !== undefined && !goesOn) this.#lines.add(lineOf(before));
      const from = goesOn ? before.from : (before?.to ?? (this.#begun.has(currency) ? to : nothing));
      const peak = goesOn
        ? new ProfitPeak(before.peak, before.drawdownMax)
        : new ProfitPeak(from.profit, zero);
      peak.countCourse(this.#courses.get(currency), course);
      this.#courses.set(currency, course);
      peak.countProfit(profit);
      const equity = equities.get(currency);
      const day = { day: goesOn ? before.day : name, currency, from, to, equity };
      this.#putDay({ ...day, peak: peak.peak, drawdownMax: peak.drawdownMax });
      changed = true;
    }
    const now = this.#clock.now();
    if (!changed || now < this.#writtenAt + writeEvery) return;
    this.#write();
    this.#writtenAt = now;
  }

  close(): void {
    this.#cancel();
    this.lookAtRun();
    this.#write();
  }

  #tick(): void {
    this.#cancel = this.#clock.after(lookEvery, () => this.#tick());
    this.lookAtRun();
  }

  #write(): void {
    for (const days of this.#days.values()) {
      const last = days.at(-1);
      if (last !== undefined) this.#lines.add(lineOf(last));
    }
  }

  #takeLine(line: DayLine): void {
    try {
      this.#putDay(dayOf(line));
    } catch {
      // An amount that is none: the line is left out, as every damaged one.
    }
  }

  #putDay(day: Day): void {
    const days = this.#days.get(day.currency) ?? [];
    this.#days.set(day.currency, days);
    if (days.at(-1)?.day === day.day) days.pop();
    days.push(day);
    if (this.#days.size * days.length > rowsMax) days.shift();
  }

  #countsIn(currency: string): Pick<Sums, 'fees' | 'fills'> {
    let fees: Amount = zero;
    let fills = 0;
    for (const { instrument, feesInQuote, fillCount } of this.#view.positions()) {
      if (this.#view.instruments.at(instrument).spec.quoteCurrency !== currency) continue;
      fees = add(fees, feesInQuote);
      fills += fillCount;
    }
    return { fees, fills };
  }

  #name(): string {
    return timeText(this.#clock.now()).slice(0, 10);
  }
}

const nothing: Sums = { profit: zero, fees: zero, fills: 0 };

/** Sums of the day alone. */
export function sumsOf({ from, to }: Day): Sums {
  return {
    profit: subtract(to.profit, from.profit),
    fees: subtract(to.fees, from.fees),
    fills: to.fills - from.fills,
  };
}

/** Checked by hand: there are hundreds of them at a start. Amounts are checked as they are parsed. */
function isDayLine(line: unknown): line is DayLine {
  if (typeof line !== 'object' || line === null) return false;
  const { day, currency, from, to, peak, drawdownMax, equity = '' } = line as Partial<DayLine>;
  const texts = [day, currency, peak, drawdownMax, equity, from?.profit, from?.fees, to?.profit, to?.fees];
  return (
    texts.every((text) => typeof text === 'string') &&
    dayShape.test(day ?? '') &&
    Number.isSafeInteger(from?.fills) &&
    Number.isSafeInteger(to?.fills)
  );
}

const dayShape = /^\d{4}-\d{2}-\d{2}$/;

/** Throws `BadInput` where an amount is none. */
function dayOf({ from, to, peak, drawdownMax, equity, ...day }: DayLine): Day {
  const sumsIn = ({ profit, fees, fills }: SumsText): Sums => ({
    profit: parseAmount(profit),
    fees: parseAmount(fees),
    fills,
  });
  return {
    ...day,
    from: sumsIn(from),
    to: sumsIn(to),
    peak: parseAmount(peak),
    drawdownMax: parseAmount(drawdownMax),
    equity: equity === undefined ? undefined : parseAmount(equity),
  };
}

function lineOf({ from, to, peak, drawdownMax, equity, ...day }: Day): DayLine {
  const sumsText = ({ profit, fees, fills }: Sums): SumsText => ({
    profit: formatAmount(profit),
    fees: formatAmount(fees),
    fills,
  });
  return {
    ...day,
    from: sumsText(from),
    to: sumsText(to),
    peak: formatAmount(peak),
    drawdownMax: formatAmount(drawdownMax),
    ...(equity !== undefined && { equity: formatAmount(equity) }),
  };
}
