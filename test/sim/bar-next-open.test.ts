import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { CandlesChanged, Event } from '../../src/core/model/event.ts';
import type { Candle } from '../../src/core/model/market.ts';
import type { BarFillsInput } from '../support/bar-fills.ts';
import { BarWorld } from './bar-world.ts';

const begin = 1_600_000_020_000_000;
const minute = 60_000_000;

/** Calls `act` with the number of each bar, from 1 on, as it is reported as closed. */
function onClosed(world: BarWorld, act: (bar: number, event: CandlesChanged) => void): void {
  let bars = 0;
  world.hear = (event: Event) => {
    if (event.kind !== 'candles' || event.candles.length < 2) return;
    bars += 1;
    act(bars, event);
  };
}

const flat = (world: BarWorld, ...prices: readonly number[]): void => {
  for (const price of prices) world.bar(price, price, price, price);
};

describe('with nextOpen', () => {
  test('a closed bar is reported at its end, and a market order sent then fills at the next open', () => {
    const world = new BarWorld();
    const noted: number[] = [];
    onClosed(world, (bar, { exchangeTime }) => {
      noted.push((exchangeTime - begin) / minute);
      if (bar === 1) world.order({ side: 'buy', quantity: 2 });
    });
    world.bar(100, 110, 90, 105);
    world.bar(107, 120, 101, 118);
    world.venue.finish();
    expect(noted).toEqual([1, 2]);
    expect(world.fills).toEqual(['buy 2 at 107.0']);
  });

  test('nothing of a bar is reported before its end, its open neither', () => {
    const world = new BarWorld();
    flat(world, 100);
    world.bar(107, 120, 101, 118);
    const prices = world.noted.flatMap((event) =>
      event.kind === 'candles' ? event.candles.map(({ close }) => Number(close / 10n ** 24n)) : [],
    );
    expect(prices).toEqual([100, 100, 100]);
  });

  test('a gap at the open is met at the open, and the last bar is reported too, but its orders are never filled', () => {
    const world = new BarWorld();
    onClosed(world, () => world.order({ side: 'buy', quantity: 1 }));
    flat(world, 100, 50);
    world.venue.finish();
    expect(world.fills).toEqual(['buy 1 at 50.0']);
  });

  test('a cancel that is decided on the closed bar comes before the open that would have filled', () => {
    const world = new BarWorld();
    let id = '';
    onClosed(world, (bar) => {
      if (bar === 1) id = world.order({ side: 'buy', quantity: 1, price: 95 });
      if (bar === 2) world.cancel(id);
    });
    flat(world, 100, 99, 90);
    world.venue.finish();
    expect([world.fills, world.reports(id)]).toEqual([[], ['new', 'canceled']]);
  });

  test('a replacement that is decided on the closed bar meets the next open', () => {
    const world = new BarWorld();
    let id = '';
    onClosed(world, (bar) => {
      if (bar === 1) id = world.order({ side: 'buy', quantity: 1, price: 80 });
      if (bar === 2) world.replace(id, 1, 98);
    });
    flat(world, 100, 100, 97);
    world.venue.finish();
    expect(world.fills).toEqual(['buy 1 at 97.0']);
  });

  test.each([
    ['a limit order that the open is through takes there', { price: 100 }, ['new', 'trade'], true],
    ['one that the open does not reach rests', { price: 80 }, ['new'], undefined],
    ['one that rests fills later, as a maker', { price: 91 }, ['new', 'trade'], false],
    ['IOC that the open reaches fills', { price: 100, timeInForce: 'IOC' }, ['new', 'trade'], true],
    ['IOC that it does not reach expires', { price: 91, timeInForce: 'IOC' }, ['new', 'expired'], undefined],
    ['FOK that it reaches fills', { price: 100, timeInForce: 'FOK' }, ['new', 'trade'], true],
    ['FOK that it does not reach expires', { price: 91, timeInForce: 'FOK' }, ['new', 'expired'], undefined],
    ['post-only that would take expires', { price: 100, postOnly: true }, ['new', 'expired'], undefined],
    ['post-only that would not rests', { price: 91, postOnly: true }, ['new', 'trade'], false],
  ] as const)('%s', (_, asked, reports, taker) => {
    const world = new BarWorld();
    let id = '';
    onClosed(world, (bar) => {
      if (bar === 1) id = world.order({ side: 'buy', quantity: 1, ...asked });
    });
    flat(world, 105);
    world.bar(95, 96, 90, 94);
    world.venue.finish();
    expect(world.reports(id)).toEqual(reports);
    expect(world.takers[0]).toBe(taker);
  });

  test('a bracket on a fill at the open acts within that bar', () => {
    const world = new BarWorld({ path: 'highFirst', account: { kind: 'margin' } });
    let entered = false;
    world.hear = (event) => {
      if (event.kind === 'candles' && event.candles.length === 2 && !entered) {
        entered = true;
        world.order({ side: 'buy', quantity: 1 });
      }
      if (event.kind === 'orderReport' && event.fill !== undefined && event.order.side === 'buy')
        world.order({ side: 'sell', quantity: 1, type: 'stopMarket', stop: 92 });
    };
    flat(world, 100);
    world.bar(95, 96, 90, 94);
    world.venue.finish();
    expect(world.fills).toEqual(['buy 1 at 95.0', 'sell 1 at 92.0']);
  });
});

