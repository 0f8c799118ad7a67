import { describe, expect, test } from 'vitest';
import type { Amount } from '../../../src/core/base/amount.ts';
import { parseAmount, zero } from '../../../src/core/base/amount.ts';
import { micros } from '../../../src/core/base/clock.ts';
import { beforeOf, compareBalances, differencesOf } from '../../../src/app/audit/compare.ts';
import type { MarginSums, SessionAccount } from '../../../src/app/audit/session-account.ts';
import { executionKey } from '../../../src/core/model/difference.ts';
import type { OwnTrade } from '../../../src/core/model/event.ts';
import type { Lots, Ticks } from '../../../src/core/model/instrument.ts';
import { Instruments } from '../../../src/core/model/instrument.ts';
import type { ClientOrderId } from '../../../src/core/model/order.ts';

const instruments = new Instruments([
  {
    symbol: 'AAABBB',
    type: 'spot',
    baseCurrency: 'AAA',
    quoteCurrency: 'BBB',
    feeCurrency: 'BBB',
    tickSize: '1',
    quantityIncrement: '1',
    takeRate: '0.001',
    makeRate: '0',
    marginTrading: false,
    status: 'working',
  },
]);

function trade(over: Partial<OwnTrade>): OwnTrade {
  const instrument = instruments.at(0 as never).id;
  const of = { instrument, clientOrderId: 'one' as ClientOrderId, venueOrderId: '1', side: 'buy' } as const;
  const terms = { price: 100 as Ticks, quantity: 2 as Lots, fee: parseAmount('0.2'), taker: true };
  return { tradeId: '1', ...terms, time: micros(2_000_000), ...of, ...over };
}

function sums(rows: Readonly<Record<string, string>>): Map<string, Amount> {
  return new Map(Object.entries(rows).map(([key, amount]) => [key, parseAmount(amount)]));
}

function margin(over: Partial<MarginSums> = {}): MarginSums {
  return {
    realized: new Map(),
    adopted: new Map(),
    charges: new Map(),
    derived: new Map(),
    cuts: new Map(),
    ...over,
  };
}

interface Session {
  readonly fills: readonly OwnTrade[];
  readonly opening: Readonly<Record<string, string>>;
  readonly closing: Readonly<Record<string, string>>;
  readonly seenAt?: number;
  readonly margin?: MarginSums;
  readonly heard?: SessionAccount['heard'];
  readonly before?: SessionAccount['before'];
}

/** What a journal came to; opening balances are of second 1. */
function accountOf({ fills, opening, closing, seenAt = 9, ...session }: Session): SessionAccount {
  return {
    started: undefined as never,
    end: micros(10_000_000),
    running: false,
    instruments,
    fills,
    openedAt: new Map([['spot', micros(1_000_000)]]),
    opening: sums(opening),
    closing: sums(closing),
    seenAt: new Map(Object.keys(closing).map((key) => [key, micros(seenAt * 1_000_000)])),
    margin: session.margin ?? margin(),
    heard: session.heard ?? { fills: new Set(fills.map(executionKey)), margin: session.margin ?? margin() },
    moved: new Map(),
    before: session.before ?? new Map(),
    explained: [],
    acts: [],
    notes: [],
  };
}

/** What does not agree by the journal alone. */
function differences(session: Session): readonly string[] {
  return compareBalances(accountOf(session), undefined, new Map())
    .filter(({ difference }) => difference !== '0')
    .map(({ currency, difference }) => `${difference} ${currency}`);
}

const spent = { 'spot AAA': '2', 'spot BBB': '799.8' };
const begun = { 'spot BBB': '1000' };

