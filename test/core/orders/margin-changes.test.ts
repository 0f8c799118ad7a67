import { describe, expect, test } from 'vitest';
import { parseAmount } from '../../../src/core/base/amount.ts';
import { millis, seconds } from '../../../src/core/base/clock.ts';
import type { Lots, Ticks } from '../../../src/core/model/instrument.ts';
import type { MarginChange } from '../../../src/core/model/margin.ts';
import { FakeVenue } from './support/fake-venue.ts';
import {
  accountOf,
  contract,
  holdMargin,
  isolated,
  margined,
  marginWorld,
  reportAccount,
  settleChange,
  wantChange,
} from './support/margin.ts';
import type { World } from './support/world.ts';

const to = (balance: string): Partial<MarginChange> => ({ balance: parseAmount(balance) });

function leverageTo(world: World, leverage: string): Partial<MarginChange> {
  const instrument = world.instrument(contract).id;
  return { product: 'futures', instrument, leverage: parseAmount(leverage) };
}

function whyDenied(world: World): string | undefined {
  return world.ofKind('marginDenied').at(-1)?.denial.why;
}

describe('a change of margin names what is traded', () => {
  test.each<[string, (world: World) => Partial<MarginChange>, string]>([
    [
      'MARGIN_MODE_UNKNOWN',
      () => ({ ...to('5'), mode: 'both' as 'cross' }),
      'expected a margin mode of isolated, cross, found both',
    ],
    [
      'MARGIN_CHANGE_FORM',
      () => ({ ...to('5'), instrument: undefined }),
      'expected isolated margin to name a symbol, found undefined',
    ],
    [
      'PRODUCT_SYMBOL',
      (world) => ({ ...to('5'), instrument: world.instrument(0).id }),
      'expected a symbol that margin trades, found AAABBB',
    ],
    [
      'PRODUCT_SYMBOL',
      (world) => ({ ...to('5'), instrument: world.instrument(contract).id }),
      'expected a symbol that margin trades, found AAABBB_PERP',
    ],
    [
      'MARGIN_CHANGE_FORM',
      () => ({ ...to('5'), currency: 'AAA' }),
      'margin of CCCBBB is kept in BBB, found AAA',
    ],
    [
      'PRODUCT_SYMBOL',
      () => ({ ...to('5'), mode: 'cross', instrument: undefined, currency: 'AAA' }),
      'expected a currency that margin keeps cross margin in, found AAA',
    ],
    ['MARGIN_CHANGE_FORM', () => ({}), 'expected a margin balance or a leverage, found neither'],
    ['MARGIN_CHANGE_FORM', () => to('-1'), 'expected a margin balance of at least 0, found -1'],
    [
      'LEVERAGE_FIXED',
      () => ({ leverage: parseAmount('2') }),
      'leverage is chosen of isolated margin of contracts alone, found isolated margin',
    ],
    [
      'LEVERAGE_RANGE',
      (world) => leverageTo(world, '0.99'),
      'expected a leverage of AAABBB_PERP from 1 to 10 with at most two decimals, found 0.99',
    ],
    [
      'LEVERAGE_RANGE',
      (world) => leverageTo(world, '10.01'),
      'expected a leverage of AAABBB_PERP from 1 to 10 with at most two decimals, found 10.01',
    ],
    [
      'LEVERAGE_RANGE',
      (world) => leverageTo(world, '2.005'),
      'expected a leverage of AAABBB_PERP from 1 to 10 with at most two decimals, found 2.005',
    ],
    [
      'MARGIN_ACCOUNT_MISSING',
      (world) => leverageTo(world, '10'),
      'expected the isolated futures account of AAABBB_PERP to be open, there is none',
    ],
    [
      'MARGIN_ACCOUNT_MISSING',
      () => to('0'),
      'expected the isolated margin account of CCCBBB to be open, there is none',
    ],
  ])('%s: %#', (code, change, why) => {
    const world = marginWorld();
    expect(wantChange(world, change(world))).toBe(code);
    expect(whyDenied(world)).toBe(why);
    expect(world.ofKind('marginPending')).toEqual([]);
  });

  test('leverage up to our own limit', () => {
    const world = marginWorld({ options: { margin: { leverageMax: '3' } } });
    reportAccount(world, { index: contract });
    expect(wantChange(world, leverageTo(world, '3.01'))).toBe('LEVERAGE_RANGE');
    expect(wantChange(world, leverageTo(world, '3'))).toBe('pending');
  });

  test('leverage of an account that has a position stays', () => {
    const world = marginWorld();
    holdMargin(world, 10, { index: contract });
    expect(wantChange(world, leverageTo(world, '5'))).toBe('LEVERAGE_FIXED');
  });

  test('a strategy changes what it may trade', () => {
    const world = marginWorld({ limits: { maker: { symbols: ['AAABBB'] } } });
    expect(wantChange(world, to('5'))).toBe('SYMBOL_NOT_ALLOWED');
  });
});