interface Asked {
  readonly bar: number;
  readonly side: 'buy' | 'sell';
  readonly kind: 'market' | 'limit' | 'IOC' | 'FOK' | 'postOnly' | 'stop' | 'stopLimit';
  readonly away: number;
}

test('what closed bars decide fills alike with nextOpen and open, whatever is asked for: the open alone is not seen', () => {
  const bar = fc.tuple(
    fc.integer({ min: 80, max: 120 }),
    fc.integer({ min: 80, max: 120 }),
    fc.nat(6),
    fc.nat(6),
  );
  const asked: fc.Arbitrary<Asked> = fc.record({
    bar: fc.integer({ min: 1, max: 12 }),
    side: fc.constantFrom('buy', 'sell'),
    kind: fc.constantFrom('market', 'limit', 'IOC', 'FOK', 'postOnly', 'stop', 'stopLimit'),
    away: fc.integer({ min: -12, max: 12 }),
  });
  const paths = fc.constantFrom('nearest', 'highFirst', 'lowFirst', 'pessimistic');
  const bars = fc.array(bar, { minLength: 14, maxLength: 14 });
  fc.assert(
    fc.property(bars, fc.array(asked, { maxLength: 12 }), paths, (rows, orders, path) => {
      const of = (market: 'nextOpen' | 'open'): readonly unknown[] => {
        const rules: Omit<BarFillsInput, 'model'> = {
          market,
          path,
          slippage: { rate: '0.002' },
          account: { kind: 'margin' },
        };
        const world = new BarWorld(rules, { USD: '1000000' });
        onClosed(world, (closed) => {
          for (const one of orders) if (one.bar === closed) send(world, one);
        });
        for (const [open, close, up, down] of rows)
          world.bar(open, Math.max(open, close) + up, Math.min(open, close) - down, close);
        world.venue.finish();
        return [world.fills, world.takers, world.figures];
      };
      expect(of('nextOpen')).toEqual(of('open'));
    }),
    { numRuns: 300 },
  );
});

function send(world: BarWorld, { side, kind, away }: Asked): void {
  const price = 100 + away;
  if (kind === 'market') world.order({ side, quantity: 1 });
  else if (kind === 'limit') world.order({ side, quantity: 1, price });
  else if (kind === 'postOnly') world.order({ side, quantity: 1, price, postOnly: true });
  else if (kind === 'stop') world.order({ side, quantity: 1, type: 'stopMarket', stop: price });
  else if (kind === 'stopLimit')
    world.order({ side, quantity: 1, type: 'stopLimit', stop: price, price: price + 1 });
  else world.order({ side, quantity: 1, price, timeInForce: kind });
}

describe('periods without a bar', () => {
  const marked = (candles: readonly Candle[]): readonly unknown[] =>
    candles.map(({ time, unpriced }) => [(time - begin) / minute, unpriced]);

  test.each(['nextOpen', 'close'] as const)('no closed candle is reported of them: %s', (market) => {
    const world = new BarWorld({ market });
    const noted: unknown[] = [];
    onClosed(world, (_, { candles }) => noted.push(marked(candles)));
    flat(world, 100);
    world.skip(2);
    flat(world, 101);
    world.venue.finish();
    expect(noted).toEqual([
      [
        [0, undefined],
        [1, 'begun'],
      ],
      [
        [3, undefined],
        [4, 'begun'],
      ],
    ]);
  });

  test.each(['nextOpen', 'close'] as const)('missing: flat tells each at its end, marked: %s', (market) => {
    const world = new BarWorld({ market, missing: 'flat' });
    const noted: unknown[] = [];
    onClosed(world, (_, { candles, exchangeTime }) => {
      noted.push([(exchangeTime - begin) / minute, marked(candles.slice(0, 1))]);
    });
    flat(world, 100);
    world.skip(2);
    flat(world, 101);
    world.venue.finish();
    expect(noted).toEqual([
      [1, [[0, undefined]]],
      [2, [[1, 'missing']]],
      [3, [[2, 'missing']]],
      [4, [[3, undefined]]],
    ]);
  });
});
