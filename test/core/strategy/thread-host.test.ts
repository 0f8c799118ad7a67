import { describe, expect, test } from 'vitest';
import { BadInput } from '../../../src/core/base/errors.ts';
import type { Order } from '../../../src/core/model/order.ts';
import {
  defineStrategy,
  hours,
  later,
  micros,
  millis,
  minutes,
  seconds,
  z,
} from '../../../src/core/strategy/index.ts';
import type {
  StrategyContext,
  StrategyDefinition,
  StrategyHandlers,
} from '../../../src/core/strategy/index.ts';
import { Scene } from './scene.ts';

const symbol = 'ETHBTC';
const everything = () => [{ symbol, book: true, trades: true, ticker: true, candles: ['M1' as const] }];

function strategy(
  create: (context: StrategyContext<unknown>) => StrategyHandlers,
  name = 'probe',
): StrategyDefinition {
  return defineStrategy({ name, params: z.strictObject({}), feeds: everything, create });
}

const noBook: [number, number][] = [];

describe('a strategy that asks for very much at once', () => {
  const why = 'it asked for more than 1000 orders, replacements and cancels without waiting for an answer';
  const order = { symbol, side: 'buy', price: 100, quantity: 1 } as const;

  test.each(['onBook', 'onTimer', 'onStop', 'books$'])('is ended for it in %s, others go on', (where) => {
    const scene = new Scene();
    scene.answering = false;
    let calm = 0;
    const flood = (orders: StrategyContext<unknown>['orders']): void => {
      for (let i = 0; i < 100_000; i++) {
        const id = orders.place(order);
        orders.replace(id, { quantity: 2 });
        orders.cancel(id);
        orders.cancelAll();
      }
    };
    const host = scene.add(
      strategy(({ orders, timers, market }) => {
        if (where === 'books$') market.books$(symbol).subscribe(() => flood(orders));
        return {
          onStart: () => void timers.after(millis(500), 'flood'),
          onBook: () => where === 'onBook' && flood(orders),
          onTimer: () => where === 'onTimer' && flood(orders),
          onStop: () => where === 'onStop' && flood(orders),
        } as StrategyHandlers;
      }),
    );
    const other = scene.add(strategy(() => ({ onBook: () => void (calm += 1) }), 'calm'));
    host.start();
    other.start();
    scene.book([[100, 5]], [[101, 5]]);
    scene.wait(1_000);
    if (where === 'onStop') host.stop();
    scene.book([[99, 5]], [[102, 5]]);
    const intents = scene.events.filter(({ kind }) => kind === 'intent');
    const stops = scene.events.flatMap((event) => (event.kind === 'strategyStopped' ? [event.why] : []));
    expect([intents.length, calm, other.running]).toEqual([1_000, 2, true]);
    expect(stops[0]).toContain(why);
  });

  test('may ask for as much again once it was answered, over any time', () => {
    const scene = new Scene();
    const host = scene.add(
      strategy(({ orders }) => ({
        onBook: () => {
          for (let i = 0; i < 1_000; i++) orders.cancelAll();
        },
      })),
    );
    host.start();
    for (let i = 0; i < 3; i++) scene.book([[100 + i, 5]], [[110, 5]]);
    expect(host.running).toBe(true);
    expect(scene.events.filter(({ kind }) => kind === 'intent')).toHaveLength(3_000);
  });
});

