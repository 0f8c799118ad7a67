import { describe, expect, test } from 'vitest';
import { defineStrategy, map, millis, z } from '../../../src/core/strategy/index.ts';
import type {
  StrategyContext,
  StrategyDefinition,
  StrategyHandlers,
} from '../../../src/core/strategy/index.ts';
import { Scene } from './scene.ts';

const symbol = 'ETHBTC';

function strategy(
  create: (context: StrategyContext<unknown>) => StrategyHandlers,
  name = 'faulty',
): StrategyDefinition {
  const feeds = () => [{ symbol, book: true, trades: true, ticker: true, candles: ['M1' as const] }];
  return defineStrategy({ name, params: z.strictObject({}), feeds, create });
}

/** The sentence, and after it the line of this file that threw. */
function thrownHere(said: string): RegExp {
  return new RegExp(`^${said.replaceAll('\\', '\\\\')} \\(faults\\.test\\.ts:\\d+:\\d+\\)$`);
}

/** Drives every callback once, with a healthy strategy beside the faulty one; returns what the healthy one received. */
function drive(scene: Scene, faulty: StrategyDefinition): string[] {
  const received: string[] = [];
  const hear = (what: string) => () => void received.push(what);
  const healthy = strategy(
    ({ orders, timers }) => ({
      onStart() {
        received.push('onStart');
        timers.after(millis(50), 'one');
        orders.place({ symbol, side: 'buy', price: 90, quantity: 4 });
      },
      onTicker: hear('onTicker'),
      onBook: hear('onBook'),
      onTrade: hear('onTrade'),
      onCandle: hear('onCandle'),
      onOrder: hear('onOrder'),
      onFill: hear('onFill'),
      onBalance: hear('onBalance'),
      onPosition: hear('onPosition'),
      onTimer: hear('onTimer'),
      onOutage: hear('onOutage'),
      onStop: hear('onStop'),
    }),
    'healthy',
  );
  const first = scene.add(faulty, {}, 'faulty', 'bad');
  const second = scene.add(healthy, {}, 'healthy', 'good');
  first.start();
  second.start();
  const { id } = scene.instruments.get(symbol);
  scene.book([[100, 5]], [[101, 5]]);
  scene.trade(100, 1);
  const none = undefined;
  const ticker = {
    instrument: id,
    time: scene.clock.now(),
    bid: none,
    bidQuantity: none,
    ask: none,
    askQuantity: none,
    last: none,
    open: none,
    high: none,
    low: none,
    volume: none,
    volumeQuote: none,
  };
  scene.publish({ kind: 'ticker', ...scene.times, instrument: id, ticker });
  scene.wait(60_000);
  scene.trade(101, 1);
  for (const order of scene.open()) scene.fill(order.clientOrderId, 1);
  const balance = { currency: 'BTC', available: 5n as never, reserved: 0n as never };
  scene.publish({ kind: 'balances', ...scene.times, complete: false, balances: [balance] });
  scene.publish({ kind: 'sessionDown', ...scene.times, session: 'market', why: 'cut' });
  first.stop();
  second.stop();
  return received;
}

const callbacks = [
  'onStart',
  'onTicker',
  'onBook',
  'onTrade',
  'onCandle',
  'onOrder',
  'onFill',
  'onBalance',
  'onPosition',
  'onTimer',
  'onOutage',
  'onStop',
] as const;

function breaking(callback: (typeof callbacks)[number], fault: () => unknown): StrategyDefinition {
  return strategy(({ orders, timers }) => {
    const broken = { [callback]: fault } as StrategyHandlers;
    return {
      ...broken,
      onStart() {
        if (callback === 'onStart') return void (broken.onStart as () => unknown)();
        timers.after(millis(50), 'one');
        orders.place({ symbol, side: 'buy', price: 91, quantity: 4 });
      },
    };
  });
}

