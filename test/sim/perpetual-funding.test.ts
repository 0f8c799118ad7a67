import { describe, expect, test } from 'vitest';
import { formatAmount, parseAmount } from '../../src/core/base/amount.ts';
import { seconds } from '../../src/core/base/clock.ts';
import type { InstrumentSpec } from '../../src/core/model/instrument.ts';
import { FeeSchedule } from '../../src/sim/fee-schedule.ts';
import { PerpetualAccount } from '../../src/sim/perpetual-account.ts';
import { PerpetualFunding } from '../../src/sim/perpetual-funding.ts';
import { openQueueEngine } from '../../src/sim/fill-models/queue/engine.ts';
import { riskAverse } from '../../src/sim/fill-models/queue/position.ts';
import { SimHarness } from '../support/sim-harness.ts';

interface Setting {
  readonly rate?: string;
  readonly leverage?: number;
  readonly spec?: Partial<InstrumentSpec>;
}

/** A harness whose contracts pay every hour, what was paid and when (seconds). */
function harness({ rate = '0.01', leverage, spec = {} }: Setting = {}) {
  const paid: string[] = [];
  const one: SimHarness = new SimHarness({
    spec,
    funds: '1000',
    openEngine: (setup) => {
      const account = new PerpetualAccount(setup.instruments, setup.balances, () => leverage);
      const rules = { rate: parseAmount(rate), every: seconds(3_600) };
      return openQueueEngine(setup, {
        account,
        ruleOf: () => riskAverse,
        fees: setup.instruments.all.map((each) => new FeeSchedule(each, [])),
        partial: true,
        impact: false,
        funding: (markets) =>
          new PerpetualFunding(() => rules, {
            account,
            markets,
            funded: (_, amount) => paid.push(`${one.clock.now() / 1e6} ${formatAmount(amount)}`),
          }),
      });
    },
  });
  one.book([[100, 50]], [[104, 50]], 'bookSnapshot');
  return { one, paid };
}

const hours = (count: number) => seconds(3_600 * count);
const takes = (one: SimHarness, id: string, side: 'buy' | 'sell', quantity: number): void =>
  one.order(id, side, { type: 'market', timeInForce: 'IOC', quantity });
/** The touch goes from 100 and 104 to these prices. */
function moves(one: SimHarness, bid: number, ask: number): void {
  const bids = [
    [100, 0],
    [bid, 50],
  ] as const;
  const asks = [
    [104, 0],
    [ask, 50],
  ] as const;
  one.book(bids, asks);
}

describe('funding of a contract', () => {
  test('is a share of the notional at the mid price, at every multiple of its time', () => {
    const { one, paid } = harness();
    one.clock.advanceTo(seconds(1_800));
    takes(one, 'long', 'buy', 5);
    one.clock.advanceTo(hours(1.5));
    moves(one, 198, 202);
    one.clock.advanceTo(hours(3.5));
    expect(paid).toEqual(['3600 5.1', '7200 10', '10800 10']);
  });

  test('is received by a short position, and paid by it below zero', () => {
    const short = harness();
    takes(short.one, 'short', 'sell', 3);
    short.one.clock.advanceTo(hours(1));
    expect(short.paid).toEqual(['3600 -3.06']);
    const below = harness({ rate: '-0.001' });
    takes(below.one, 'short', 'sell', 3);
    below.one.clock.advanceTo(hours(1));
    expect(below.paid).toEqual(['3600 0.306']);
  });

  test('is nothing while nothing is held, however long that was', () => {
    const { one, paid } = harness();
    takes(one, 'in', 'buy', 5);
    takes(one, 'out', 'sell', 5);
    one.clock.advanceTo(hours(10.5));
    takes(one, 'again', 'buy', 2);
    one.clock.advanceTo(hours(11));
    expect(paid).toEqual([`${11 * 3_600} 2.04`]);
  });

  test('waits for the hour also when facts and orders come at it', () => {
    const { one, paid } = harness();
    takes(one, 'in', 'buy', 5);
    one.clock.advanceTo(hours(1));
    moves(one, 148, 152);
    takes(one, 'more', 'buy', 5);
    one.clock.advanceTo(hours(2));
    expect(paid).toEqual(['3600 5.1', '7200 15']);
  });

  test('of an inverse contract is in its coin', () => {
    const { one, paid } = harness({ spec: { contractSize: '100', inverse: true } });
    moves(one, 198, 202);
    takes(one, 'long', 'buy', 5);
    one.clock.advanceTo(hours(1));
    expect(paid).toEqual(['3600 0.025']);
  });

  test('shrinks what a leverage allows, and the account is reported', () => {
    const { one } = harness({ leverage: 2 });
    takes(one, 'long', 'buy', 5);
    const power = () =>
      one
        .only('balances')
        .at(-1)
        ?.balances.filter(({ currency }) => currency === 'BBB')
        .map(({ buyingPower }) => (typeof buyingPower === 'bigint' ? formatAmount(buyingPower) : ''));
    const before = Number(power()?.[0]);
    one.noted.length = 0;
    one.clock.advanceTo(hours(1));
    // Twice the 5.1 that were paid.
    expect(Number(power()?.[0])).toBeCloseTo(before - 10.2, 9);
  });
});
