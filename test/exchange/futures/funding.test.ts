import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Amount } from '../../../src/core/base/amount.ts';
import { formatAmount, parseAmount } from '../../../src/core/base/amount.ts';
import type { Micros } from '../../../src/core/base/clock.ts';
import { seconds } from '../../../src/core/base/clock.ts';
import { Instruments } from '../../../src/core/model/instrument.ts';
import { contractSpec } from '../../../src/exchange/futures/contract-specs.ts';
import { PerpetualContract } from '../../../src/exchange/futures/contract.ts';
import {
  fundingRateOf,
  markPriceOf,
  meanRate,
  nextFundingAfter,
} from '../../../src/exchange/futures/funding.ts';
import { premiumOf, toTick } from '../../../src/exchange/futures/funding.ts';
import { defaultContracts } from '../../../src/exchange/futures/options.ts';

const now = seconds(Date.parse('2024-01-02T03:00:00Z') / 1_000);
const options = defaultContracts(now, { quarterly: false })[0] as ReturnType<typeof defaultContracts>[number];
const instrument = new Instruments([contractSpec(options, now)]).get('BTCUSDT_PERP');
const amount = parseAmount;
const at = (text: string) => (Date.parse(text) * 1_000) as Micros;
const hours = (count: number) => seconds(count * 3_600);
const eightHours = hours(8);
const terms = (floor?: string, period = eightHours) => ({
  interest: amount('0.0001'),
  floor: floor === undefined ? undefined : amount(floor),
  period,
});

describe('funding', () => {
  test.each([
    ['2024-01-02T00:00:00.000Z', '2024-01-02T08:00:00.000Z'],
    ['2024-01-02T07:59:59.999Z', '2024-01-02T08:00:00.000Z'],
    ['2024-01-02T15:00:00.000Z', '2024-01-02T16:00:00.000Z'],
    ['2024-01-02T16:00:00.000Z', '2024-01-03T00:00:00.000Z'],
  ])('after %s the next settlement is %s', (now, next) => {
    expect(nextFundingAfter(at(now), eightHours)).toBe(at(next));
  });

  test.each([
    ['0', '0.0001'],
    ['0.0004', '0.0001'],
    ['0.0006', '0.0001'],
    ['0.0007', '0.0002'],
    ['-0.0004', '0.0001'],
    ['-0.0005', '0'],
    ['-0.01', '-0.0095'],
  ])('an average premium of %s gives the rate %s', (average, rate) => {
    expect(formatAmount(fundingRateOf(amount(average), terms()))).toBe(rate);
  });

  test('a shorter period has its part of the rate of eight hours, the whole of it counts at its begin', () => {
    const minute = seconds(60);
    expect(nextFundingAfter(at('2024-01-02T07:59:59.999Z'), minute)).toBe(at('2024-01-02T08:00:00Z'));
    expect(nextFundingAfter(at('2024-01-02T08:00:00Z'), minute)).toBe(at('2024-01-02T08:01:00Z'));
    expect(formatAmount(fundingRateOf(amount('0.0053'), terms(undefined, hours(1))))).toBe('0.0006');
    expect(formatAmount(fundingRateOf(amount('-0.01'), terms('-0.0048', minute)))).toBe('-0.00001');
    const mark = (left: number) =>
      formatAmount(
        markPriceOf(instrument, amount('64000'), amount('0.001'), { left: seconds(left), period: minute }),
      );
    expect([mark(60), mark(15), mark(0)]).toEqual(['64064', '64016', '64000']);
  });

  test('a contract may have a floor', () => {
    expect(formatAmount(fundingRateOf(amount('-0.01'), terms('-0.003')))).toBe('-0.003');
  });

  test.each([
    ['64000', '0.0001', 8, '64006.4'],
    ['64000', '0.0001', 4, '64003.2'],
    ['64000', '0.0001', 0, '64000'],
    ['64000', '-0.0095', 8, '63392'],
    ['64000.01', '0.0001', 1, '64000.81'],
  ])('the mark of an index %s at rate %s with %i hours left is %s', (index, rate, left, mark) => {
    const found = markPriceOf(instrument, amount(index), amount(rate), {
      left: hours(left),
      period: eightHours,
    });
    expect(formatAmount(found)).toBe(mark);
  });

  test('premiums are fractions of the index, means are cut at 18 decimals, prices go to the nearest tick', () => {
    expect(formatAmount(premiumOf(amount('64064'), amount('64000')))).toBe('0.001');
    expect(formatAmount(premiumOf(amount('63999'), amount('64000')))).toBe('-0.000015625');
    expect(formatAmount(meanRate(amount('0.0001'), 3))).toBe('0.000033333333333333');
    expect(formatAmount(meanRate(amount('0'), 0))).toBe('0');
    expect(formatAmount(toTick(instrument, amount('64000.005')))).toBe('64000.01');
    expect(formatAmount(toTick(instrument, amount('0.001')))).toBe('0.01');
  });

  test('a rate stays between what premium and interest allow, whatever the premium', () => {
    // As published: with 18 decimals.
    const rate = fc
      .bigInt({ min: -(10n ** 17n), max: 10n ** 17n })
      .map((value) => (value * 10n ** 6n) as Amount);
    fc.assert(
      fc.property(rate, rate, (average, interest) => {
        const found = fundingRateOf(average, { interest, floor: undefined, period: eightHours });
        const away = found - average;
        const clamp = amount('0.0005');
        expect(away <= clamp && away >= -clamp).toBe(true);
        expect(found === interest || away === clamp || away === -clamp).toBe(true);
      }),
    );
  });
});