describe('events and handlers', () => {
  test('each declared feed reaches its handler with the state already moved on', () => {
    const scene = new Scene();
    const delivered: string[] = [];
    const host = scene.add(
      strategy(({ clock }) => ({
        onStart: () => void delivered.push('start'),
        onBook: (book) => void delivered.push(`book ${book.bestBid}/${book.bestAsk} ${book.status}`),
        onTrade: (trade, instrument) => void delivered.push(`trade ${instrument.symbol} ${trade.price}`),
        onOutage: (outage) => void delivered.push(`outage ${outage.of}`),
        onStop: () => void delivered.push(`stop ${clock.now() - scene.clock.now()}`),
      })),
    );
    scene.book([[100, 5]], [[101, 5]]);
    host.start();
    scene.book([[99, 5]], [[102, 5]]);
    scene.trade(100, 1);
    scene.publish({
      kind: 'bookStale',
      ...scene.times,
      instrument: scene.instruments.get(symbol).id,
      reason: 'gap',
      expected: 3,
      found: 5,
    });
    scene.publish({ kind: 'sessionDown', ...scene.times, session: 'trading', why: 'cut' });
    host.stop();
    scene.book([[98, 5]], [[103, 5]]);
    expect(delivered).toEqual([
      'start',
      'book 99/102 live',
      'trade ETHBTC 100',
      'outage book',
      'outage session',
      'stop 0',
    ]);
  });

  test('undeclared feeds stay silent and may not be asked for', () => {
    const scene = new Scene();
    let delivered = 0;
    const host = scene.add(
      defineStrategy({
        name: 'deaf',
        params: z.strictObject({}),
        feeds: () => [{ symbol, ticker: true }],
        create: ({ market }) => ({
          onBook: () => void (delivered += 1),
          onStart: () => {
            expect(() => market.book(symbol)).toThrow(
              "feeds() must declare { symbol: 'ETHBTC', book: true } to use it",
            );
          },
        }),
      }),
    );
    host.start();
    scene.book([[100, 5]], [[101, 5]]);
    expect(delivered).toBe(0);
    expect(host.running).toBe(true);
  });

  test('an order is open from the moment it was asked for, and its life is reported step by step', () => {
    const scene = new Scene();
    const received: string[] = [];
    const host = scene.add(
      strategy(({ orders }) => ({
        onBook() {
          if (orders.openCount(symbol) > 0) return;
          const id = orders.place({
            symbol,
            side: 'buy',
            price: '0.000100',
            quantity: '0.0005',
            postOnly: true,
          });
          expect(orders.get(id)?.state).toBe('pending');
          expect(orders.open()).toHaveLength(1);
        },
        onOrder: (order) => void received.push(`${order.state} ${order.cumulative}`),
        onFill: (fill) => void received.push(`fill ${fill.quantity}`),
        onPosition: (position) => void received.push(`position ${position.quantity}`),
      })),
    );
    host.start();
    scene.book([[99, 5]], [[102, 5]]);
    scene.book([[99, 6]], [[102, 5]]);
    expect(scene.intents()).toHaveLength(1);
    const [order] = scene.open();
    expect(order).toMatchObject({
      price: 100,
      quantity: 5,
      type: 'limit',
      timeInForce: 'GTC',
      strategy: 'probe',
    });
    scene.fill((order as Order).clientOrderId, 2);
    scene.fill((order as Order).clientOrderId, 3);
    expect(received).toEqual([
      'pending 0',
      'new 0',
      'fill 2',
      'partiallyFilled 2',
      'position 2',
      'fill 3',
      'filled 5',
      'position 5',
    ]);
  });

  test('what the venue says twice, in a notification and in its answer, is received once', () => {
    const scene = new Scene();
    const delivered: string[] = [];
    const host = scene.add(
      strategy(({ orders }) => ({
        onStart: () => void orders.place({ symbol, side: 'sell', price: 100, quantity: 5 }),
        onOrder: (order) => void delivered.push(`${order.state} ${order.cumulative}`),
      })),
    );
    host.start();
    const again = () => {
      const report = scene.of('orderReport').at(-1);
      if (report === undefined) throw new Error('nothing was reported');
      scene.publish({ ...report, reportType: 'status', fill: undefined });
    };
    again();
    const { clientOrderId } = scene.open()[0] as Order;
    scene.fill(clientOrderId, 2);
    again();
    scene.fill(clientOrderId, 3);
    again();
    again();
    expect(delivered).toEqual(['pending 0', 'new 0', 'partiallyFilled 2', 'filled 5']);
  });

  test('a repeated trade report brings no second fill', () => {
    const scene = new Scene();
    let fills = 0;
    const host = scene.add(
      strategy(({ orders }) => ({
        onStart: () => void orders.place({ symbol, side: 'sell', price: 100, quantity: 5 }),
        onFill: () => void (fills += 1),
      })),
    );
    host.start();
    scene.fill((scene.open()[0] as Order).clientOrderId, 2);
    const report = scene.of('orderReport').at(-1);
    if (report !== undefined) scene.publish(report);
    expect(fills).toBe(1);
  });

  test('a fill that only the trade history knows is reported once', () => {
    const scene = new Scene();
    const received: string[] = [];
    const host = scene.add(
      strategy(({ orders }) => ({
        onStart: () => void orders.place({ symbol, side: 'buy', price: 100, quantity: 5 }),
        onFill: (fill) => void received.push(`fill ${fill.tradeId}`),
        onOrder: (order) => void received.push(order.state),
      })),
    );
    host.start();
    const order = scene.open()[0] as Order;
    scene.fill(order.clientOrderId, 2);
    const first = scene.of('orderReport').at(-1)?.fill;
    if (first === undefined) throw new Error('no fill');
    const row = {
      instrument: order.instrument,
      clientOrderId: order.clientOrderId,
      venueOrderId: 'v',
      side: order.side,
    };
    const answer = {
      kind: 'readAnswered' as const,
      ...scene.times,
      commandId: 1,
      what: { of: 'tradeHistory' as const, since: order.createdAt },
      askedAt: scene.clock.now(),
      orders: [],
      fills: [
        { ...first, ...row },
        { ...first, ...row, tradeId: 'lost', quantity: 3 as typeof first.quantity },
      ],
      balances: [],
    };
    scene.publish(answer);
    scene.publish(answer);
    expect(received).toEqual(['pending', 'new', 'fill t1', 'partiallyFilled', 'fill lost', 'filled']);
  });

  test('a denial comes back with the order it refused', () => {
    const scene = new Scene();
    scene.refuse = () => true;
    const received: string[] = [];
    const host = scene.add(
      strategy(({ orders }) => ({
        onStart: () => void orders.place({ symbol, side: 'buy', price: 100, quantity: 5 }),
        onOrder: (order, denial) =>
          void received.push(`${order.state} ${denial?.code} ${orders.openCount()}`),
      })),
    );
    host.start();
    expect(received).toEqual(['denied NOTIONAL_MAX 0']);
  });

  test('a closed candle is reported once, when the first trade of a later one comes', () => {
    const scene = new Scene();
    const closed: bigint[] = [];
    const host = scene.add(strategy(() => ({ onCandle: (candle) => void closed.push(candle.close) })));
    scene.trade(90, 1);
    scene.wait(60_000);
    scene.trade(95, 1);
    host.start();
    scene.trade(100, 1);
    scene.wait(60_000);
    expect(closed).toEqual([]);
    scene.trade(101, 1);
    scene.trade(102, 1);
    scene.wait(180_000);
    scene.trade(103, 1);
    const instrument = scene.instruments.get(symbol);
    expect(closed).toEqual(
      [100, 102].map((price) =>
        instrument.priceAmount(price as Parameters<typeof instrument.priceAmount>[0]),
      ),
    );
  });

  test('timers come back as events: repeated, once, and not after their cancel', () => {
    const scene = new Scene();
    const fired: string[] = [];
    const host = scene.add(
      strategy(({ timers, clock }) => ({
        onStart() {
          timers.every(millis(100), 'tick');
          timers.after(millis(250), 'once');
          timers.after(millis(260), 'never').cancel();
        },
        onTimer: (name) => void fired.push(`${name} ${scene.clock.now() - clock.now()}`),
      })),
    );
    host.start();
    scene.wait(320);
    expect(fired).toEqual(['tick 0', 'tick 0', 'once 0', 'tick 0']);
    expect(scene.of('strategyTimer')).toHaveLength(4);
    host.stop();
    expect(scene.clock.pending).toBe(0);
  });

  test('an interval below a millisecond is refused, a fraction above counts to the microsecond', () => {
    const scene = new Scene();
    const said: string[] = [];
    const begun = scene.clock.now();
    const host = scene.add(
      strategy(({ timers }) => ({
        onStart() {
          for (const ms of [0.999, 0, -1]) {
            try {
              timers.every(millis(ms), 'tick');
            } catch (error) {
              said.push(String(error));
            }
          }
          timers.every(millis(1.0025), 'tick');
        },
        onTimer: () => void said.push(String(scene.clock.now() - begun)),
      })),
    );
    host.start();
    scene.wait(2.5);
    const refusal = (found: number): string =>
      expect.stringContaining(`timer "tick": expected at least 1 ms, found ${found}`) as string;
    expect(said).toEqual([
      refusal(0.999),
      refusal(0),
      expect.stringContaining('timer "tick": expected 0 to 3155760000000 ms, found -1'),
      '1003',
      '2006',
    ]);
    host.stop();
  });

  test('a timer set by a plain number stops the strategy with a sentence that names the units', () => {
    for (const call of ['every', 'after'] as const) {
      const scene = new Scene();
      const host = scene.add(
        strategy(({ timers }) => ({
          onStart() {
            // What code without types, or of before durations, may do.
            Reflect.apply(timers[call], timers, [5_000, 'look']);
          },
        })),
      );
      host.start();
      expect(host.running).toBe(false);
      expect(scene.of('strategyStopped')[0]?.why).toContain(
        `timers.${call}, timer "look": expected a duration with its unit, such as millis(500) or seconds(5) of godwit/strategy, found the plain number 5000`,
      );
    }
  });

  test('a duration is no number to the compiler, counts alike in every unit, and is never NaN', () => {
    const scene = new Scene();
    const fired: number[] = [];
    const begun = scene.clock.now();
    const host = scene.add(
      strategy(({ timers, clock }) => ({
        onStart() {
          // @ts-expect-error -- a number does not say what it counts.
          expect(() => timers.after(seconds(5).micros, 'micros')).toThrow('found the plain number 5000000');
          timers.after(seconds(5), 'five seconds');
          expect(later(clock.now(), seconds(5)) - clock.now()).toBe(5_000_000);
        },
        onTimer: () => void fired.push(scene.clock.now() - begun),
      })),
    );
    host.start();
    scene.wait(6_000);
    expect(fired).toEqual([5_000_000]);
    host.stop();
    const same = [micros(3_600_000_000), millis(3_600_000), seconds(3_600), minutes(60), hours(1)];
    expect(same.map((one) => one.micros)).toEqual(same.map(() => 3_600_000_000));
    expect(() => seconds(Number.NaN)).toThrow('expected a length of time, found NaN');
  });

  test('streams carry what handlers get, and operators keep them', () => {
    const scene = new Scene();
    const seen: number[] = [];
    const host = scene.add(
      strategy(({ market }) => {
        market.books$(symbol).subscribe((book) => seen.push(book.bestBid ?? 0));
        const subscription = market.trades$(symbol).subscribe((trade) => {
          seen.push(trade.price);
          subscription.unsubscribe();
        });
        return {};
      }),
    );
    host.start();
    scene.book([[100, 1]], noBook);
    scene.trade(55, 1);
    scene.trade(56, 1);
    expect(seen).toEqual([100, 55]);
  });

  test('the log is one line a note, escaped, with its fields, and a flood is cut', () => {
    const scene = new Scene();
    const host = scene.add(
      strategy(({ log }) => ({
        onStart: () => log.info('a\nb', { price: 5, side: 'buy', note: 'x y' }),
        onBook() {
          for (let i = 0; i < 2_000; i++) log.debug('flood');
        },
      })),
    );
    host.start();
    expect(scene.notes()).toEqual(['a\\u000ab price=5 side=buy note="x y"']);
    scene.book([[100, 1]], noBook);
    scene.wait(1_000);
    scene.book([[100, 2]], noBook);
    expect(scene.notes().filter((text) => text.includes('were dropped'))).toEqual([
      '1001 notes of this strategy were dropped',
    ]);
    expect(scene.notes().length).toBeLessThan(2_003);
  });

  test('kept state is checked, versioned and handed to the next run', () => {
    const scene = new Scene();
    let kept: { version: number; json: string } | undefined;
    const counter = defineStrategy({
      name: 'counter',
      params: z.strictObject({}),
      feeds: () => [],
      state: {
        version: 2,
        schema: z.strictObject({ runs: z.int() }),
        migrate: (old) => ({ runs: Number(old) }),
      },
      create: ({ kept: memory, log }) => ({
        onStart() {
          const runs = (memory.read()?.runs ?? 0) + 1;
          memory.write({ runs });
          log.info(`run ${runs}`);
        },
      }),
    });
    const run = (earlier: typeof kept) => {
      const host = new (scene.add(counter, {}).constructor as new (
        ...args: unknown[]
      ) => ReturnType<Scene['add']>)({
        seed: 1,
        idPrefix: 'gw',
        run: 'a',
        tag: 'c',
        definition: counter,
        params: {},
        state: scene.state,
        clock: scene.clock,
        publish: (event: Parameters<Scene['publish']>[0]) => scene.publish(event),
        kept: earlier,
        keep: (state: typeof kept) => (kept = state),
      });
      host.start();
    };
    run({ version: 1, json: '6' });
    run(kept);
    expect(scene.notes()).toEqual(['run 7', 'run 8']);
    expect(kept).toEqual({ version: 2, json: '{"runs":8}' });
  });

  test('bad parameters and unknown symbols are refused in one sentence', () => {
    const scene = new Scene();
    const definition = defineStrategy({
      name: 'picky',
      params: z.strictObject({ symbol: z.string(), lots: z.int().positive() }),
      feeds: (params) => [{ symbol: params.symbol, book: true }],
      create: () => ({}),
    });
    const open = (params: unknown) => () => scene.add(definition, params);
    expect(open({ symbol, lots: 'many' })).toThrow(
      'strategy picky: param lots: found "many", expected a number',
    );
    expect(open({ symbol, lots: 1, simbol: 'x' })).toThrow(
      'strategy picky: there is no param "simbol", did you mean symbol?',
    );
    expect(open({ symbol })).toThrow('strategy picky: param lots: found nothing, expected a number');
    expect(open({ symbol: 'NOPE', lots: 1 })).toThrow(
      'strategy picky: feeds() asks for "NOPE", expected a symbol of this run',
    );
    expect(open({ symbol: 'NOPE', lots: 1 })).toThrow(BadInput);
  });
});
