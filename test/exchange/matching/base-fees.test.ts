import fc from 'fast-check';
import { expect, test } from 'vitest';
import { formatAmount, parseAmount } from '../../../src/core/base/amount.ts';
import { seconds } from '../../../src/core/base/clock.ts';
import type { Micros } from '../../../src/core/base/clock.ts';
import { Random } from '../../../src/core/base/random.ts';
import { Instruments } from '../../../src/core/model/instrument.ts';
import { Exchange } from '../../../src/exchange/matching/exchange.ts';
import { ladder, others, us } from '../../support/ladder.ts';
import type { Ladder } from '../../support/ladder.ts';
import { accounts, RandomCommands, triangle } from '../../support/random-commands.ts';

// Fees in the base currency: a share of what is bought or sold. Source: API v3, "Symbol", fee_currency.

const spec = { takeRate: '0.0025', makeRate: '0.001', feeCurrency: 'AAA' };

function funds(market: Ladder, currency: string): string {
  const { available, reserved } = market.exchange.balance(us, currency);
  return `${formatAmount(available)} + ${formatAmount(reserved)}`;
}

test('a buy holds its volume alone, and brings less by the fee', () => {
  const market = ladder('| 90 | 4', { spec, funds: '1000' });
  market.buy({ price: 95, quantity: 4 });
  expect([funds(market, 'AAA'), funds(market, 'BBB')]).toEqual(['1003.99 + 0', '640 + 0']);
  const fees = market.outcomes.flatMap((one) =>
    one.kind === 'report' && one.account === us ? (one.fill?.fee ?? []) : [],
  );
  expect(fees.map(formatAmount)).toEqual(['0.01']);
  market.buy({ price: 50, quantity: 10, id: 'resting' });
  expect(funds(market, 'BBB')).toBe('140 + 500');
  market.sell({ price: 50, quantity: 4, account: others });
  expect([funds(market, 'AAA'), funds(market, 'BBB')]).toEqual(['1007.986 + 0', '140 + 300']);
  expect(formatAmount(market.exchange.collectedFees('AAA'))).toBe('0.028');
  expect(formatAmount(market.exchange.collectedFees('BBB'))).toBe('0');
});

test('a sell holds its quantity and the worst fee, and gets back what it did not pay', () => {
  const market = ladder('5 | 80 |', { spec, funds: '1000' });
  market.sell({ price: 80, quantity: 9, id: 'mine' });
  // 9 and 0.0225 were held; 5 and 0.0125 are paid; 4 and 0.01 stay held.
  expect([funds(market, 'AAA'), funds(market, 'BBB')]).toEqual(['990.9775 + 4.01', '1400 + 0']);
  market.buy({ price: 80, quantity: 1, account: others });
  expect(funds(market, 'AAA')).toBe('990.979 + 3.0075');
  market.buy({ price: 80, quantity: 3, account: others });
  expect([funds(market, 'AAA'), funds(market, 'BBB')]).toEqual(['990.9835 + 0', '1720 + 0']);
});

test('a sell whose quantity leaves nothing for the fee is refused, also at market; a rebate is paid in base', () => {
  const market = ladder('1000 | 1 |', { spec, funds: '1000' });
  expect(market.sell({ price: 90, quantity: 998 })).toEqual(['refused INSUFFICIENT_FUNDS']);
  expect(market.sell({ type: 'market', quantity: 998 })).toEqual(['refused INSUFFICIENT_FUNDS']);
  expect(market.sell({ type: 'market', quantity: 997 })).toEqual(['new', 'trade 997@1 filled']);
  expect(funds(market, 'AAA')).toBe('0.5075 + 0');
  const paid = ladder('', { spec: { ...spec, makeRate: '-0.001' }, funds: '1000' });
  paid.sell({ price: 100, quantity: 2 });
  paid.buy({ price: 100, quantity: 2, account: others });
  expect(funds(paid, 'AAA')).toBe('998.002 + 0');
});

