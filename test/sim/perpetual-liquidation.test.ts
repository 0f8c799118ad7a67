import { describe, expect, test } from 'vitest';
import { formatAmount, parseAmount } from '../../src/core/base/amount.ts';
import { seconds } from '../../src/core/base/clock.ts';
import { Random } from '../../src/core/base/random.ts';
import type { InstrumentSpec } from '../../src/core/model/instrument.ts';
import { FeeSchedule } from '../../src/sim/fee-schedule.ts';
import { LiquidationLog } from '../../src/sim/liquidation-log.ts';
import { PerpetualAccount } from '../../src/sim/perpetual-account.ts';
import { PerpetualFunding } from '../../src/sim/perpetual-funding.ts';
import { PerpetualLiquidation } from '../../src/sim/perpetual-liquidation.ts';
import { openQueueEngine } from '../../src/sim/fill-models/queue/engine.ts';
import { riskAverse } from '../../src/sim/fill-models/queue/position.ts';
import { SimHarness } from '../support/sim-harness.ts';

interface Setting {
  readonly rate?: string;
  readonly leverage?: number;
  readonly funding?: string;
  readonly impact?: boolean;
  readonly spec?: Partial<InstrumentSpec>;
}

/** A harness with 1000 and a book of 50 at 100 and at 104, whose account is liquidated. */
function harness({ rate = '0.4', leverage = 10, funding, impact = false, spec = {} }: Setting = {}) {
  const log = new LiquidationLog();
  let opened: PerpetualAccount | undefined;
  const one = new SimHarness({
    spec,
    funds: '1000',
    openEngine: (setup) => {
      const account = new PerpetualAccount(setup.instruments, setup.balances, () => leverage);
      opened = account;
      const rules = { rate: parseAmount(rate), leverage: parseAmount(String(leverage)) };
      const pays = { rate: parseAmount(funding ?? '0'), every: seconds(3_600) };
      return openQueueEngine(setup, {
        account,
        ruleOf: () => riskAverse,
        fees: setup.instruments.all.map((each) => new FeeSchedule(each, [])),
        partial: true,
        impact,
        funding:
          funding === undefined
            ? undefined
            : (markets) => new PerpetualFunding(() => pays, { account, markets, funded: () => {} }),
        liquidation: (venue) => new PerpetualLiquidation(() => rules, { account, ...venue, log }),
      });
    },
  });
  one.book([[100, 50]], [[104, 50]], 'bookSnapshot');
  return { one, log, account: opened as unknown as PerpetualAccount };
}

const takes = (one: SimHarness, id: string, side: 'buy' | 'sell', quantity: number): void =>
  one.order(id, side, { type: 'market', timeInForce: 'IOC', quantity });

/** A whole new book of these levels. */
function shows(one: SimHarness, bid: number, ask: number, lots = 50): void {
  one.book([[bid, lots]], [[ask, lots]], 'bookSnapshot');
}

const received = (log: LiquidationLog) =>
  log.list.map(({ currency, positions, equity }) => [currency, positions, formatAmount(equity)]);

