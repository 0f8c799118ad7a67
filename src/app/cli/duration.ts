import { InvalidArgumentError } from 'commander';

const units: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** `60s`, `5m`, `250ms`, `2h` as milliseconds. */
export function durationMs(text: string): number {
  const match = /^(\d{1,9})(ms|s|m|h|d)$/.exec(text);
  const unit = units[match?.[2] ?? ''];
  if (match === null || unit === undefined)
    throw new InvalidArgumentError('expected a duration such as 60s, 5m or 2h.');
  return Number(match[1]) * unit;
}

/** A whole number from `low` to `high`. */
export function wholeNumber(low: number, high: number): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (!/^\d{1,15}$/.test(text) || value < low || value > high) {
      throw new InvalidArgumentError(`expected a whole number from ${low} to ${high}.`);
    }
    return value;
  };
}
