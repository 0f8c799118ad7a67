import type { Amount } from '../base/amount.ts';
import { formatAmount, parseAmount } from '../base/amount.ts';
import { microsPerSecond } from '../base/clock.ts';
import { BadInput } from '../base/errors.ts';
import type { Instrument, Lots, Ticks } from './instrument.ts';
import type { BarSpec, CandlePeriod } from './market.ts';
import { candlePeriods } from './market.ts';

/** End of a bar: with its time, or with the trade that brings it to its size. */
export type BarRule =
  /** Length in microseconds; 0 for the calendar month. */
  | { readonly by: 'time'; readonly length: number }
  /** Trades, or ticks from the lowest to the highest price. */
  | { readonly by: 'tick' | 'range'; readonly size: number }
  /** Units of base currency, or of quote currency. */
  | { readonly by: 'volume' | 'value'; readonly size: Amount };

const minute = 60 * microsPerSecond;
const day = 1_440 * minute;

/** Microseconds of every candle period; 0 for the calendar month, which has no length. */
export const candleLengths: Readonly<Record<CandlePeriod, number>> = {
  M1: minute,
  M3: 3 * minute,
  M5: 5 * minute,
  M15: 15 * minute,
  M30: 30 * minute,
  H1: 60 * minute,
  H4: 240 * minute,
  D1: day,
  D7: 7 * day,
  '1M': 0,
};

const units = { w: 7 * day, d: day, h: 60 * minute, m: minute, s: microsPerSecond } as const;
/** A bar of more than ten years would hold all data there are. */
const lengthMax = 3_640 * day;
const countMax = 1_000_000_000;

const numberForms = {
  time: /^(-?\d{1,9})([smhdw])$/,
  count: /^(tick|range):(-?\d{1,12})$/,
  amount: /^(volume|value):(-?\d{1,20}(?:\.\d{1,18})?)$/,
} as const;

/** Texts of bars, as a sentence names them. */
export const barForms =
  'a candle period (M1, H1, ...), a length such as 45m, 90s or 2w, tick:100, volume:2.5, value:100000 or range:20';

interface ReadBar {
  /** The one name of these bars: `H1` for `60m`. */
  readonly spec: BarSpec;
  readonly rule: BarRule;
}

/** Few texts are asked for often; a program that makes up texts does not fill the memory. */
const read = new Map<string, ReadBar>();
const readMax = 1_000;

/** Reads the text of bars. Throws `BadInput` with what was expected and what was found. */
export function barRuleOf(text: string): BarRule {
  return readBar(text).rule;
}

/** The one name of these bars: `H1` for `60m`, `2m` for `120s`, `volume:2.5` for `volume:2.50`. Throws `BadInput`. */
export function barNameOf(text: string): BarSpec {
  return readBar(text).spec;
}

/** The name of bars of a length in microseconds; `undefined` when it is no whole number of seconds, or of more than ten years. */
export function timeBarOf(length: number): BarSpec | undefined {
  const venue = candlePeriods.find((period) => candleLengths[period] === length);
  if (venue !== undefined) return venue;
  if (length < microsPerSecond || length > lengthMax || length % microsPerSecond !== 0) return undefined;
  const unit = (['w', 'd', 'h', 'm'] as const).find((one) => length % units[one] === 0) ?? 's';
  return `${length / units[unit]}${unit}`;
}

/** Length of bars by time in microseconds, 0 for the calendar month; `undefined` for bars that end with a trade. */
export function barLengthOf(spec: BarSpec): number | undefined {
  const { rule } = readBar(spec);
  return rule.by === 'time' ? rule.length : undefined;
}

/** Whether bars end with a trade instead of with a time. */
export function endsWithTrade(spec: BarSpec): boolean {
  return readBar(spec).rule.by !== 'time';
}

/** Expectation that a text of bars does not meet, as part of a sentence; `undefined` where it is. */
export function barFault(text: string): string | undefined {
  const bar = read.get(text) ?? parseBar(text);
  return typeof bar === 'string' ? bar : undefined;
}

/** Expectation that is not met where less than the smallest trade of an instrument would make such a bar; `undefined` where it is larger. */
export function barSizeFault(spec: BarSpec, instrument: Instrument): string | undefined {
  const { rule } = readBar(spec);
  if (rule.by !== 'volume' && rule.by !== 'value') return undefined;
  const { symbol, spec: grid, contract } = instrument;
  if (rule.by === 'volume')
    return rule.size >= instrument.quantityAmount(1 as Lots)
      ? undefined
      : `expected a volume of ${grid.quantityIncrement} or more, the quantity increment of ${symbol}`;
  const least = instrument.notional(1 as Ticks, 1 as Lots);
  return contract.isInverse || rule.size >= least
    ? undefined
    : `expected a value of ${formatAmount(least)} or more, the smallest trade of ${symbol}`;
}

function readBar(text: string): ReadBar {
  const known = read.get(text);
  if (known !== undefined) return known;
  const bar = parseBar(text);
  if (typeof bar === 'string') throw new BadInput(`${bar}, found ${JSON.stringify(text)}`);
  if (read.size >= readMax) read.clear();
  read.set(text, bar);
  return bar;
}

/** The bars, or what was expected. */
function parseBar(text: string): ReadBar | string {
  const period = candlePeriods.find((one) => one === text);
  if (period !== undefined) return { spec: period, rule: { by: 'time', length: candleLengths[period] } };
  const time = numberForms.time.exec(text);
  if (time !== null) return timeBar(Number(time[1]) * units[time[2] as keyof typeof units]);
  const count = numberForms.count.exec(text);
  if (count !== null) return countBar(count[1] as 'tick' | 'range', Number(count[2]));
  const amount = numberForms.amount.exec(text);
  if (amount !== null) return amountBar(amount[1] as 'volume' | 'value', parseAmount(amount[2] as string));
  return `expected ${barForms}`;
}

function timeBar(length: number): ReadBar | string {
  const spec = length > 0 ? timeBarOf(length) : undefined;
  if (spec === undefined) return 'expected bars of 1s to 520w';
  return { spec, rule: { by: 'time', length } };
}

function countBar(by: 'tick' | 'range', size: number): ReadBar | string {
  const what = by === 'tick' ? 'trades' : 'ticks of price';
  if (size < 1 || size > countMax) return `expected bars of 1 to 1000000000 ${what}`;
  return { spec: `${by}:${size}`, rule: { by, size } };
}

function amountBar(by: 'volume' | 'value', size: Amount): ReadBar | string {
  if (size <= 0n) return `expected bars of a ${by} above 0`;
  return { spec: `${by}:${formatAmount(size)}` as BarSpec, rule: { by, size } };
}