describe('a change of margin', () => {
  test('adds what the balance has, and not more', () => {
    const world = marginWorld();
    world.money({ BBB: '50' });
    expect(wantChange(world, to('50.01'))).toBe('MARGIN_FUNDS');
    expect(whyDenied(world)).toBe('expected 50.01 BBB free on the spot balance, found 50');
    expect(wantChange(world, to('50'))).toBe('pending');
  });

  test('takes what positions and orders leave free', () => {
    const world = marginWorld();
    holdMargin(world, 10, { balance: '30' });
    expect(wantChange(world, to('10.21'))).toBe('MARGIN_FUNDS');
    expect(wantChange(world, to('10.22'))).toBe('pending');
  });

  test('an account with a position is not closed', () => {
    const world = marginWorld();
    holdMargin(world, 10, { balance: '30' });
    expect(wantChange(world, to('0'))).toBe('MARGIN_FUNDS');
  });

  test('that changes nothing is denied', () => {
    const world = marginWorld();
    reportAccount(world, { balance: '30' });
    expect(wantChange(world, to('30'))).toBe('MARGIN_UNCHANGED');
  });

  test('holds what it adds, so that no order spends it', () => {
    const world = marginWorld();
    world.money({ BBB: '100' });
    expect(wantChange(world, to('60'))).toBe('pending');
    const buy = { quantity: 4 as Lots, price: 10_000 as Ticks };
    expect(world.place({ ...buy, quantity: 5 as Lots })).toBe('FUNDS');
    settleChange(world, 'refused');
    expect(world.place(buy)).toMatch(/^gw-/);
  });

  test('is one at a time on an account', () => {
    const world = marginWorld();
    expect(wantChange(world, to('60'))).toBe('pending');
    expect(wantChange(world, to('70'))).toBe('MARGIN_CHANGE_UNDER_WAY');
    expect(wantChange(world, { ...to('70'), mode: 'cross', instrument: undefined })).toBe('pending');
    reportAccount(world, { balance: '60' }, { reason: 'created', reportType: 'created' });
    expect(wantChange(world, to('70'))).toBe('MARGIN_CHANGE_UNDER_WAY');
    world.step({
      kind: 'commandSettled',
      ...world.times,
      commandId: world.ofKind('marginPending')[0]?.command.commandId ?? 0,
      lane: 'replace',
      outcome: 'acknowledged',
      clientOrderId: undefined,
    });
    expect(wantChange(world, to('70'))).toBe('pending');
  });

  test('that takes margin counts at once, that adds some only when it is made', () => {
    const world = marginWorld();
    reportAccount(world, { balance: '30' });
    const order = { instrument: world.instrument(margined).id, price: 10_000 as Ticks, margin: isolated };
    expect(wantChange(world, to('10'))).toBe('pending');
    expect(world.place({ ...order, quantity: 10 as Lots })).toBe('MARGIN_FUNDS');
    settleChange(world, 'refused');
    expect(wantChange(world, to('60'))).toBe('pending');
    expect(world.place({ ...order, quantity: 40 as Lots })).toBe('MARGIN_FUNDS');
    expect(world.place({ ...order, quantity: 20 as Lots })).toMatch(/^gw-/);
  });

  test.each(['reducing', 'halted'] as const)('in mode %s may only add', (mode) => {
    const world = marginWorld();
    reportAccount(world, { balance: '30' });
    world.step({ kind: 'modeChanged', ...world.times, mode, why: 'risk', latched: false });
    expect(wantChange(world, to('20'))).toBe(mode === 'halted' ? 'MODE_HALTED' : 'MODE_REDUCING');
    expect(wantChange(world, to('40'))).toBe(mode === 'halted' ? 'MODE_HALTED' : 'pending');
  });

  test('while a margin call stands may only add', () => {
    const world = marginWorld();
    holdMargin(world, 10, { balance: '30' });
    reportAccount(world, { lots: 10, balance: '30', changes: { called: true } });
    expect(wantChange(world, to('20'))).toBe('MARGIN_CALL');
    expect(wantChange(world, to('40'))).toBe('pending');
  });
});

