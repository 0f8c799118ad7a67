import { expect, test } from 'vitest';
import { BeforeOpening } from '../../../src/app/audit/before-opening.ts';
import { formatAmount, parseAmount, zero } from '../../../src/core/base/amount.ts';
import { micros } from '../../../src/core/base/clock.ts';
import type { LedgerEntry } from '../../../src/core/ledger/index.ts';
import type { Event, OwnTrade } from '../../../src/core/model/event.ts';
import type { Lots, Ticks } from '../../../src/core/model/instrument.ts';
import { Instruments } from '../../../src/core/model/instrument.ts';
import type { ClientOrderId } from '../../../src/core/model/order.ts';

// Opening balances of both wallets are of second 10.

const terms = { quoteCurrency: 'BBB', feeCurrency: 'BBB', tickSize: '1', quantityIncrement: '1' } as const;
const rates = { takeRate: '0.001', makeRate: '0', marginTrading: true, status: 'working' } as const;
const instruments = new Instruments([
  { symbol: 'AAABBB', type: 'spot', baseCurrency: 'AAA', ...terms, ...rates },
  { symbol: 'AAABBB_PERP', type: 'futures', baseCurrency: 'AAA', ...terms, ...rates },
]);
const [spot, perpetual] = [instruments.get('AAABBB').id, instruments.get('AAABBB_PERP').id];

const at = (second: number) => micros(second * 1_000_000);
const opened = new Map([
  ['spot', at(10)],
  ['futures', at(10)],
] as const);

function event(kind: Event['kind'], more: object): Event {
  return { kind, exchangeTime: at(60), receiveTime: at(60), ...more } as unknown as Event;
}

function share(amount: string, second: number): LedgerEntry {
  const of = { kind: 'funding', instrument: perpetual, account: 'cross', strategy: 'one' } as const;
  return { ...of, amount: parseAmount(amount), time: at(second), derived: true };
}

function correction(second: number, fee: string, holds: string): LedgerEntry {
  const trade = {
    instrument: spot,
    tradeId: `${second}`,
    clientOrderId: 'one' as ClientOrderId,
    venueOrderId: '1',
    side: 'buy',
    price: 100 as Ticks,
    quantity: 2 as Lots,
    fee: parseAmount(fee),
    taker: true,
    time: at(second),
  } as OwnTrade;
  const of = { kind: 'correction', cause: 'fee', strategy: 'one', account: 'spot' } as const;
  return { ...of, trade, holds: { ...trade, fee: parseAmount(holds) }, realized: zero, time: at(50) };
}

function moved(amount: string, second: number): Event {
  const of = { entry: 'unexplained', wallet: 'spot', currency: 'BBB', why: '' };
  return event('moneyMoved', { moved: { ...of, amount: parseAmount(amount), time: at(second) } });
}

function found(wallet: string, amount: string, second: number): Event {
  const difference = { key: `balance ${wallet} BBB`, amount: parseAmount(amount), since: at(second) };
  return event('differenceFound', { difference });
}

type Observed = readonly [event: Event, entries?: LedgerEntry[]];

function reaches(...observed: readonly Observed[]): object {
  const before = new BeforeOpening(instruments);
  for (const [one, entries = []] of observed) before.observe(one, entries, opened);
  return Object.fromEntries(
    before
      .result()
      .entries()
      .filter(([, { least, most }]) => least !== most)
      .map(([key, { least, most }]) => [key, [least, most].map(formatAmount)]),
  );
}

test('a charge of a gap in which the opening balances were taken may be of before them or after, up to each share', () => {
  const charge = event('chargeFound', {});
  expect(reaches([charge, [share('0.3', 5), share('0.2', 15)]])).toEqual({ 'futures BBB': ['-0.3', '0.2'] });
  expect(reaches([charge, [share('-0.3', 5)]])).toEqual({ 'futures BBB': ['0', '0.3'] });
  expect(reaches([charge, [share('0.3', 14), share('0.2', 15)]])).toEqual({});
  // The shares are of later, and the difference was there before.
  expect(reaches([found('futures', '-0.1', 9)], [charge, [share('0.2', 15)]])).toEqual({
    'futures BBB': ['0', '0.2'],
  });
});

test('unexplained money of such a gap may be of after the opening balances as far as its difference grew since', () => {
  expect(reaches([found('spot', '-1', 5)], [found('spot', '-1.5', 5)], [moved('-1.5', 4)])).toEqual({
    'spot BBB': ['-0.5', '0'],
  });
  expect(reaches([found('spot', '-1', 5)], [moved('-1', 4)])).toEqual({});
  expect(reaches([found('spot', '-1', 15)], [moved('-1', 14)])).toEqual({});
});

test('a correction of an execution of before counts as far as money was booked against it', () => {
  const corrected = event('executionCorrected', {});
  const fee = correction(5, '0.1', '0.4');
  expect(reaches([corrected, [fee]], [moved('5', 14)])).toEqual({ 'spot BBB': ['-0.3', '0'] });
  expect(reaches([corrected, [fee]], [moved('0.2', 14)])).toEqual({ 'spot BBB': ['-0.2', '0'] });
  expect(reaches([corrected, [fee]], [moved('-5', 14)])).toEqual({});
  expect(reaches([corrected, [fee]])).toEqual({});
  expect(reaches([corrected, [correction(15, '0.1', '0.4')]], [moved('5', 14)])).toEqual({});
});