describe('a contract', () => {
  const fresh = (now: Micros) =>
    new PerpetualContract({
      instrument,
      options,
      candlesMax: 100,
      fundingRowsMax: 3,
      fundingPeriod: eightHours,
      now,
    });
  const sight = (index: string | undefined, price?: string) => ({
    index: index === undefined ? undefined : amount(index),
    price: price === undefined ? undefined : amount(price),
    openInterest: amount('1.5'),
  });

  test('has nothing to show before its underlying has a price', () => {
    const contract = fresh(at('2024-01-02T03:00:00Z'));
    contract.look(at('2024-01-02T03:00:00Z'), sight(undefined, '64000'));
    expect(contract.state).toBeUndefined();
    contract.look(at('2024-01-02T03:00:03Z'), sight('64000'));
    expect(contract.state).toMatchObject({ premiumIndex: 0n, contractType: 'perpetual' });
  });

  test('settles the mean of all its premiums at 08:00, and starts anew', () => {
    const contract = fresh(at('2024-01-02T07:59:50Z'));
    contract.look(at('2024-01-02T07:59:53Z'), sight('64000', '64064'));
    contract.look(at('2024-01-02T07:59:56Z'), sight('64000', '64128'));
    expect(contract.state).toMatchObject({
      avgPremiumIndex: amount('0.0015'),
      indicativeFundingRate: amount('0.001'),
      fundingRate: amount('0.0001'),
    });
    expect(contract.funding.size).toBe(0);
    contract.look(at('2024-01-02T08:00:00Z'), sight('64000', '64000'));
    expect(contract.funding.last).toEqual({
      time: at('2024-01-02T08:00:00Z'),
      fundingRate: amount('0.001'),
      avgPremiumIndex: amount('0.0015'),
      nextFundingTime: at('2024-01-02T16:00:00Z'),
      interestRate: amount('0.0001'),
    });
    expect(contract.state).toMatchObject({
      fundingRate: amount('0.001'),
      avgPremiumIndex: 0n,
      markPrice: amount('64064'),
      nextFundingTime: at('2024-01-02T16:00:00Z'),
    });
  });

  test('keeps a bounded number of settlements, and none of a period without prices', () => {
    let now = at('2024-01-02T00:00:00Z');
    const contract = fresh(now);
    for (let i = 0; i < 5; i++) {
      now = (now + hours(8)) as Micros;
      contract.look(now, sight('64000'));
    }
    expect(contract.funding.size).toBe(3);
    contract.look((now + hours(8)) as Micros, sight(undefined));
    contract.look((now + hours(16)) as Micros, sight('64000'));
    expect(contract.funding.last?.time).toBe(now + hours(8));
    expect(contract.nextDue).toBe(now + hours(24));
  });

  test('makes candles of every value', () => {
    const contract = fresh(at('2024-01-02T03:00:00Z'));
    contract.look(at('2024-01-02T03:00:00Z'), sight('64000'));
    contract.look(at('2024-01-02T03:00:03Z'), sight('64010', '64020'));
    contract.look(at('2024-01-02T03:00:06Z'), sight('63990'));
    contract.look(at('2024-01-02T03:01:00Z'), sight('64001'));
    const bars = contract.candles.bars('index_price', 'M1');
    expect(bars.size).toBe(2);
    expect(bars.at(0)).toEqual({
      time: at('2024-01-02T03:00:00Z'),
      open: amount('64000'),
      close: amount('63990'),
      min: amount('63990'),
      max: amount('64010'),
    });
    expect(contract.candles.bars('open_interest', 'H1').last).toMatchObject({ close: amount('1.5') });
    expect(contract.candles.bars('premium_index', 'M1').at(0)).toMatchObject({ open: 0n, close: 0n });
    expect(contract.candles.bars('mark_price', '1M').size).toBe(1);
  });
});
