import { durationText, numberText } from './figure-text.ts';

const times = new Set(['µs', 'ms', 's', 'min', 'h', 'd']);
const shape = /^(-?[\d.]+) ?(\S*)(.*)$/;

/** Whether two shown values are of one unit, so that one can be taken from the other: not 1 USDT and 2 BTC. */
export function isComparable(a: string, b: string): boolean {
  const [one, other] = [kindOf(a), kindOf(b)];
  return one !== undefined && one === other;
}

/**
 * The change from one shown value to another, `+0.5 BTC`, in their unit. `difference` is that of the numbers behind them,
 * which are fractions where shares are shown, and microseconds where times are.
 */
export function changeText(a: string, b: string, difference: number): string {
  const kind = kindOf(a) ?? '';
  const sign = difference > 0 ? '+' : difference < 0 ? '-' : '';
  const size = Math.abs(difference);
  if (kind === 'time') return `${sign}${durationText(size)}`;
  if (kind === '%') return `${sign}${rounded(size * 100)} % points`;
  const scale = kind === 'bp' && isShare(a, b, size) ? 10_000 : 1;
  return `${sign}${rounded(size * scale)} ${kind}`.trimEnd();
}

/** Basis points of a fee or of slipped prices stand for a share of the price; those of markouts for themselves. */
function isShare(a: string, b: string, size: number): boolean {
  return size > 0 && size * 100 < Math.abs(Number.parseFloat(b) - Number.parseFloat(a));
}

/** `time`, or what stands behind the number. A range has two numbers, and no change. */
function kindOf(value: string): string | undefined {
  const [, , unit = '', rest = ''] = shape.exec(value) ?? ['', '', undefined];
  if (!shape.test(value) || rest.startsWith(' to ')) return undefined;
  if (unit === 'of') return '';
  return times.has(unit) ? 'time' : unit;
}

function rounded(value: number): string {
  return numberText(Number(value.toPrecision(6)));
}
