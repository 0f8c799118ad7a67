import { describe, expect, test } from 'vitest';
import type { Micros } from '../../../src/core/base/clock.ts';
import { millis, seconds } from '../../../src/core/base/clock.ts';
import { ClockOffset } from '../../../src/venues/net/clock-offset.ts';
import { readTime } from '../../../src/venues/hitbtc/wire/formats.ts';

describe('the clock offset', () => {
  const at = seconds(1_700_000_000);
  const iso = (time: number): string => new Date(time / 1_000).toISOString();

  test('is nothing while the clocks agree within what can be measured', () => {
    const offset = new ClockOffset(readTime);
    expect(offset.note(iso(at + millis(300)), at, (at + millis(100)) as Micros)).toBe(false);
    expect(offset.note(new Date(at / 1_000).toUTCString(), at, (at + millis(900)) as Micros)).toBe(false);
    expect(offset.offset).toBe(0);
  });

  test('is measured from a stamp and from a Date header, and forgotten when the clock is right again', () => {
    const offset = new ClockOffset(readTime);
    expect(offset.note(iso(at + seconds(5)), at, at)).toBe(true);
    expect(offset.offset).toBe(seconds(5));
    expect(offset.note(new Date((at - seconds(30)) / 1_000).toUTCString(), at, at)).toBe(true);
    expect(offset.offset).toBe(-seconds(29.5));
    expect(offset.note(iso(at), at, at)).toBe(true);
    expect(offset.offset).toBe(0);
  });

  test('is not moved by nonsense, nor by a clock that stepped back meanwhile', () => {
    const offset = new ClockOffset(readTime);
    expect(offset.note('soon', at, at)).toBe(false);
    expect(offset.note(iso(at + seconds(50)), at, (at - 1) as Micros)).toBe(false);
  });
});
