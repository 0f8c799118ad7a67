import type { Amount } from '../../../core/base/amount.ts';
import { formatAmount, formatAmountFixed } from '../../../core/base/amount.ts';
import type { FigureKey } from './definitions.ts';
import { definitions } from './definitions.ts';
import type { ReportDocument, ReportFigure } from './document.ts';
import type { Figure } from '../../statistics/figure.ts';
import { insufficientSample } from '../../statistics/figure.ts';

/** A figure that is there. `number` is left out when it is none. */
export function figureWith(
  key: FigureKey,
  value: string,
  more: { number?: number; group?: string | undefined } = {},
): ReportFigure {
  return { ...headOf(key, more.group), value, ...(more.number === undefined ? {} : { number: more.number }) };
}

/** A figure that is not figureWith, and why. */
export function absent(key: FigureKey, reason: string, group?: string): ReportFigure {
  return { ...headOf(key, group), reason };
}

/** A statistic as a figure, by a way to print its number. */
export function statistic(
  key: FigureKey,
  figure: Figure,
  print: (value: number) => string,
  group?: string,
): ReportFigure {
  return figure.value === undefined
    ? absent(key, figure.reason, group)
    : figureWith(key, print(figure.value), { number: figure.value, group });
}

/** A number when there are enough samples behind it and it is one. */
export function sampled(
  key: FigureKey,
  of: { readonly have: number; readonly needed: number; readonly what: string; readonly value: () => number },
  print: (value: number) => string,
): ReportFigure {
  const { have, needed, what } = of;
  if (have < needed) return absent(key, insufficientSample(needed, what, have));
  const value = of.value();
  return Number.isFinite(value)
    ? figureWith(key, print(value), { number: value })
    : absent(key, `no ${what} had a price`);
}

function headOf(
  key: FigureKey,
  group: string | undefined,
): Pick<ReportFigure, 'key' | 'label' | 'definition' | 'group'> {
  const { label, definition } = definitions[key];
  return { key, label, definition, ...(group === undefined ? {} : { group }) };
}

/** A fraction in per cent. */
export function percentText(fraction: number): string {
  return `${trimmed(fraction * 100, 2)} %`;
}

export function ratioText(value: number): string {
  return trimmed(value, 2);
}

export function basisPointText(value: number): string {
  return `${trimmed(value, 2)} bp`;
}

/** Money of a currency, with seven digits that mean something. */
export function moneyText(currency: string): (value: number) => string {
  return (value) => `${numberText(value)} ${currency}`.trimEnd();
}

/** More decimals than products of prices, quantities and rates have: what divided by a price left behind. */
const exactDecimalsMax = 16;
const cutDecimals = 12;

/** An amount to the last digit; one that was divided by prices, as those of inverse contracts are, cut to 12 decimals. */
export function amountText(amount: Amount, currency: string): string {
  const exact = formatAmount(amount);
  const decimals = exact.length - 1 - exact.indexOf('.');
  if (!exact.includes('.') || decimals <= exactDecimalsMax) return `${exact} ${currency}`;
  return `${formatAmountFixed(amount, cutDecimals).replace(/\.?0+$/, '')} ${currency}`;
}

/** Seven significant digits without an exponent and without trailing zeros. */
export function numberText(value: number): string {
  if (value === 0) return '0';
  const size = Math.floor(Math.log10(Math.abs(value)));
  return trimmed(value, Math.min(18, Math.max(0, 6 - size))).replace(/\.0+$/, '');
}

/** Microseconds in the unit a person would choose. */
export function durationText(micros: number): string {
  const ms = micros / 1_000;
  if (ms < 1) return `${trimmed(micros, 0)} µs`;
  if (ms < 1_000) return `${trimmed(ms, ms < 10 ? 2 : 1)} ms`;
  const seconds = ms / 1_000;
  if (seconds < 120) return `${trimmed(seconds, 2)} s`;
  if (seconds < 7_200) return `${trimmed(seconds / 60, 1)} min`;
  if (seconds < 172_800) return `${trimmed(seconds / 3_600, 1)} h`;
  return `${trimmed(seconds / 86_400, 1)} d`;
}

/** `2026-11-21 01:00:08 to 01:02:08 UTC, 120 s`. */
export function spanText({ start, end, seconds }: NonNullable<ReportDocument['span']>): string {
  const from = start.slice(0, 19).replace('T', ' ');
  const to = end.slice(0, 10) === start.slice(0, 10) ? end.slice(11, 19) : end.slice(0, 19).replace('T', ' ');
  return `${from} to ${to} UTC, ${durationText(seconds * 1_000_000)}`;
}

/** Fixed digits; trailing zeros of more than two go, and nothing is "-0". */
function trimmed(value: number, digits: number): string {
  const text = value.toFixed(digits);
  const short = digits > 2 && text.includes('.') ? text.replace(/\.?0+$/, '') : text;
  return /[1-9]/.test(short) ? short : short.replace('-', '');
}
