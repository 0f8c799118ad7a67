import { describe, expect, test } from 'vitest';
import type { Amount } from '../../../src/core/base/amount.ts';
import { add, formatAmount, multiply, parseAmount, subtract, zero } from '../../../src/core/base/amount.ts';
import { millis, seconds } from '../../../src/core/base/clock.ts';
import { fullCapabilities } from '../../../src/core/model/capabilities.ts';
import type { Lots, Ticks } from '../../../src/core/model/instrument.ts';
import { FakeVenue } from './support/fake-venue.ts';
import { marginWorld } from './support/margin.ts';
import type { WorldParts } from './support/world.ts';
import { World } from './support/world.ts';

function running(parts: WorldParts = {}): { world: World; venue: FakeVenue } {
  const world = new World({ ready: false, ...parts });
  const venue = new FakeVenue(world);
  world.market();
  world.money({ AAA: '400', BBB: '1000000' });
  venue.up();
  world.clock.advance(seconds(60));
  return { world, venue };
}

/** The same with a wallet of contracts. */
function margin(parts: WorldParts = {}): { world: World; venue: FakeVenue } {
  const world = marginWorld(parts);
  const venue = new FakeVenue(world);
  world.money({ BBB: '507' }, '0', 'futures');
  world.clock.advance(seconds(120));
  return { world, venue };
}

const movedIn = (world: World) =>
  world.ofKind('moneyMoved').map(({ moved: { entry, wallet, amount } }) => [entry, wallet, amount]);
const rows = (world: World) =>
  world.state.differences.all.flatMap(({ kind, key, amount }) => (kind === 'balance' ? [[key, amount]] : []));
const withWallet: WorldParts = { capabilities: { ...fullCapabilities, transfers: true } };

