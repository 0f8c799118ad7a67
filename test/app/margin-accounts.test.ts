import { expect, test } from 'vitest';
import { accountName, accountText, accountsOf, heldOf } from '../../src/app/live/margin-accounts.ts';
import { followedProducts } from '../../src/app/live/subscriptions.ts';
import { parseAmount, zero } from '../../src/core/base/amount.ts';
import type { Micros } from '../../src/core/base/clock.ts';
import type { Lots, Ticks } from '../../src/core/model/instrument.ts';
import type { OpenMarginAccount, PositionView } from '../../src/core/model/margin.ts';
import type { StateView } from '../../src/core/state/view.ts';
import { twoInstruments } from '../venues/hitbtc/client/support/instruments.ts';

const instruments = twoInstruments();
const first = instruments.get('AAABBB');
const second = instruments.get('CCCBBB');
const time = 0 as Micros;

const position: PositionView = {
  id: 7,
  instrument: first.id,
  mode: 'cross',
  leverage: parseAmount('10'),
  quantity: parseAmount('-0.5'),
  pnl: parseAmount('1.25'),
  feeCumulative: zero,
  entry: parseAmount('30'),
  marginCall: undefined,
  liquidation: 3_250 as Ticks,
  createdAt: time,
  updatedAt: time,
  auto: false,
  amr: false,
};
const cross: OpenMarginAccount = {
  product: 'margin',
  account: {
    mode: 'cross',
    instrument: undefined,
    currency: 'BBB',
    leverage: undefined,
    balance: parseAmount('50'),
    reservedOrders: zero,
    reservedPositions: parseAmount('1.5'),
    callMargin: zero,
    liquidationMargin: zero,
    positions: [position],
    called: true,
    auto: false,
    amr: false,
    createdAt: time,
    updatedAt: time,
  },
};
const view = {
  marginAccounts: () => [cross],
  openOrders: () => [],
  positions: () =>
    [20, 5, -50].map((lots) => ({ instrument: first.id, held: first.quantityAmount(lots as Lots) })),
  netPosition: () => 0,
} as unknown as StateView;

test('a margin account is one line: whose it is, its money, its positions, and a margin call', () => {
  expect(accountName(cross, instruments)).toBe('margin cross BBB');
  expect(accountText(cross, instruments)).toBe(
    'balance 50 BBB, AAABBB -0.5 at 30.00, leverage 10, liquidation at 32.50, margin call',
  );
});

test('what is held of a symbol is the sum of spot and margin; the row of a symbol has the accounts that bear it', () => {
  expect(heldOf(view, first.id)).toBe(first.quantityAmount(-25 as Lots));
  expect(accountsOf(view, second)).toEqual([]);
  expect(accountsOf(view, first)).toEqual([
    {
      product: 'margin',
      mode: 'cross',
      currency: 'BBB',
      balance: '50',
      reservedOrders: '0',
      reservedPositions: '1.5',
      marginCalled: true,
      position: {
        quantity: '-0.5',
        entry: '30',
        leverage: '10',
        profit: '1.25',
        marginCall: null,
        liquidation: '32.50',
      },
    },
  ]);
});

test('a run follows the products of its strategies and what earlier runs left, in one order', () => {
  const spot = { products: ['spot'] } as const;
  expect(followedProducts([spot], undefined)).toEqual(['spot']);
  expect(followedProducts([{ products: ['futures'] }, spot], undefined)).toEqual(['spot', 'futures']);
  expect(followedProducts([spot], { view, instruments })).toEqual(['spot', 'margin']);
});