describe('balances of a session', () => {
  test('agree to the last digit, or differ by what is missing', () => {
    expect(differences({ fills: [trade({})], opening: begun, closing: spent })).toEqual([]);
    const less = { ...spent, 'spot BBB': '799.799999999999' };
    expect(differences({ fills: [trade({})], opening: begun, closing: less })).toEqual([
      '-0.000000000001 BBB',
    ]);
  });

  test('have the fee of a trade on margin that came after the last report of the wallet: the account pays it', () => {
    const fills = [trade({ marginMode: 'isolated', time: micros(9_500_000) })];
    const closing = { 'spot BBB': '999.8' };
    expect(differences({ fills, opening: begun, closing, seenAt: 5 })).toEqual([]);
  });

  test('have a trade of about the time of the last report, or have it not', () => {
    const fills = [trade({ time: micros(5_100_000) })];
    expect(differences({ fills, opening: begun, closing: spent, seenAt: 5 })).toEqual([]);
    expect(differences({ fills, opening: begun, closing: begun, seenAt: 5 })).toEqual([]);
  });

  test('begin before what was received after the opening balances, though the clock of the venue is behind', () => {
    const fills = [trade({ time: micros(500_000) })];
    expect(differences({ fills, opening: begun, closing: spent })).toEqual([]);
    const none = { fills: new Set<string>(), margin: margin() };
    expect(differences({ fills, opening: spent, closing: spent, heard: none })).toEqual([]);
  });

  test('begin between two trades of about that time, whichever of them was reported before, and counts none twice', () => {
    const [early, late] = [
      trade({ time: micros(1_200_000) }),
      trade({ tradeId: 't2', time: micros(1_300_000) }),
    ];
    const session = {
      fills: [early, late],
      heard: { fills: new Set([executionKey(early)]), margin: margin() },
    };
    const both = { 'spot AAA': '4', 'spot BBB': '599.6' };
    for (const [opening, closing] of [
      [begun, both],
      [spent, both],
      [both, both],
    ] as const)
      expect(differences({ ...session, opening, closing })).toEqual([]);
    const far = [
      { ...early, time: micros(3_000_000) },
      { ...late, time: micros(4_000_000) },
    ];
    expect(differences({ fills: far, opening: both, closing: both })).toHaveLength(2);
  });

  test('may be apart by digits that are cut, as often as amounts of margin accounts were read', () => {
    const charges = sums({ 'spot BBB': '1' });
    const closing = { 'spot BBB': '999.000000000009' };
    const cuts = new Map([['spot BBB', 4]]);
    expect(differences({ fills: [], opening: begun, closing, margin: margin({ charges, cuts }) })).toEqual(
      [],
    );
    expect(differences({ fills: [], opening: begun, closing, margin: margin({ charges }) })).toEqual([
      '0.000000000009 BBB',
    ]);
  });

  test('may have from the beginning a charge that looks alone showed', () => {
    const derived = sums({ 'spot BBB': '0.2' });
    const of = margin({ charges: sums({ 'spot BBB': '0.5' }), derived });
    for (const [closing, expected] of [
      ['999.5', 0],
      ['999.7', 0],
      ['999.8', 1],
    ] as const)
      expect(
        differences({ fills: [], opening: begun, closing: { 'spot BBB': closing }, margin: of }),
        closing,
      ).toHaveLength(expected);
  });

  test('may have from the beginning what was taken over from the venue later', () => {
    const adopted = sums({ 'spot BBB': '-7' });
    const cuts = new Map([['spot BBB', 1]]);
    const of = margin({ realized: sums({ 'spot BBB': '-7' }), adopted, cuts });
    expect(differences({ fills: [], opening: begun, closing: begun, margin: of })).toEqual([]);
    expect(differences({ fills: [], opening: begun, closing: { 'spot BBB': '993' }, margin: of })).toEqual(
      [],
    );
    expect(differences({ fills: [], opening: begun, closing: { 'spot BBB': '995' }, margin: of })).toEqual([
      '2 BBB',
    ]);
  });

  test('name what was before the opening balances and booked later; what is beyond it differs', () => {
    const before = new Map([['spot BBB', { least: parseAmount('-0.5'), most: parseAmount('0.1') }]]);
    const said = (closing: string): readonly (readonly string[])[] => {
      const account = accountOf({ fills: [], opening: begun, closing: { 'spot BBB': closing }, before });
      const rows = compareBalances(account, undefined, new Map());
      return [beforeOf(account, rows), differencesOf(account, [], rows)];
    };
    const sentence = (part: string): string =>
      `${part} BBB, spot wallet, by the journal: it moved before the opening balances and was booked later, as part of charges, unexplained money or corrections, by which it may be from -0.5 to 0.1`;
    expect(said('1000')).toEqual([[], []]);
    expect(said('999.6')).toEqual([[sentence('-0.4')], []]);
    expect(said('1000.1')).toEqual([[sentence('0.1')], []]);
    expect(said('998.5')).toEqual([
      [sentence('-0.5')],
      ['BBB of the spot wallet: 998.5 by the journal, 1000 expected, -1 between'],
    ]);
    expect(said('1000.3')).toEqual([
      [sentence('0.1')],
      ['BBB of the spot wallet: 1000.3 by the journal, 1000 expected, 0.2 between'],
    ]);
  });

  test('are read first so that nothing is of before the opening balances', () => {
    const adopted = sums({ 'spot BBB': '-7' });
    const of = margin({ realized: sums({ 'spot BBB': '-7' }), adopted });
    const before = new Map([['spot BBB', { least: zero, most: parseAmount('8') }]]);
    const account = accountOf({ fills: [], opening: begun, closing: begun, margin: of, before });
    expect(beforeOf(account, compareBalances(account, undefined, new Map()))).toEqual([]);
  });
});
