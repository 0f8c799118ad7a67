import { expect, test } from 'vitest';
import { parseAmount, zero } from '../../../../src/core/base/amount.ts';
import type { Micros } from '../../../../src/core/base/clock.ts';
import { BadInput } from '../../../../src/core/base/errors.ts';
import type { Ticks } from '../../../../src/core/model/instrument.ts';
import type { MarginAccountView, PositionView } from '../../../../src/core/model/margin.ts';
import {
  decodeMarginAccount,
  decodeMarginMark,
  decodePosition,
  MarginObjects,
} from '../../../../src/venues/hitbtc/wire/resources/margin-model.ts';
import { twoInstruments } from '../client/support/instruments.ts';

const instruments = twoInstruments();
const moment = 1_704_164_646_100_000 as Micros;
const [first, second] = instruments.all as [(typeof instruments.all)[0], (typeof instruments.all)[0]];

const position: PositionView = {
  id: 631,
  instrument: first.id,
  mode: 'isolated',
  leverage: parseAmount('10'),
  quantity: parseAmount('-2'),
  pnl: parseAmount('-1.25'),
  feeCumulative: parseAmount('0.002'),
  entry: parseAmount('10'),
  marginCall: 1_070 as Ticks,
  liquidation: 1_090 as Ticks,
  createdAt: moment,
  updatedAt: moment,
  auto: false,
  amr: true,
};
const isolated: MarginAccountView = {
  mode: 'isolated',
  instrument: first.id,
  currency: 'BBB',
  leverage: parseAmount('10'),
  balance: parseAmount('50.123456789012'),
  reservedOrders: parseAmount('1.5'),
  reservedPositions: parseAmount('2.055'),
  // The wire shows them of cross accounts alone.
  callMargin: zero,
  liquidationMargin: zero,
  positions: [position],
  called: true,
  auto: false,
  amr: true,
  createdAt: moment,
  updatedAt: moment,
};
const cross: MarginAccountView = {
  ...isolated,
  mode: 'cross',
  instrument: undefined,
  leverage: undefined,
  balance: parseAmount('-3.5'),
  callMargin: parseAmount('7'),
  liquidationMargin: parseAmount('6'),
  positions: [
    { ...position, mode: 'cross' },
    {
      ...position,
      id: 632,
      instrument: second.id,
      mode: 'cross',
      quantity: parseAmount('3'),
      marginCall: undefined,
    },
  ],
  called: false,
  auto: true,
};

test.each(['lower', 'capital'] as const)(
  'what the exchange prints of an account is read again: modes in %s case',
  (spelling) => {
    const objects = new MarginObjects('v3', instruments, spelling);
    for (const account of [isolated, cross, { ...isolated, balance: parseAmount('-1'), positions: [] }]) {
      const json = JSON.parse(JSON.stringify(objects.account(account))) as object;
      expect(decodeMarginAccount(json, instruments)).toEqual({
        reportType: 'status',
        reason: 'status',
        account,
      });
    }
  },
);

test('a report says why it came; words of a later version mean a change', () => {
  const report = { reportType: 'closed', reason: 'liquidated' } as const;
  const json = new MarginObjects('v3', instruments).account({ ...isolated, positions: [] }, report);
  expect(decodeMarginAccount(json, instruments)).toMatchObject(report);
  expect(
    decodeMarginAccount({ ...json, report_type: 'moved', report_reason: 'houseRules' }, instruments),
  ).toMatchObject({ reportType: 'updated', reason: 'updated' });
});

test('a position that is reported by itself is read, with its mode in either case', () => {
  const objects = new MarginObjects('v3', instruments, 'capital');
  const json = objects.position(
    { ...position, mode: 'cross' },
    { reportType: 'updated', reason: 'amrChanged' },
  );
  expect(decodePosition(json, instruments)).toEqual({
    reportType: 'updated',
    reason: 'amrChanged',
    position: { ...position, mode: 'cross' },
  });
});

test('symbols of others are left out: an isolated account, a position of a cross account, a position', () => {
  const objects = new MarginObjects('v3', instruments);
  const others = twoInstruments().all.slice(1);
  const some = {
    find: (symbol: string) => others.find((one) => one.symbol === symbol),
  } as typeof instruments;
  expect(decodeMarginAccount(objects.account(isolated), some)).toBeUndefined();
  expect(decodePosition(objects.position(position), some)).toBeUndefined();
  const read = decodeMarginAccount(objects.account(cross), some);
  expect(read?.account.positions.map(({ id }) => id)).toEqual([632]);
});

test('a boundary between two ticks is the one met first', () => {
  const json = new MarginObjects('v3', instruments).position(position);
  const at = (quantity: string, price: string) =>
    decodePosition({ ...json, quantity, price_liquidation: price, price_margin_call: '' }, instruments)
      ?.position;
  expect(at('-2', '10.905')).toMatchObject({ liquidation: 1_090, marginCall: undefined });
  expect(at('2', '10.905')).toMatchObject({ liquidation: 1_091 });
  expect(at('2', '0')?.liquidation).toBeUndefined();
});

test('an account without money cannot be read, and the error names the member', () => {
  const json = new MarginObjects('v3', instruments).account(isolated);
  expect(() => decodeMarginAccount({ ...json, currencies: [] }, instruments)).toThrow(/member currencies/);
  expect(() => decodeMarginAccount({ ...json, positions: [{ id: 1 }] }, instruments)).toThrow(BadInput);
});

test('what margin adds to an order is read in either spelling, and is absent of a spot order', () => {
  const mark = { mode: 'cross', reduceOnly: true, closePosition: false, auto: true } as const;
  for (const spelling of ['lower', 'capital'] as const) {
    const members = new MarginObjects('v3', instruments, spelling).orderMembers(mark);
    expect(decodeMarginMark(members)).toEqual(mark);
  }
  expect(decodeMarginMark({ client_order_id: 'gw-test-00001' })).toBeUndefined();
});
