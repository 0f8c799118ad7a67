import { describe, expect, test } from 'vitest';
import { formatAmount, parseAmount, zero } from '../../../src/core/base/amount.ts';
import type { Micros } from '../../../src/core/base/clock.ts';
import type { FillEntry } from '../../../src/core/ledger/entry.ts';
import { MarginRests } from '../../../src/core/ledger/margin-rests.ts';
import type { Lots } from '../../../src/core/model/instrument.ts';
import type { MarginAccountView } from '../../../src/core/model/margin.ts';
import { marginKeyOf, marginNameOf } from '../../../src/core/model/margin.ts';
import type { Side } from '../../../src/core/model/order.ts';
import { heldPosition, marginAccount } from '../support/margin-account.ts';
import { fill, first, instruments, ownTrade, second } from '../state/support/world.ts';

const name = marginNameOf(marginKeyOf(instruments.at(first), 'cross'));
const crossed = { mode: 'cross', instrument: undefined } as const;
/** An account that holds so many lots of the first instrument, and of the second. */
function seen(balance: string, time: number, ...held: readonly number[]): MarginAccountView {
  const positions = held.map((count, index) => {
    const instrument = instruments.at(index === 0 ? first : second);
    return heldPosition(instrument.id, formatAmount(instrument.quantityAmount(count as Lots)), '1');
  });
  return { ...marginAccount(balance, { ...crossed, positions }), updatedAt: time as Micros };
}

function lost(realized: string, time: number, strategy = 'one', instrument = first): FillEntry {
  return sold(realized, time, { strategy, instrument });
}

function sold(
  realized: string,
  time: number,
  { strategy = 'one', instrument = first, side = 'sell' as Side } = {},
): FillEntry {
  const trade = {
    ...ownTrade('a', side, { ...fill(String(time), 1, 1_000, time), fee: parseAmount('0') }),
    instrument,
  };
  return { kind: 'fill', account: 'cross', strategy, trade, realized: parseAmount(realized) };
}

