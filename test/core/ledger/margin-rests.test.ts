import { describe, expect, test } from 'vitest';
import { formatAmount, parseAmount } from '../../../src/core/base/amount.ts';
import type { Micros } from '../../../src/core/base/clock.ts';
import type { FillEntry } from '../../../src/core/ledger/entry.ts';
import { MarginRests } from '../../../src/core/ledger/margin-rests.ts';
import { marginKeyOf, marginNameOf } from '../../../src/core/model/margin.ts';
import { marginAccount } from '../support/margin-account.ts';
import { fill, first, instruments, ownTrade, second } from '../state/support/world.ts';

const name = marginNameOf(marginKeyOf(instruments.at(first), 'cross'));
const crossed = { mode: 'cross', instrument: undefined } as const;
const seen = (balance: string, time: number) => ({
  ...marginAccount(balance, crossed),
  updatedAt: time as Micros,
});

function lost(realized: string, time: number, strategy = 'one', instrument = first): FillEntry {
  const trade = {
    ...ownTrade('a', 'sell', { ...fill(String(time), 1, 1_000, time), fee: parseAmount('0') }),
    instrument,
  };
  return { kind: 'fill', account: 'cross', strategy, trade, realized: parseAmount(realized) };
}

describe('what the venue bears of a liquidation', () => {
  test('is what the fills lost beyond the balance, once the account is empty, in either order of report and fill', () => {
    for (const isReportFirst of [true, false]) {
      const rests = new MarginRests(instruments);
      rests.seen(name, seen('100', 10), true);
      if (isReportFirst) rests.seen(name, seen('0', 20), true);
      rests.filled(lost('-250', 20));
      if (!isReportFirst) rests.seen(name, seen('0', 20), true);
      expect(rests.take().map(({ amount, strategy }) => [formatAmount(amount), strategy])).toEqual([
        ['150', 'one'],
      ]);
      expect(rests.take()).toEqual([]);
    }
  });

  test('is shared by what each lost, and nothing is lost by rounding', () => {
    const rests = new MarginRests(instruments);
    rests.seen(name, seen('100', 10), true);
    rests.filled(lost('-100', 20, 'one'));
    rests.filled(lost('-200', 20, 'two', second));
    rests.seen(name, seen('0', 20), false);
    const found = rests.take();
    expect(found.map(({ instrument }) => instrument)).toEqual([first, second]);
    expect(found.reduce((sum, { amount }) => sum + amount, 0n)).toBe(parseAmount('200'));
  });

  test('is nothing where the margin covers the loss, and none of fills that a balance has in it', () => {
    const rests = new MarginRests(instruments);
    rests.seen(name, seen('100', 10), true);
    rests.filled(lost('-60', 20));
    rests.seen(name, seen('40', 20), true);
    // Found late in the history: the balance of its time has it.
    rests.filled(lost('-60', 15));
    rests.filled(lost('-30', 30));
    rests.seen(name, seen('0', 31), false);
    expect(rests.take()).toEqual([]);
  });
});