describe('a faulty strategy', () => {
  const undisturbed = drive(
    new Scene(),
    strategy(() => ({})),
  );

  test.each(callbacks)('that throws in %s is stopped once, and others miss nothing (S1)', (callback) => {
    const scene = new Scene();
    const faulty = breaking(callback, () => {
      throw new Error('boom\nforged line');
    });
    expect(drive(scene, faulty)).toEqual(undisturbed);
    const stops = scene.of('strategyStopped').filter((event) => event.strategy === 'faulty');
    const said = `${callback} threw Error: boom\\u000aforged line`;
    expect(stops.map(({ why }) => why)[0]).toMatch(thrownHere(said));
    // A throw in onStop is followed by nothing: the strategy is already stopped.
    expect(stops.length).toBeLessThanOrEqual(callback === 'onStop' ? 2 : 1);
  });

  test.each(callbacks.filter((name) => name !== 'onStart'))(
    'that answers %s with a promise is stopped, and a rejection harms nobody (S1)',
    async (callback) => {
      const scene = new Scene();
      const faulty = breaking(callback, async () => {
        throw new Error('late');
      });
      expect(drive(scene, faulty)).toEqual(undisturbed);
      const [stop] = scene.of('strategyStopped').filter((event) => event.strategy === 'faulty');
      expect(stop?.why).toBe(
        `${callback} returned a promise; handlers are synchronous and must return nothing`,
      );
      await Promise.resolve();
    },
  );

  test('that throws in create, or something that is no error, is stopped', () => {
    const scene = new Scene();
    scene
      .add(
        strategy(() => {
          // oxlint-disable-next-line no-throw-literal, typescript/only-throw-error
          throw 'text';
        }),
        {},
      )
      .start();
    expect(scene.of('strategyStopped')[0]?.why).toBe('create threw something that is no Error: text');
  });

  test('that throws in a stream, behind an operator or before one, is stopped in the same turn (S1)', () => {
    for (const place of ['subscriber', 'operator'] as const) {
      const scene = new Scene();
      const boom = (): never => {
        throw new Error(place);
      };
      const faulty = strategy(({ market }) => {
        const books$ = market.books$(symbol);
        if (place === 'subscriber') books$.pipe(map((book) => book.bestBid)).subscribe(boom);
        else books$.pipe(map(boom)).subscribe();
        return {};
      });
      expect(drive(scene, faulty)).toEqual(undisturbed);
      const [stop] = scene.of('strategyStopped');
      expect(stop).toMatchObject({
        strategy: 'faulty',
        why: expect.stringMatching(thrownHere(`a stream subscriber threw Error: ${place}`)),
      });
    }
  });

  test('that publishes inside a handler keeps the order of events for all (S5)', () => {
    const scene = new Scene();
    const seen: string[] = [];
    const watcher = (name: string) =>
      strategy(
        ({ orders }) => ({
          onBook(book) {
            seen.push(`${name} book ${book.bestBid}`);
            if (name === 'first') orders.place({ symbol, side: 'buy', price: 1, quantity: 1 });
          },
          onOrder: (order) => void seen.push(`${name} ${order.state}`),
        }),
        name,
      );
    for (const name of ['first', 'second']) scene.add(watcher(name), {}, name, name).start();
    scene.book([[100, 5]], [[101, 5]]);
    expect(seen).toEqual(['first book 100', 'second book 100', 'first pending', 'first new']);
    expect(scene.events.map(({ kind }) => kind)).toEqual([
      'bookSnapshot',
      'intent',
      'orderPending',
      'orderReport',
    ]);
  });

  test('cannot change its parameters or its context (S6)', () => {
    const scene = new Scene();
    const definition = defineStrategy({
      name: 'vandal',
      params: z.strictObject({ deep: z.strictObject({ list: z.array(z.int()) }) }),
      feeds: () => [],
      create: (context) => ({
        onStart: () => void (context.params.deep.list as number[]).push(4),
      }),
    });
    scene.add(definition, { deep: { list: [1] } }).start();
    expect(scene.of('strategyStopped')[0]?.why).toContain('onStart threw TypeError');
  });

  test.each([
    [
      'a quantity that is NaN',
      { quantity: Number.NaN },
      'expected the quantity of ETHBTC to be a whole number of lots, found NaN',
    ],
    [
      'an infinite price',
      { price: Number.POSITIVE_INFINITY },
      'expected the price of ETHBTC to be a whole number of ticks, found Infinity',
    ],
    ['half a lot', { quantity: 0.5 }, 'whole number of lots, found 0.5'],
    ['an exponent off the grid', { price: '1e-7' }, 'multiple of 0.000001, found 1e-7'],
    ['an exponent and a sign', { price: '-1e-6' }, 'decimal of 0 or more, found "-1e-6"'],
    ['an exponent without an end', { price: '1e999' }, 'decimal of 0 or more, found "1e999"'],
    ['a sign', { quantity: '-1' }, 'decimal of 0 or more, found "-1"'],
    ['a price off the grid', { price: '0.0000015' }, 'multiple of 0.000001, found 0.0000015'],
    ['an unknown symbol', { symbol: 'NOPE' }, 'there is no symbol "NOPE"'],
    ['a stop price without a type', { stopPrice: 5 }, 'needs its type'],
  ])('that places %s is stopped with a sentence and nothing is sent (S7)', (_what, change, sentence) => {
    const scene = new Scene();
    const order = { symbol, side: 'buy' as const, price: 100, quantity: 1, ...change };
    scene
      .add(
        strategy(({ orders }) => ({ onStart: () => void orders.place(order) })),
        {},
      )
      .start();
    expect(scene.of('strategyStopped')[0]?.why).toContain(sentence);
    expect(scene.intents()).toEqual([]);
  });

  test('that places text with an exponent, as decimal libraries print it, asks for its exact value', () => {
    const scene = new Scene();
    const order = { symbol, side: 'buy' as const, price: '1.5e-5', quantity: '2e-4' };
    scene
      .add(
        strategy(({ orders }) => ({ onStart: () => void orders.place(order) })),
        {},
      )
      .start();
    expect(scene.of('strategyStopped')).toEqual([]);
    expect(scene.intents()).toMatchObject([{ request: { price: 15, quantity: 2 } }]);
  });

  test('that acts after it was unloaded reaches nothing (S8)', () => {
    const scene = new Scene();
    let leaked: StrategyContext<unknown> | undefined;
    const host = scene.add(
      strategy((context) => {
        leaked = context;
        return { onStop: () => context.orders.cancelAll() };
      }),
      {},
    );
    host.start();
    host.stop();
    expect(scene.events.map(({ kind }) => kind)).toEqual(['intent', 'strategyStopped']);
    leaked?.orders.place({ symbol, side: 'buy', price: 1, quantity: 1 });
    leaked?.timers.every(millis(1), 'zombie');
    scene.wait(100);
    expect(scene.events).toHaveLength(2);
  });

  test('that was stopped from outside gets no more calls and reports nothing', () => {
    const scene = new Scene();
    let calls = 0;
    const host = scene.add(
      strategy(() => ({ onBook: () => void (calls += 1), onStop: () => void (calls += 1) })),
      {},
    );
    host.start();
    scene.publish({ kind: 'strategyStopped', ...scene.times, strategy: 'faulty', why: 'latched off' });
    scene.book([[100, 5]], [[101, 5]]);
    host.stop();
    expect(calls).toBe(0);
    expect(scene.of('strategyStopped')).toHaveLength(1);
  });
});
