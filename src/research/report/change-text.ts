import { Decimal } from '../../core/base/decimal.ts';
import { basisPointText, durationText, numberText } from './figure-text.ts';

const times = new Set(['µs', 'ms', 's', 'min', 'h', 'd']);
const shape = /^(-?[\d.]+) ?(\S*)(.*)$/;

/** Whether two shown values are of one unit, so that one can be taken from the other: not 1 USDT and 2 BTC. */
export function isComparable(a: string, b: string): boolean {
  const [one, other] = [kindOf(a), kindOf(b)];
  return one !== undefined && one === other;
}

/** A figure as shown, `0.5 BTC`, and the number behind it: a fraction of a share, microseconds of a time. */
export interface ShownNumber {
  readonly value: string;
  readonly number: number;
}

/** From one figure to another: the numbers behind them, and in their unit, `+0.5 BTC`. */
export interface Change {
  readonly difference: number;
  readonly change: string;
}

/** What changed between two comparable figures: to the last digit where both are shown to theirs. */
export function changeOf(a: ShownNumber, b: ShownNumber): Change {
  const exact =
    isExact(a) && isExact(b) ? new Decimal(digitsOf(b.value)).minus(digitsOf(a.value)) : undefined;
  const difference = exact?.toNumber() ?? subtracted(a.number, b.number);
  const kind = kindOf(a.value) ?? '';
  const sign = difference > 0 ? '+' : difference < 0 ? '-' : '';
  const size = Math.abs(difference);
  const change = (text: string): Change => ({ difference, change: `${sign}${text}`.trimEnd() });
  if (exact !== undefined) return change(`${exact.abs().toFixed()} ${inPoints(kind)}`);
  if (kind === 'time') return change(durationText(size));
  if (kind === '%') return change(`${numberText(size * 100)} ${inPoints(kind)}`);
  const scale = kind === 'bp' && isShare(a) && isShare(b) ? 10_000 : 1;
  return change(`${numberText(size * scale)} ${kind}`);
}

function inPoints(kind: string): string {
  return kind === '%' ? '% points' : kind;
}

/** Whether the text has every digit of the number, and not fewer of them or another unit. */
function isExact({ value, number }: ShownNumber): boolean {
  return kindOf(value) !== 'time' && Number(digitsOf(value)) === number;
}

function digitsOf(value: string): string {
  return shape.exec(value)?.[1] ?? '';
}

/** The digits a double has. */
const digitsMax = 15;

/** `b` less `a`, without the digits below those that the larger of both has. */
function subtracted(a: number, b: number): number {
  const largest = Math.max(Math.abs(a), Math.abs(b));
  if (largest === 0) return 0;
  const decimals = digitsMax - 1 - Math.floor(Math.log10(largest));
  return decimals > 100 ? b - a : Number((b - a).toFixed(Math.max(0, decimals)));
}

/** Basis points of a fee are told of a share of the price; those of markouts and slipped prices of themselves. */
function isShare({ value, number }: ShownNumber): boolean {
  return value.startsWith(basisPointText(number * 10_000));
}

/** `time`, or what stands behind the number. A range has two numbers, and no change. */
function kindOf(value: string): string | undefined {
  const [, , unit = '', rest = ''] = shape.exec(value) ?? ['', '', undefined];
  if (!shape.test(value) || rest.startsWith(' to ')) return undefined;
  if (unit === 'of') return '';
  return times.has(unit) ? 'time' : unit;
}
