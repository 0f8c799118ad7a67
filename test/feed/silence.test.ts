import { describe, expect, test } from 'vitest';
import type { Micros } from '../../src/base/clock.ts';
import { Silence } from '../../src/feed/silence.ts';
import type { InstrumentId } from '../../src/model/instrument.ts';

const at = (time: number): Micros => time as Micros;
const one = 1 as InstrumentId;
const two = 2 as InstrumentId;

describe('silence', () => {
  test('names the feeds not heard for longer than the limit, and no others', () => {
    const silence = new Silence(at(10));
    silence.expect(one, at(0));
    silence.expect(two, at(5));
    expect(silence.silent(at(10))).toEqual([]);
    expect(silence.silent(at(11))).toEqual([one]);
    silence.heard(one, at(12), at(0));
    expect(silence.silent(at(16))).toEqual([two]);
    silence.forget(two);
    expect(silence.silent(at(99))).toEqual([one]);
    expect([silence.age(one, at(99)), silence.age(two, at(99))]).toEqual([87, undefined]);
  });

  test('does not judge a feed that nobody expects', () => {
    const silence = new Silence(at(10));
    silence.heard(one, at(0), at(3));
    expect(silence.silent(at(1_000))).toEqual([]);
    expect(silence.late(at(0))).toEqual([]);
  });

  test('names feeds that arrive ever later, whatever the clocks differ by', () => {
    const silence = new Silence(at(1_000));
    silence.expect(one, at(0));
    silence.expect(two, at(0));
    silence.heard(one, at(1), at(-40_000));
    silence.heard(two, at(2), at(-39_000));
    expect(silence.late(at(1_000))).toEqual([]);
    silence.heard(two, at(3), at(-38_999));
    expect(silence.late(at(1_000))).toEqual([two]);
    silence.resetDelays();
    silence.heard(two, at(4), at(-20_000));
    expect(silence.late(at(1_000))).toEqual([]);
  });
});
