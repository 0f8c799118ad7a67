import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { formatAmount, parseAmount } from '../../../src/core/base/amount.ts';
import { seconds } from '../../../src/core/base/clock.ts';
import type { Micros } from '../../../src/core/base/clock.ts';
import { Random } from '../../../src/core/base/random.ts';
import type { AdjustBalanceCommand } from '../../../src/exchange/matching/accounts/command.ts';
import { Exchange } from '../../../src/exchange/matching/exchange.ts';
import { ladder, others, us } from '../../support/ladder.ts';
import type { Ladder } from '../../support/ladder.ts';
import { accounts, RandomCommands, triangle } from '../../support/random-commands.ts';

const fees = { takeRate: '0.0025', makeRate: '0.001' };

function funds(market: Ladder, currency: string): string {
  const { available, reserved } = market.exchange.balance(us, currency);
  return `${formatAmount(available)} + ${formatAmount(reserved)}`;
}

describe('the wallets', () => {
  test('a buy holds its volume and the worst fee, and gets back what it did not need', () => {
    const market = ladder('| 90 | 4', { spec: fees, funds: '1000' });
    market.buy({ price: 95, quantity: 4, id: 'first' });
    expect(funds(market, 'BBB')).toBe('639.1 + 0');
    market.buy({ price: 50, quantity: 10, id: 'second' });
    expect(funds(market, 'BBB')).toBe('137.85 + 501.25');
    market.sell({ price: 50, quantity: 4, account: others });
    expect(funds(market, 'BBB')).toBe('138.15 + 300.75');
    market.cancel('second');
    expect(funds(market, 'BBB')).toBe('438.9 + 0');
    expect(funds(market, 'AAA')).toBe('1008 + 0');
    expect(formatAmount(market.exchange.collectedFees('BBB'))).toBe('1.96');
  });

  test('a sell holds its quantity and is paid less the fee', () => {
    const market = ladder('5 | 80 |', { spec: fees, funds: '1000' });
    market.sell({ price: 80, quantity: 9, id: 'mine' });
    expect(funds(market, 'AAA')).toBe('991 + 4');
    expect(funds(market, 'BBB')).toBe('1399 + 0');
    market.cancel('mine');
    expect(funds(market, 'AAA')).toBe('995 + 0');
  });

  test('a fee is exact: 55 x 0.1035696 x 0.0025 is 0.01424082', () => {
    const spec = { ...fees, tickSize: '0.0000001' };
    const market = ladder('| 1035696 | 55', { spec });
    market.buy({ price: 1_035_696, quantity: 55 });
    const fill = market.outcomes.flatMap((o) =>
      o.kind === 'report' && o.account === us ? (o.fill ?? []) : [],
    );
    expect(fill.map(({ fee }) => formatAmount(fee))).toEqual(['0.01424082']);
  });

  test('a maker with a negative rate is paid', () => {
    const market = ladder('', { spec: { takeRate: '0.002', makeRate: '-0.001' }, funds: '1000' });
    market.sell({ price: 100, quantity: 2 });
    market.buy({ price: 100, quantity: 2, account: others });
    expect(funds(market, 'BBB')).toBe('1200.2 + 0');
  });

  test('what a balance does not cover with the fee is refused, to the last digit', () => {
    const market = ladder('', { spec: fees, funds: '1000' });
    expect(market.buy({ price: 1, quantity: 998 })).toEqual(['refused INSUFFICIENT_FUNDS']);
    expect(market.buy({ price: 1, quantity: 997 })).toEqual(['new']);
    expect(market.sell({ price: 5, quantity: 1_001 })).toEqual(['refused INSUFFICIENT_FUNDS']);
    expect(market.sell({ price: 5, quantity: 1_000 })).toEqual(['new']);
  });

  test('a market buy is checked against the walk through the book with the worst fee', () => {
    const drawn = `
        | 110 | 5
        | 100 | 5
    `;
    const spec = { takeRate: '0', makeRate: '0.01' };
    expect(ladder(drawn, { spec, funds: '725.9' }).buy({ type: 'market', quantity: 7 })).toEqual([
      'refused INSUFFICIENT_FUNDS',
    ]);
    const market = ladder(drawn, { spec, funds: '727.2' });
    expect(market.buy({ type: 'market', quantity: 7 })).toEqual(['new', 'trade 5@100', 'trade 2@110 filled']);
    expect(funds(market, 'BBB')).toBe('7.2 + 0');
  });

  test('takes nothing below zero from an account', () => {
    const market = ladder('', { funds: '10' });
    const change = parseAmount('-10.000000000000000000000001');
    expect(market.do({ kind: 'adjustBalance', account: us, currency: 'AAA', change })).toEqual([
      'refused INSUFFICIENT_FUNDS',
    ]);
    expect(funds(market, 'AAA')).toBe('10 + 0');
  });

  test('neither makes nor loses money: accounts and fees together only change by deposits', () => {
    fc.assert(
      fc.property(fc.integer(), (seed) => {
        const exchange = new Exchange({
          instruments: triangle(),
          options: { idReuseAfter: seconds(20), windowTicks: 1_024 },
        });
        const commands = new RandomCommands(new Random(seed), (Date.UTC(2024, 0, 1) * 1_000) as Micros);
        const deposited = new Map<string, bigint>();
        for (let i = 0; i < 1_500; i++) {
          const command = commands.next();
          const outcomes = exchange.handle(command, commands.now);
          commands.observe(outcomes);
          if (command.kind === 'adjustBalance' && outcomes.every((o) => o.kind !== 'refused'))
            deposit(deposited, command);
        }
        for (const [currency, amount] of deposited) expect(held(exchange, currency), currency).toBe(amount);
        for (const id of [0, 1, 2] as const) expectUncrossed(exchange, id);
      }),
      { numRuns: 40 },
    );
  });
});

function deposit(deposited: Map<string, bigint>, { currency, change }: AdjustBalanceCommand): void {
  deposited.set(currency, (deposited.get(currency) ?? 0n) + change);
}

function held(exchange: Exchange, currency: string): bigint {
  const inAccounts = accounts.map((account) => {
    const { available, reserved } = exchange.balance(account, currency);
    expect(available >= 0n && reserved >= 0n).toBe(true);
    return available + reserved;
  });
  return inAccounts.reduce((sum, amount) => sum + amount, exchange.collectedFees(currency) as bigint);
}

function expectUncrossed(exchange: Exchange, id: 0 | 1 | 2): void {
  const instrument = id as Parameters<Exchange['best']>[0];
  const [bid, ask] = [exchange.best(instrument, 'buy'), exchange.best(instrument, 'sell')];
  if (bid !== undefined && ask !== undefined) expect(bid).toBeLessThan(ask);
}
