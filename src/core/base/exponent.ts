import { withoutZeros } from './number-text.ts';
const exponential = /^(-?)(\d{1,60})(?:\.(\d{0,60}))?[eE]([+-]?\d{1,2})$/;

/**
 * Decimal text without an exponent: `1e-7`, as other decimal libraries print it, is `0.0000001`. Other text stays as it is.
 * It moves the point of the text, so that nothing is rounded.
 */
export function withoutExponent(text: string): string {
  const match = exponential.exec(text);
  if (match === null) return text;
  const [, sign = '', whole = '', fraction = '', exponent = ''] = match;
  const point = whole.length + Number(exponent);
  const digits = '0'.repeat(Math.max(0, 1 - point)) + whole + fraction;
  const padded = digits.padEnd(point, '0');
  const at = Math.max(1, point);
  const [before, after] = [padded.slice(0, at), padded.slice(at)];
  const plain = withoutZeros(`${before}.${after}`.replace(/^0+(?=\d)/, ''));
  return plain === '0' ? '0' : sign + plain;
}