describe('a balance that nothing explains', () => {
  test('is reported when two complete reads show it, and booked as unexplained after 90 s, once, never as profit', () => {
    const { world } = running();
    world.money({ AAA: '100' });
    world.clock.advance(seconds(70));
    expect(rows(world)).toEqual([['balance spot AAA', parseAmount('-300')]]);
    expect(world.state.differences.all[0]?.cause).toBe(
      'the spot wallet has 100 AAA, its margin accounts counted in, and by what was booked it should have 400',
    );
    expect(world.ofKind('moneyMoved')).toEqual([]);
    world.clock.advance(seconds(100));
    expect(world.ofKind('moneyMoved')).toMatchObject([
      {
        moved: {
          entry: 'unexplained',
          wallet: 'spot',
          currency: 'AAA',
          amount: parseAmount('-300'),
          why: '300 AAA left the spot wallet, and no fill, fee or charge explains it: it is booked as unexplained',
        },
      },
    ]);
    world.clock.advance(seconds(600));
    expect(rows(world)).toEqual([]);
    expect(world.ofKind('moneyMoved')).toHaveLength(1);
    expect(world.state.positions()).toEqual([]);
  });

  test('is no difference any more when the money is back, and its row ends', () => {
    const { world } = running();
    world.money({ AAA: '100' });
    world.clock.advance(seconds(70));
    world.money({ AAA: '400' });
    world.clock.advance(seconds(300));
    expect(rows(world)).toEqual([]);
    expect(world.ofKind('differenceEnded').filter(({ key }) => key.startsWith('balance'))).toMatchObject([
      { key: 'balance spot AAA', why: 'entries explain the balance to the last digit' },
    ]);
    expect(world.ofKind('moneyMoved')).toEqual([]);
  });

  test('is a transfer as far as the history of the wallet names it; the rest is unexplained', () => {
    const { world, venue } = running(withWallet);
    const time = world.clock.now();
    venue.transfers.push({ wallet: 'spot', currency: 'AAA', amount: parseAmount('-250'), time });
    world.money({ AAA: '100' });
    world.clock.advance(seconds(400));
    expect(world.ofKind('moneyMoved').map(({ moved }) => [moved.entry, moved.amount, moved.time])).toEqual([
      ['transfer', parseAmount('-250'), time],
      ['unexplained', parseAmount('-50'), expect.any(Number)],
    ]);
    world.clock.advance(seconds(400));
    expect(world.ofKind('moneyMoved')).toHaveLength(2);
  });

  test('of one wallet that the other has more is a transfer between them, whatever the key may read', () => {
    const { world } = margin();
    world.money({ BBB: '999750' });
    world.money({ BBB: '757' }, '0', 'futures');
    world.clock.advance(seconds(300));
    expect(movedIn(world)).toEqual([
      ['transfer', 'spot', parseAmount('-250')],
      ['transfer', 'futures', parseAmount('250')],
    ]);
    expect(world.ofKind('moneyMoved')[0]?.moved.why).toBe(
      '250 BBB left the spot wallet, and the futures wallet has as much more: it is booked as a transfer between them',
    );
    world.clock.advance(seconds(600));
    expect(world.ofKind('moneyMoved')).toHaveLength(2);
    expect(rows(world)).toEqual([]);
  });

  test('is the transfer whose wallets the venue does not name, and what is left of it is looked at anew', () => {
    const { world, venue } = margin(withWallet);
    const time = world.clock.now();
    for (const amount of ['250', '3'])
      venue.transfers.push({ wallet: undefined, currency: 'BBB', amount: parseAmount(amount), time });
    world.money({ BBB: '999750' });
    world.money({ BBB: '757.5' }, '0', 'futures');
    world.clock.advance(seconds(150));
    expect(movedIn(world)).toEqual([
      ['transfer', 'spot', parseAmount('-250')],
      ['transfer', 'futures', parseAmount('250')],
    ]);
    world.clock.advance(seconds(300));
    expect(movedIn(world).slice(2)).toEqual([['unexplained', 'futures', parseAmount('0.5')]]);
  });

  test('is a transfer alone where digits that are cut are all that is left', () => {
    const { world, venue } = running(withWallet);
    const time = world.clock.now();
    venue.transfers.push({ wallet: 'spot', currency: 'AAA', amount: parseAmount('-250'), time });
    world.money({ AAA: '149.9999999999995' });
    world.clock.advance(seconds(400));
    expect(world.ofKind('moneyMoved').map(({ moved }) => moved.entry)).toEqual(['transfer']);
  });

  test('is unexplained where the key may not read the wallet, and it is asked once', () => {
    const { world, venue } = running(withWallet);
    venue.mayReadWallet = false;
    for (const left of ['300', '200']) {
      world.money({ AAA: left });
      world.clock.advance(seconds(300));
    }
    expect(world.ofKind('moneyMoved').map(({ moved }) => moved.entry)).toEqual([
      'unexplained',
      'unexplained',
    ]);
    expect(venue.reads.filter(({ what }) => what.of === 'transfers')).toHaveLength(1);
  });

  test('is found though the account traded during every look before it, so that none showed it at rest', () => {
    const world = new World({ ready: false });
    const venue = new FakeVenue(world);
    world.market();
    const [base, quote] = [parseAmount('400'), parseAmount('1000000')];
    const money = (lots: number, gone: Amount): void =>
      world.money({
        AAA: formatAmount(subtract(add(base, multiply(parseAmount('0.1'), parseAmount(`${lots}`))), gone)),
        BBB: formatAmount(subtract(quote, multiply(parseAmount('9.9'), parseAmount(`${lots}`)))),
      });
    money(0, zero);
    venue.up();
    world.clock.advance(millis(200));
    const id = world.rest({ quantity: 500 as Lots, price: 9_900 as Ticks });
    world.clock.advance(millis(20));
    let lots = 0;
    for (; lots < 100; lots++) {
      venue.fillSilently(id, 1);
      const trade = venue.trades.pop();
      if (trade !== undefined) venue.trades.push({ ...trade, tradeId: `own${lots + 1}` });
      world.fill(id, 1);
      money(lots + 1, lots < 30 ? zero : parseAmount('7'));
      world.clock.advance(millis(400));
    }
    world.clock.advance(seconds(300));
    expect(movedIn(world)).toEqual([['unexplained', 'spot', parseAmount('-7')]]);
    expect(world.state.wallets.isProven).toBe(true);
  });

  test('is found by the next run, too', () => {
    const { world, venue } = running();
    venue.deafReads = Infinity;
    world.clock.advance(seconds(60));
    venue.deafReads = 0;
    const next = new World({ after: world, run: 'r2', ready: false });
    venue.attach(next);
    next.money({ AAA: '399.5' });
    venue.up(next);
    next.clock.advance(seconds(200));
    expect(next.ofKind('moneyMoved')).toMatchObject([{ moved: { amount: parseAmount('-0.5') } }]);
  });

  test('is the same in every look, however the digits that are cut change', () => {
    const { world } = running();
    for (let look = 0; look < 8; look++) {
      world.money({ AAA: look % 2 === 0 ? '100' : '100.000000000001' });
      world.clock.advance(seconds(30));
    }
    expect(world.ofKind('moneyMoved')).toHaveLength(1);
  });

  test('is none where an execution is found late that was before all looks', () => {
    const world = new World({ ready: false });
    const venue = new FakeVenue(world);
    venue.historyLagMs = 100_000;
    world.market();
    world.money({ AAA: '400', BBB: '1000000' });
    venue.trades.push({
      tradeId: 'late',
      price: 10_000 as Ticks,
      quantity: 5 as Lots,
      fee: parseAmount('0'),
      taker: false,
      time: world.clock.now(),
      instrument: world.instrument(0).id,
      clientOrderId: world.ids.next(),
      venueOrderId: 'v',
      side: 'buy',
    });
    world.clock.advance(seconds(10));
    venue.up();
    world.clock.advance(seconds(600));
    expect(world.state.netPosition(world.instrument(0).id)).toBe(5);
    expect(world.ofKind('moneyMoved')).toEqual([]);
    expect(world.state.wallets.differences).toEqual([]);
  });
});