describe('liquidation of a contract', () => {
  test('comes at the very price at which equity is the share of the margin', () => {
    const { one, log } = harness();
    takes(one, 'long', 'buy', 50);
    one.received();
    // 1000 - 50 x 104 + 50 x mid against 0.4 x 50 x mid / 10: they meet at 87.5.
    shows(one, 87, 89);
    expect(one.received()).toEqual([]);
    shows(one, 87, 88);
    expect(one.received()).toEqual(['liquidation-000001 new', 'liquidation-000001 trade 50@87 filled']);
    expect(received(log)).toEqual([['BBB', 1, '150']]);
    shows(one, 50, 51);
    expect(one.received()).toEqual([]);
  });

  test('of a short position comes when the price rises', () => {
    const { one, log } = harness();
    takes(one, 'short', 'sell', 50);
    one.received();
    // 1000 + 5000 - 50 x mid against 2 x mid: at 115.38.
    shows(one, 114, 116);
    shows(one, 115, 116);
    expect(one.received()).toEqual(['liquidation-000001 new', 'liquidation-000001 trade 50@116 filled']);
    expect(received(log)).toEqual([['BBB', 1, '200']]);
  });

  test('of an inverse contract is reckoned in its coin', () => {
    const spec = { contractSize: '1000', inverse: true };
    const { one, log } = harness({ leverage: 1, rate: '0.5', spec });
    takes(one, 'long', 'buy', 50);
    one.received();
    // 1000 + 50000 / 104 - 50000 / mid against half of 50000 / mid: they meet at 50.65.
    shows(one, 50, 52);
    expect(one.received()).toEqual([]);
    shows(one, 50, 51);
    expect(one.received()).toEqual(['liquidation-000001 new', 'liquidation-000001 trade 50@50 filled']);
    // 1000 + 50000 / 104 - 50000 / 50.
    expect(Number(received(log)[0]?.[2])).toBeCloseTo(480.769230769, 9);
  });

  test('lets the orders of its market expire first, those that wait for a stop price too', () => {
    const { one } = harness();
    takes(one, 'long', 'buy', 50);
    one.order('rests', 'sell', { price: 200, quantity: 5 });
    one.order('waits', 'sell', { type: 'stopMarket', stopPrice: 60, quantity: 5 });
    one.received();
    shows(one, 87, 88);
    expect(one.received()).toEqual([
      'rests expired',
      'waits expired',
      'liquidation-000001 new',
      'liquidation-000001 trade 50@87 filled',
    ]);
  });

  test('goes on with the next book when one does not hold the position', () => {
    const { one, log } = harness({ impact: true });
    takes(one, 'long', 'buy', 50);
    one.received();
    shows(one, 87, 88, 20);
    expect(one.received()).toEqual([
      'liquidation-000001 new',
      'liquidation-000001 trade 20@87',
      'liquidation-000001 expired',
    ]);
    expect(log.count).toBe(0);
    // A side is empty: there is no price.
    one.book([], [[88, 30]]);
    expect(one.received()).toEqual([]);
    shows(one, 70, 71, 100);
    expect(one.received()).toEqual(['liquidation-000002 new', 'liquidation-000002 trade 30@70 filled']);
    // 1000 - 5200 + 20 x 87 + 30 x 70.
    expect(received(log)).toEqual([['BBB', 1, '-360']]);
    expect(formatAmount(log.lowest.get('BBB') ?? parseAmount('0'))).toBe('-360');
  });

  test('is looked for after funding', () => {
    const { one, log } = harness({ funding: '0.2' });
    takes(one, 'long', 'buy', 50);
    one.clock.advanceTo(seconds(3_599));
    expect(log.count).toBe(0);
    // Equity was 900, and 0.2 x 5100 are paid.
    one.clock.advanceTo(seconds(3_600));
    expect(received(log)).toEqual([['BBB', 1, '-220']]);
  });

  test('never leaves a position that the account does not bear', () => {
    let [held, liquidations] = [0, 0];
    for (let seed = 1; seed <= 8; seed++) {
      const random = new Random(`liquidation ${seed}`);
      const { one, log, account } = harness({ leverage: 8, impact: true });
      let mid = 200;
      for (let step = 0; step < 300; step++) {
        mid = Math.max(20, mid + random.between(-12, 12));
        shows(one, mid - 1, mid + 1, 400);
        const lots = account.position(one.market);
        const equity = Number(formatAmount(account.cash('BBB'))) + lots * mid;
        if (lots !== 0) {
          held += 1;
          expect(equity * 8).toBeGreaterThan(0.4 * Math.abs(lots) * mid);
        }
        if (random.chance(0.25))
          takes(one, `o${step}`, random.chance(0.5) ? 'buy' : 'sell', random.between(1, 20));
      }
      liquidations += log.count;
    }
    expect(held).toBeGreaterThan(500);
    expect(liquidations).toBeGreaterThan(5);
  });
});