describe('what the venue bears of a liquidation', () => {
  test('is what the fills lost beyond the balance, once the account is empty, in either order of report and fill', () => {
    for (const isReportFirst of [true, false]) {
      const rests = new MarginRests(instruments);
      rests.seen(name, seen('100', 10, 1), true);
      if (isReportFirst) rests.seen(name, seen('0', 20), true);
      rests.filled(lost('-250', 20));
      if (!isReportFirst) rests.seen(name, seen('0', 20), true);
      expect(
        rests.takeLiquidations().map(({ amount, strategy }) => [formatAmount(amount), strategy]),
      ).toEqual([['150', 'one']]);
      expect(rests.takeLiquidations()).toEqual([]);
    }
  });

  test('is that of the account before where an answer shows the next one of the same name first, over a restart too', () => {
    for (const isRestarted of [false, true]) {
      let rests = new MarginRests(instruments);
      rests.seen(name, { ...seen('31', 10, -1), createdAt: 5 as Micros }, true);
      const next = { ...seen('44', 20), createdAt: 20 as Micros };
      rests.seen(name, next, true);
      if (isRestarted) {
        const { rests: open = [], liquidated, former } = rests.carry();
        rests = new MarginRests(instruments);
        rests.takeRests(open, liquidated, former);
      }
      rests.filled(sold('-36', 20, { side: 'buy' }));
      rests.seen(name, { ...seen('0', 20), createdAt: 5 as Micros }, false);
      const [found, ...others] = rests.takeLiquidations();
      expect([formatAmount(found?.amount ?? zero), others]).toEqual(['5', []]);
      // The next one has all of its money, and bears what it can.
      rests.seen(name, { ...seen('44', 30, 1), createdAt: 20 as Micros }, true);
      rests.filled(lost('-40', 40));
      rests.seen(name, { ...seen('0', 40), createdAt: 20 as Micros }, true);
      expect(rests.takeLiquidations()).toEqual([]);
    }
  });

  test('is the same wherever a carried state falls: fills, what is misplaced of them, and the last liquidation are in it', () => {
    const steps: readonly ((rests: MarginRests) => void)[] = [
      (rests) => rests.seen(name, seen('100', 10, 2), true),
      (rests) => rests.filled(lost('-120', 20)),
      // Executions of before, found late: one while the account is open, one after.
      (rests) => rests.filled(sold('-40', 5, { side: 'buy' })),
      (rests) => rests.filled(lost('-130', 20)),
      (rests) => rests.seen(name, seen('0', 20), true),
      (rests) => rests.filled(sold('-30', 6, { side: 'buy' })),
    ];
    const found = (carriedAt: number): readonly string[] => {
      let rests = new MarginRests(instruments);
      return steps.flatMap((step, index) => {
        if (index === carriedAt) {
          const { rests: carried = [], liquidated } = rests.carry();
          rests = new MarginRests(instruments);
          rests.takeRests(carried, liquidated);
        }
        step(rests);
        return rests.takeLiquidations().map(({ amount, time }) => `${time} ${formatAmount(amount)}`);
      });
    };
    const whole = found(-1);
    expect(whole).toHaveLength(3);
    for (const index of steps.keys()) expect(found(index)).toEqual(whole);
  });

  test('is shared by what each lost, and nothing is lost by rounding', () => {
    const rests = new MarginRests(instruments);
    rests.seen(name, seen('100', 10, 1, 1), true);
    rests.filled(lost('-100', 20, 'one'));
    rests.filled(lost('-200', 20, 'two', second));
    rests.seen(name, seen('0', 20), false);
    const found = rests.takeLiquidations();
    expect(found.map(({ instrument }) => instrument)).toEqual([first, second]);
    expect(found.reduce((sum, { amount }) => sum + amount, 0n)).toBe(parseAmount('200'));
  });

  test('is nothing where the margin covers the loss, and none of fills that a balance has in it', () => {
    const rests = new MarginRests(instruments);
    rests.seen(name, seen('100', 10, 2), true);
    rests.filled(lost('-60', 20));
    rests.seen(name, seen('40', 20, 1), true);
    // Found late in the history: the balance of its time has it.
    rests.filled(lost('-60', 15));
    rests.filled(lost('-30', 30));
    rests.seen(name, seen('0', 31), false);
    expect(rests.takeLiquidations()).toEqual([]);
  });

  test('is found where a report of the time before the last fill comes after it', () => {
    const rests = new MarginRests(instruments);
    rests.seen(name, seen('100', 10, 1), true);
    rests.filled(lost('-250', 20));
    rests.seen(name, seen('100', 10, 1), true);
    rests.seen(name, seen('0', 20), false);
    expect(amountsOf(rests)).toEqual(['150']);
  });

  test('is of the fills that close what the last balance left open, where several are of its time', () => {
    const rests = new MarginRests(instruments);
    rests.seen(name, seen('100', 10, 1), true);
    rests.filled(sold('-1', 20, { side: 'buy' }));
    rests.filled(lost('-60', 20));
    rests.seen(name, seen('39', 20, 1), true);
    rests.filled(lost('-50', 20));
    rests.seen(name, seen('0', 20), false);
    expect(amountsOf(rests)).toEqual(['11']);
  });

  test('waits for the fill that closes the last position, and counts none of the next account', () => {
    const rests = new MarginRests(instruments);
    rests.seen(name, seen('100', 10, 2), true);
    rests.filled(lost('-150', 20));
    rests.seen(name, seen('0', 21), false);
    expect(amountsOf(rests)).toEqual([]);
    rests.filled(lost('-50', 21));
    rests.filled(sold('-2', 30, { side: 'buy' }));
    expect(amountsOf(rests)).toEqual(['75', '25']);
    rests.filled(lost('-5', 31));
    expect(amountsOf(rests)).toEqual([]);
  });

  test('counts what our books let an execution lose that opened a part of it and is found late, before or after the account is empty', () => {
    const opened = sold('-40', 5, { side: 'buy' });
    // Of the time of the balance it is in it, too, where what follows closes all of the position without it.
    for (const [late, isFoundFirst] of [
      [opened, true],
      [opened, false],
      [sold('-40', 10, { side: 'buy' }), true],
      [sold('-40', 10, { side: 'buy' }), false],
    ] as const) {
      const rests = new MarginRests(instruments);
      rests.seen(name, seen('100', 10, 2), true);
      rests.filled(closing('-90', 20, 2));
      if (isFoundFirst) rests.filled(late);
      rests.seen(name, seen('0', 20), false);
      expect(amountsOf(rests)).toEqual(isFoundFirst ? ['30'] : []);
      if (!isFoundFirst) rests.filled(late);
      expect(amountsOf(rests)).toEqual(isFoundFirst ? [] : ['30']);
    }
    const rests = new MarginRests(instruments);
    rests.seen(name, seen('100', 10, 2), true);
    rests.filled(closing('-120', 20, 2));
    rests.seen(name, seen('0', 20), false);
    expect(amountsOf(rests)).toEqual(['20']);
    // The next account is open already.
    rests.seen(name, seen('50', 25), true);
    rests.filled(opened);
    expect(amountsOf(rests)).toEqual(['40']);
    // What it brought instead leaves nothing for the venue to bear.
    rests.filled(sold('90', 6, { side: 'buy' }));
    expect(amountsOf(rests)).toEqual(['-60']);
    // One that closed a part was booked as what it brought.
    rests.filled(sold('-7', 7));
    expect(amountsOf(rests)).toEqual([]);
  });
});

/** A fill that closes so many lots. */
function closing(realized: string, time: number, count: number): FillEntry {
  const entry = lost(realized, time);
  return { ...entry, trade: { ...entry.trade, quantity: count as Lots } };
}

function amountsOf(rests: MarginRests): readonly string[] {
  return rests.takeLiquidations().map(({ amount }) => formatAmount(amount));
}