describe('a change of margin without an answer', () => {
  function silent(): { world: World; venue: FakeVenue } {
    const world = marginWorld();
    const venue = new FakeVenue(world);
    reportAccount(world, { balance: '30' });
    expect(wantChange(world, to('60'))).toBe('pending');
    world.clock.advance(millis(10));
    settleChange(world, 'unanswered');
    return { world, venue };
  }

  test('is settled by a read that shows it', () => {
    const { world, venue } = silent();
    expect(wantChange(world, to('70'))).toBe('MARGIN_CHANGE_UNDER_WAY');
    venue.accounts = [accountOf(world, { balance: '60' })];
    world.clock.advance(seconds(2));
    expect(world.state.marginChanges).toEqual([]);
    expect(wantChange(world, to('70'))).toBe('pending');
    expect(venue.changes).toHaveLength(2);
    expect(world.ofKind('marginRejected')).toEqual([]);
    expect(world.ofKind('marginFound')).toEqual([]);
  });

  test('that comes late is found, and is never sent again', () => {
    const { world, venue } = silent();
    world.clock.advance(seconds(60));
    expect(wantChange(world, to('70'))).toBe('MARGIN_CHANGE_UNDER_WAY');
    venue.accounts = [accountOf(world, { balance: '60' })];
    world.clock.advance(seconds(35));
    expect(world.ofKind('marginRejected')).toEqual([]);
    expect(venue.changes).toHaveLength(1);
  });

  test('that no read shows in the window of evidence was not made', () => {
    const { world, venue } = silent();
    world.clock.advance(seconds(85));
    expect(world.ofKind('marginRejected')).toEqual([]);
    world.clock.advance(seconds(60));
    expect(world.ofKind('marginRejected')).toMatchObject([
      {
        strategy: 'maker',
        code: 0,
        why: 'no answer came, and the margin accounts, read again, do not show it: expected 60 BBB, found 30 BBB',
      },
    ]);
    expect(venue.changes).toHaveLength(1);
    expect(wantChange(world, to('70'))).toBe('pending');
  });

  test('is not repeated after a lost session or a restart', () => {
    const world = marginWorld();
    const venue = new FakeVenue(world);
    reportAccount(world, { balance: '30' });
    expect(wantChange(world, to('60'))).toBe('pending');
    venue.down();
    const next = marginWorld({ after: world, run: 'r2', ready: false });
    venue.attach(next);
    venue.up(next);
    next.clock.advance(seconds(1));
    expect(wantChange(next, to('60'))).toBe('MARGIN_CHANGE_UNDER_WAY');
    venue.accounts = [accountOf(next, { balance: '60' })];
    next.clock.advance(seconds(5));
    expect(wantChange(next, to('60'))).toBe('MARGIN_UNCHANGED');
    expect(venue.changes).toHaveLength(1);
  });

  test('turned away for its rate was not made', () => {
    const world = marginWorld();
    expect(wantChange(world, to('60'))).toBe('pending');
    settleChange(world, 'limited');
    expect(world.ofKind('marginRejected')).toMatchObject([
      { code: 429, change: { balance: parseAmount('60') } },
    ]);
    expect(wantChange(world, to('60'))).toBe('pending');
  });
});
