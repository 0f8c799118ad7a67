import { withoutZeros } from '../../core/base/number-text.ts';
import { createHash } from 'node:crypto';

/** Value of a parameter in a sweep. */
export type ParamValue = number | string | boolean;

/** One set of parameters, by name, in the order of the space. */
export type Point = Readonly<Record<string, ParamValue>>;

/** Numbers between two bounds, both included. */
export interface NumberDimension {
  readonly kind: 'number';
  readonly name: string;
  readonly low: number;
  readonly high: number;
  /** Values are `low`, `low + step` and so on; without it any number is taken, to six digits. */
  readonly step: number | undefined;
  readonly log: boolean;
  /** The parameter itself is decimal text. */
  readonly isText: boolean;
}

/** One of a list. */
export interface ChoiceDimension {
  readonly kind: 'choice';
  readonly name: string;
  readonly choices: readonly ParamValue[];
}

export type Dimension = NumberDimension | ChoiceDimension;

/** The parameters that are searched, and which points the strategy itself takes. */
export interface Space {
  readonly dimensions: readonly Dimension[];
  /** Why the strategy refuses a point, in one sentence, or `undefined`. */
  refusal(point: Point): string | undefined;
}

/** How many values a dimension has; `Infinity` for numbers without a step. */
export function sizeOf(dimension: Dimension): number {
  if (dimension.kind === 'choice') return dimension.choices.length;
  if (dimension.step === undefined) return dimension.low === dimension.high ? 1 : Number.POSITIVE_INFINITY;
  return Math.floor((dimension.high - dimension.low) / dimension.step + 1e-9) + 1;
}

/** The value at `unit` (0 to 1) of a dimension: each of finitely many values has an equal part of it. */
export function dimensionValue(dimension: Dimension, unit: number): ParamValue {
  const inside = Math.min(1, Math.max(0, unit));
  if (dimension.kind === 'choice') {
    const index = Math.min(dimension.choices.length - 1, Math.floor(inside * dimension.choices.length));
    return dimension.choices[index] as ParamValue;
  }
  const { low, high, step } = dimension;
  if (step === undefined) return shaped(dimension, clamp(sixDigits(unscaled(dimension, inside)), low, high));
  if (dimension.log) return nth(dimension, Math.round((unscaled(dimension, inside) - low) / step));
  return nth(dimension, Math.min(sizeOf(dimension) - 1, Math.floor(inside * sizeOf(dimension))));
}

/** The middle of a value's part of 0 to 1. */
export function unitOf(dimension: Dimension, value: ParamValue): number {
  if (dimension.kind === 'choice') return (dimension.choices.indexOf(value) + 0.5) / dimension.choices.length;
  const { low, high, step } = dimension;
  const number = Number(value);
  if (high === low) return 0.5;
  if (step !== undefined && !dimension.log)
    return (Math.round((number - low) / step) + 0.5) / sizeOf(dimension);
  if (dimension.log) return Math.log(number / low) / Math.log(high / low);
  return (number - low) / (high - low);
}

/** The point at a place of the unit cube. */
export function pointAt({ dimensions }: Space, units: ArrayLike<number>): Point {
  return Object.fromEntries(
    dimensions.map((dimension, index) => [dimension.name, dimensionValue(dimension, units[index] ?? 0)]),
  );
}

/** The place of a point in the unit cube. */
export function unitPlace({ dimensions }: Space, point: Point): readonly number[] {
  return dimensions.map((dimension) => unitOf(dimension, point[dimension.name] as ParamValue));
}

/** Up to `countMax` values of a dimension, evenly spread, both ends included. */
export function dimensionValues(dimension: Dimension, countMax: number): readonly ParamValue[] {
  const size = sizeOf(dimension);
  if (dimension.kind === 'choice') return dimension.choices;
  if (dimension.step !== undefined) return Array.from({ length: size }, (_, index) => nth(dimension, index));
  if (size === 1) return [dimensionValue(dimension, 0)];
  const values = Array.from({ length: countMax }, (_, index) =>
    dimensionValue(dimension, index / (countMax - 1)),
  );
  return [...new Set(values)];
}

/** The same text for the same point, whatever made it. */
export function pointKey(point: Point): string {
  return JSON.stringify(Object.entries(point));
}

/** First 24 hexadecimal digits of the SHA-256 of the parts. */
export function digestOf(parts: readonly string[]): string {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(`${part.length}\n${part}\n`);
  return hash.digest('hex').slice(0, 24);
}

function nth(dimension: NumberDimension, index: number): ParamValue {
  const { low, step = 0 } = dimension;
  const inside = Math.min(sizeOf(dimension) - 1, Math.max(0, index));
  return shaped(dimension, Number((low + inside * step).toFixed(decimalsOf(low, step))));
}

function unscaled({ low, high, log }: NumberDimension, unit: number): number {
  return log ? low * (high / low) ** unit : low + unit * (high - low);
}

function shaped({ isText }: NumberDimension, value: number): ParamValue {
  return isText ? plainText(value) : value;
}

/** A number as plain decimal text, never with an exponent. */
function plainText(value: number): string {
  const text = String(value);
  return /e/.test(text) ? withoutZeros(value.toFixed(18)) : text;
}

function sixDigits(value: number): number {
  return Number(value.toPrecision(6));
}

function clamp(value: number, low: number, high: number): number {
  return Math.min(high, Math.max(low, value));
}

function decimalsOf(...values: readonly number[]): number {
  return Math.max(
    ...values.map((value) => {
      const [digits = '', exponent = '0'] = String(value).split('e');
      return Math.min(20, Math.max(0, (digits.split('.')[1]?.length ?? 0) - Number(exponent)));
    }),
  );
}