test('fees in a third currency are taken from its wallet at the rate of the moment, cut as they are printed, and rebates paid into it', () => {
  let rate = '2.5';
  const market = ladder('', {
    spec: { takeRate: '0.0033', makeRate: '-0.001', feeCurrency: 'FEE' },
    funds: '1000',
    options: { thirdRate: () => parseAmount(rate) },
  });
  const fees = (account: typeof us): string =>
    formatAmount(market.exchange.balance(account, 'FEE').available);
  const pay = (account: typeof us): void =>
    void market.do({ kind: 'adjustBalance', account, currency: 'FEE', change: parseAmount('5') });
  pay(others);
  market.sell({ price: 90, quantity: 4, account: others });
  // 360 × 0.0033 × 2.5.
  expect(market.buy({ price: 95, quantity: 4 })).toEqual(['refused INSUFFICIENT_FUNDS']);
  pay(us);
  // A buy holds its volume alone.
  market.buy({ price: 80, quantity: 5, id: 'waits' });
  expect(funds(market, 'BBB')).toBe('600 + 400');
  market.buy({ price: 95, quantity: 4 });
  expect([funds(market, 'AAA'), funds(market, 'BBB')]).toEqual(['1004 + 0', '240 + 400']);
  expect([fees(us), fees(others)]).toEqual(['2.03', '5.9']);
  // 80 × 0.001 × 1/3, cut after twelve decimals: what is printed is what is paid.
  rate = '0.333333333333333333333333';
  market.sell({ price: 80, quantity: 1, account: others });
  expect([fees(us), fees(others)]).toEqual(['2.056666666666', '5.812000000001']);
  expect(formatAmount(market.exchange.collectedFees('FEE'))).toBe('2.131333333333');
  // At the worst rate, 85 × 0.0033 × 10.
  rate = '10';
  expect(market.sell({ price: 85, quantity: 1 })).toEqual(['refused INSUFFICIENT_FUNDS']);
});

test('a fee in a third currency that became dearer than its wallet takes what is there', () => {
  let rate = '1';
  const market = ladder('', {
    spec: { takeRate: '0', makeRate: '0.001', feeCurrency: 'FEE' },
    funds: '1000',
    options: { thirdRate: () => parseAmount(rate) },
  });
  market.do({ kind: 'adjustBalance', account: us, currency: 'FEE', change: parseAmount('0.5000000000009') });
  market.do({ kind: 'adjustBalance', account: others, currency: 'FEE', change: parseAmount('500') });
  market.buy({ price: 80, quantity: 5 });
  rate = '10';
  market.sell({ price: 80, quantity: 5, account: others });
  const fees = market.outcomes.flatMap((one) =>
    one.kind === 'report' && one.account === us ? (one.fill?.fee ?? []) : [],
  );
  expect(fees.map(formatAmount)).toEqual(['0.5']);
  expect(formatAmount(market.exchange.balance(us, 'FEE').available)).toBe('0.0000000000009');
});

test.each(['base', 'third'])(
  'in the %s currency neither make nor lose money, with lists, stops and replacements',
  (which) => {
    const third = ['CCC', 'AAA', 'BBB'];
    const specs = triangle().all.map(({ id, spec }) => ({
      ...spec,
      feeCurrency: which === 'base' ? spec.baseCurrency : (third[id] ?? ''),
    }));
    fc.assert(
      fc.property(fc.integer(), (seed) => {
        const exchange = new Exchange({
          instruments: new Instruments(specs),
          options: { idReuseAfter: seconds(20), windowTicks: 1_024, thirdRate: () => parseAmount('7.3') },
        });
        const commands = new RandomCommands(new Random(seed), (Date.UTC(2024, 0, 1) * 1_000) as Micros);
        const deposited = new Map<string, bigint>();
        for (let i = 0; i < 1_500; i++) {
          const command = commands.next();
          const outcomes = exchange.handle(command, commands.now);
          commands.observe(outcomes);
          if (command.kind !== 'adjustBalance' || outcomes.some((one) => one.kind === 'refused')) continue;
          deposited.set(command.currency, (deposited.get(command.currency) ?? 0n) + command.change);
        }
        for (const [currency, amount] of deposited) {
          const balances = accounts.map((account) => exchange.balance(account, currency));
          expect(balances.every(({ available, reserved }) => available >= 0n && reserved >= 0n)).toBe(true);
          const held = balances.reduce((sum, { available, reserved }) => sum + available + reserved, 0n);
          expect(held + exchange.collectedFees(currency), currency).toBe(amount);
        }
        for (const account of accounts)
          exchange.handle({ kind: 'cancelAll', account, instrument: undefined }, commands.now);
        for (const account of accounts)
          for (const currency of deposited.keys())
            expect(exchange.balance(account, currency).reserved, `${account} ${currency}`).toBe(0n);
      }),
      { numRuns: 30 },
    );
  },
);
