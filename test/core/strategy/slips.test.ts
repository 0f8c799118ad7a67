import { describe, expect, test } from 'vitest';
import type { KeptDeclaration, StrategySource } from '../../../src/core/strategy/define.ts';
import type { BookView, StrategyContext } from '../../../src/core/strategy/index.ts';
import { defineStrategy, z } from '../../../src/core/strategy/index.ts';
import { Scene } from './scene.ts';

const params = z.strictObject({});
type Source = StrategySource<typeof params, { count: number }>;

/** Why a strategy with a slip of the pen was stopped: its types may never have been checked. */
function whyOf(slip: object): string | undefined {
  const right: Source = {
    name: 'slip',
    params,
    feeds: () => [{ symbol: 'ETHBTC', book: true }],
    create: () => ({}),
  };
  const scene = new Scene();
  scene.add(defineStrategy({ ...right, ...slip })).start();
  scene.book([[995, 50]], [[1_005, 50]]);
  // Where it was thrown is reported in faults.test.ts.
  return scene.of('strategyStopped')[0]?.why.replace(/ \(\S+:\d+:\d+\)$/, '');
}

/** A strategy that does so at its start. */
function doing(act: (context: StrategyContext<object, { count: number }>) => unknown): object {
  return { create: (context: never) => ({ onStart: () => void act(context) }) };
}

const order = { symbol: 'ETHBTC', side: 'buy', quantity: 10, price: 990 } as const;

describe('a name that nothing reads is refused with the nearest one', () => {
  test('in an order, a replacement and a list: what it asked for would be left out', () => {
    const misspelt = { ...order, postonly: true };
    const said = /BadInput: there is no "postonly" in an order, did you mean postOnly\?$/;
    expect(whyOf(doing(({ orders }) => orders.place({ ...order, postOnly: true })))).toBeUndefined();
    expect(whyOf(doing(({ orders }) => orders.place(misspelt)))).toMatch(said);
    const orders = [misspelt, order];
    expect(whyOf(doing((context) => context.orders.placeList({ contingency: 'allOrNone', orders })))).toMatch(
      said,
    );
    const replacement = { quantity: 10, prize: 991 };
    expect(whyOf(doing((context) => context.orders.replace('x' as never, replacement)))).toMatch(
      /there is no "prize" in a replacement, did you mean price\?$/,
    );
  });

  test('in what it hears and what it answers to', () => {
    expect(() => whyOf({ feeds: () => [{ symbol: 'ETHBTC', trade: true }] })).toThrow(
      'there is no "trade" in feeds() of strategy slip, did you mean trades?',
    );
    expect(whyOf({ create: () => ({ onTrades: () => {} }) })).toMatch(
      /there is no "onTrades" in what it returned, did you mean onTrade\?$/,
    );
    expect(whyOf({ create: () => ({ once: 1, helper: () => {} }) })).toBeUndefined();
  });

  test('and so is what cannot be handlers at all', () => {
    expect(whyOf({ create: () => undefined })).toMatch(
      /^create threw BadInput: expected create to return handlers such as .*, found undefined$/,
    );
    expect(whyOf({ create: () => ({ onBook: 5 }) })).toMatch(
      /expected onBook to be a function, found number$/,
    );
    expect(whyOf({ create: () => ({ onBook: undefined }) })).toBeUndefined();
  });

  test('in the definition and in its state', () => {
    expect(() => whyOf({ feed: [] })).toThrow('there is no "feed" in strategy slip, did you mean feeds?');
    const schema = z.strictObject({ count: z.int() });
    expect(() => whyOf({ state: { version: 1, schema, initial: { count: 0 } } })).toThrow(
      'there is no "initial" in the state of strategy slip, known are version, schema, migrate',
    );
    expect(() => whyOf({ state: { schema } })).toThrow('expected state to be { version: a whole number');
  });
});

test('products are a list of those that are sold, each once; spot alone where none are declared', () => {
  const productsOf = (slip: object) =>
    new Scene().add(defineStrategy({ name: 'slip', params, feeds: () => [], create: () => ({}), ...slip }))
      .products;
  expect(productsOf({})).toEqual(['spot']);
  expect(productsOf({ products: () => ['futures', 'spot', 'futures'] })).toEqual(['futures', 'spot']);
  const expected = 'expected a list of spot, margin, futures';
  expect(() => productsOf({ products: () => ['spot', 'options'] })).toThrow(
    `strategy slip: products() returned ["spot","options"], ${expected}`,
  );
  expect(() => productsOf({ products: () => [] })).toThrow(`products() returned [], ${expected}`);
  expect(() => productsOf({ products: ['spot'] })).toThrow(
    'expected products to be a function of the params',
  );
});

test('a state that does not fit its schema is refused in one sentence', () => {
  const state: KeptDeclaration<{ count: number }> = {
    version: 1,
    schema: z.strictObject({ count: z.int() }),
  };
  expect(whyOf({ state, ...doing(({ kept }) => kept.write({ count: Number.NaN })) })).toBe(
    'onStart threw BadInput: strategy slip: kept.write: the state.count: expected a number',
  );
});

test('an instrument is found by its symbol, and by what is handed out as `instrument`', () => {
  const symbols: string[] = [];
  const onBook = ({ instrument: id }: BookView, { instrument }: StrategyContext<object>) =>
    symbols.push(instrument(id).symbol, instrument(instrument('ETHBTC').id).symbol);
  expect(
    whyOf({ create: (context: never) => ({ onBook: (book: BookView) => void onBook(book, context) }) }),
  ).toBeUndefined();
  expect(symbols).toEqual(['ETHBTC', 'ETHBTC']);
});
