import { describe, expect, test } from 'vitest';
import { formatAmount, parseAmount } from '../../../src/core/base/amount.ts';
import type { ChargeFound } from '../../../src/core/model/event.ts';
import type { Intent } from '../../../src/core/model/intent.ts';
import { marginKeyOf } from '../../../src/core/model/margin.ts';
import type { Product, StrategyContext, StrategyHandlers } from '../../../src/core/strategy/index.ts';
import { defineStrategy, z } from '../../../src/core/strategy/index.ts';
import { heldPosition, marginAccount } from '../support/margin-account.ts';
import { Scene, marginSpecs } from './scene.ts';

const symbol = 'ETHBTC_PERP';
const terms = { symbol, side: 'buy', quantity: 10, price: 990 } as const;
const spot = { ...terms, symbol: 'ETHBTC' };

type Context = StrategyContext<object>;

interface Played {
  readonly scene: Scene;
  readonly why: string | undefined;
  readonly intents: readonly Intent[];
}

interface Play {
  readonly handlers?: (context: Context) => StrategyHandlers;
  readonly products?: readonly Product[];
  readonly refuse?: Scene['refuse'];
}

/** What comes of a strategy that does so at its start. */
function play(act: (context: Context) => unknown, { handlers, products, refuse }: Play = {}): Played {
  const scene = new Scene(marginSpecs);
  if (refuse !== undefined) scene.refuse = refuse;
  const feeds = ['ETHBTC', symbol, 'XRPBTC'].map((name) => ({ symbol: name, book: true }));
  const definition = defineStrategy({
    name: 'tester',
    params: z.strictObject({}),
    feeds: () => feeds,
    products: () => products ?? ['spot', 'margin', 'futures'],
    create: (context) => ({ onStart: () => void act(context), ...handlers?.(context) }),
  });
  scene.add(definition).start();
  const why = scene.of('strategyStopped')[0]?.why.replace(/ \(\S+:\d+:\d+\)$/, '');
  return { scene, why, intents: scene.intents() };
}

function requestOf({ intents, why }: Played) {
  expect(why).toBeUndefined();
  const [intent] = intents;
  return intent?.action === 'place' ? intent.request : undefined;
}

describe('an order says what it trades', () => {
  test('spot when it says nothing, and then its request is as it always was', () => {
    const request = requestOf(play(({ orders }) => orders.place(spot)));
    expect(Object.keys(request ?? {})).toEqual([
      'clientOrderId',
      'instrument',
      'side',
      'type',
      'timeInForce',
      'quantity',
      'price',
      'stopPrice',
      'expireTime',
      'postOnly',
    ]);
    const named = requestOf(play(({ orders }) => orders.place({ ...spot, product: 'spot' })));
    expect(named).toEqual(request);
  });

  test('a margin account pays where the product is margin or futures', () => {
    const plain = { mode: 'isolated', reduceOnly: false, closePosition: false, auto: false };
    expect(requestOf(play(({ orders }) => orders.place({ ...terms, product: 'futures' })))?.margin).toEqual(
      plain,
    );
    const asked = {
      ...terms,
      symbol: 'XRPBTC',
      product: 'margin',
      marginMode: 'cross',
      reduceOnly: true,
    } as const;
    const request = requestOf(
      play(({ orders }) =>
        orders.place({ ...asked, marginAuto: true, takeRate: '0.002', makeRate: '0.001' }),
      ),
    );
    expect(request?.margin).toEqual({ ...plain, mode: 'cross', reduceOnly: true, auto: true });
    expect(request?.takeRate !== undefined && formatAmount(request.takeRate)).toBe('0.002');
    expect(request?.makeRate !== undefined && formatAmount(request.makeRate)).toBe('0.001');
  });

  test('an order that closes the position names no quantity', () => {
    const closing = { product: 'futures', symbol, side: 'sell', type: 'stopMarket', stopPrice: 900 } as const;
    const request = requestOf(play(({ orders }) => orders.place({ ...closing, closePosition: true })));
    expect(request).toMatchObject({ quantity: 0, stopPrice: 900, margin: { closePosition: true } });
    const both = { ...closing, closePosition: true, quantity: 5 } as never;
    expect(play(({ orders }) => orders.place(both)).why).toMatch(
      /expected no quantity of an order that closes the position, found 5$/,
    );
  });

  test('a product that its symbol does not have ends in one sentence, and nothing is asked for', () => {
    const whyOf = (request: object): string | undefined => {
      const played = play(({ orders }) => orders.place(request as never));
      expect(played.intents).toEqual([]);
      return played.why;
    };
    expect(whyOf({ ...terms, product: 'margin' })).toMatch(
      /BadInput: ETHBTC_PERP is a contract: expected product futures, found margin$/,
    );
    expect(whyOf({ ...spot, product: 'futures' })).toMatch(
      /BadInput: ETHBTC is no contract: expected product margin, found futures$/,
    );
    expect(whyOf({ ...spot, reduceOnly: true })).toMatch(
      /expected product margin or futures of an order with reduceOnly, found spot$/,
    );
    expect(whyOf({ ...terms, product: 'futures', takeRate: 0.1 })).toMatch(
      /expected takeRate to be decimal text such as '0.5', found 0.1$/,
    );
  });

  test('orders of a list are of one account like single ones', () => {
    const orders = [
      { ...terms, product: 'futures' },
      { ...terms, product: 'futures', side: 'sell', reduceOnly: true },
    ] as const;
    const { intents } = play((context) =>
      context.orders.placeList({ contingency: 'oneTriggerOther', orders }),
    );
    expect(intents).toMatchObject([
      { requests: [{ margin: { reduceOnly: false } }, { margin: { reduceOnly: true } }] },
    ]);
  });
});

/** What the compiler refuses. Never run: what an unchecked file may do is above. */
export function refusedByTheCompiler({ orders, margin, position }: Context): void {
  const bought = { symbol, side: 'buy', price: 990 } as const;
  const stop = { product: 'futures', symbol, side: 'sell', type: 'stopMarket', stopPrice: 900 } as const;
  // @ts-expect-error A spot order cannot reduce a position.
  orders.place({ ...bought, quantity: 1, reduceOnly: true });
  // @ts-expect-error A spot order has no margin mode.
  orders.place({ ...bought, quantity: 1, product: 'spot', marginMode: 'cross' });
  // @ts-expect-error A spot order opens no margin account.
  orders.place({ ...bought, quantity: 1, marginAuto: true });
  // @ts-expect-error An order that closes the position has no quantity.
  orders.place({ ...stop, closePosition: true, quantity: 1 });
  // @ts-expect-error Only a stop market order closes the position.
  orders.place({ ...stop, type: 'stopLimit', closePosition: true });
  // @ts-expect-error Spot has no position to close.
  orders.place({ ...stop, product: 'spot', closePosition: true });
  // @ts-expect-error An order without closePosition names its quantity.
  orders.place(stop);
  // @ts-expect-error There is no such product.
  orders.place({ ...bought, quantity: 1, product: 'options' });
  // @ts-expect-error There is no such margin mode.
  orders.place({ ...bought, quantity: 1, product: 'futures', marginMode: 'portfolio' });
  const mixed = [
    { ...bought, quantity: 1 },
    { ...bought, quantity: 1, product: 'futures' },
  ] as const;
  // @ts-expect-error A list is of one product.
  orders.placeList({ contingency: 'allOrNone', orders: mixed });
  // @ts-expect-error An order that closes the position is placed alone.
  orders.placeList({ contingency: 'oneCancelOther', orders: [{ ...stop, closePosition: true }] });
  // @ts-expect-error A rate is decimal text, so that no digit is lost.
  orders.place({ ...bought, quantity: 1, product: 'futures', takeRate: 0.1 });
  // @ts-expect-error A balance is decimal text or an amount.
  margin.set(symbol, { balance: 5 });
  // @ts-expect-error There is no such account.
  position(symbol, 'futures');
  orders.place({ ...bought, quantity: 1, product: 'futures', reduceOnly: true, marginMode: 'cross' });
  orders.place({ ...stop, closePosition: true });
}

describe('changes of margin', () => {
  const balances = ({ intents }: Played): readonly string[] =>
    intents.flatMap((intent) =>
      intent.action === 'changeMargin' && intent.change.balance !== undefined
        ? [formatAmount(intent.change.balance)]
        : [],
    );

  test('are whole values, of the balance that will be there once what is on its way has come to pass', () => {
    const played = play(({ margin }) => {
      margin.set(symbol, { balance: '2' });
      margin.add(symbol, '0.5');
      margin.remove(symbol, '1');
      margin.add('XRPBTC', '3', 'cross');
    });
    expect(balances(played)).toEqual(['2', '2.5', '1.5', '3']);
    expect(played.intents[3]).toMatchObject({
      change: {
        product: 'margin',
        mode: 'cross',
        instrument: undefined,
        currency: 'BTC',
        leverage: undefined,
      },
    });
    const perpetual = played.scene.instruments.get(symbol);
    expect(played.scene.state.marginAccount(marginKeyOf(perpetual, 'isolated'))?.balance).toBe(
      15n * 10n ** 23n,
    );
  });

  test('a change that was denied does not count, and its strategy hears why', () => {
    let denials = 0;
    const refused: unknown[] = [];
    const played = play(({ margin }) => margin.add(symbol, '5'), {
      refuse: () => denials++ === 0,
      handlers: ({ margin }) => ({
        onMarginRefused(change, refusal) {
          refused.push({ balance: change.balance, ...refusal });
          margin.add(symbol, '1');
        },
      }),
    });
    expect(balances(played)).toEqual(['5', '1']);
    expect(refused).toEqual([
      { balance: 5n * 10n ** 24n, code: 'NOTIONAL_MAX', why: 'refused by the scene' },
    ]);
  });

  test('leverage is that of the isolated account', () => {
    const { intents } = play(({ margin }) => margin.setLeverage(symbol, 12));
    expect(intents).toMatchObject([
      { change: { product: 'futures', mode: 'isolated', balance: undefined, leverage: 12n * 10n ** 24n } },
    ]);
  });

  test('closing a position is a reduce-only order of what this strategy holds there', () => {
    const { scene } = play(({ orders }) => orders.place({ ...terms, product: 'futures' }), {
      handlers: ({ margin }) => ({
        onPosition({ quantity }) {
          if (quantity === 7) margin.close(symbol);
          else if (quantity === 8) margin.close(symbol, { price: 995 });
        },
      }),
    });
    const [opened] = scene.open();
    if (opened === undefined) throw new Error('no order');
    scene.fill(opened.clientOrderId, 7);
    scene.fill(opened.clientOrderId, 1);
    const asked = scene
      .intents()
      .slice(1)
      .map((intent) => intent.action === 'place' && intent.request);
    const closing = { side: 'sell', margin: { mode: 'isolated', reduceOnly: true } };
    expect(asked).toMatchObject([
      { ...closing, type: 'market', timeInForce: 'IOC', quantity: 7 },
      { ...closing, type: 'limit', timeInForce: 'GTC', quantity: 8, price: 995 },
    ]);
  });
});

describe('what happens to margin accounts', () => {
  interface Received {
    readonly scene: Scene;
    readonly said: unknown[][];
    readonly account: ReturnType<typeof marginAccount>;
  }

  function listen(products: readonly Product[]): Received {
    const said: unknown[][] = [];
    const { scene } = play(() => {}, {
      products,
      handlers: () => ({
        onMargin: (_account, reason, product) => void said.push(['margin', reason, product]),
        onMarginCall: (_account, product) => void said.push(['call', product]),
        onFunding: (charge) =>
          void said.push(['funding', charge.symbol, formatAmount(charge.amount), charge.kind]),
        onLiquidation: ({ quantity }) => void said.push(['liquidation', formatAmount(quantity)]),
        onMarginRefused: (_change, { code, why }) => void said.push(['refused', code, why]),
      }),
    });
    const { id } = scene.instruments.get(symbol);
    const account = marginAccount('10', {
      instrument: id,
      currency: 'BTC',
      positions: [heldPosition(id, '2', '1')],
    });
    return { scene, said, account };
  }

  test('comes to the strategies that declare the product, a margin call once', () => {
    const { scene, said, account } = listen(['futures']);
    scene.margin('futures', account, 'created');
    scene.margin('margin', { ...account, instrument: scene.instruments.get('XRPBTC').id }, 'created');
    scene.margin('futures', { ...account, called: true }, 'updated');
    scene.margin('futures', { ...account, called: true }, 'updated');
    scene.margin('futures', { ...account, positions: [] }, 'liquidated');
    expect(said).toEqual([
      ['margin', 'created', 'futures'],
      ['margin', 'updated', 'futures'],
      ['call', 'futures'],
      ['margin', 'updated', 'futures'],
      ['margin', 'liquidated', 'futures'],
      ['liquidation', '2'],
    ]);
    const spot = listen(['spot']);
    spot.scene.margin('futures', { ...account, called: true }, 'updated');
    expect(spot.said).toEqual([]);
  });

  test('funding comes to the strategy that holds the position', () => {
    const { scene, said, account } = listen(['futures']);
    scene.margin('futures', account, 'created');
    scene.margin('futures', { ...account, balance: parseAmount('9') }, 'interestTaken');
    // Nobody holds it: that one was somebody else's.
    expect(said.filter(([call]) => call === 'funding')).toEqual([]);
    const { scene: other } = play(({ orders }) => orders.place({ ...terms, product: 'futures' }), {
      handlers: () => ({
        onFunding: (charge) =>
          void said.push(['funding', charge.symbol, formatAmount(charge.amount), charge.kind]),
      }),
    });
    const [opened] = other.open();
    if (opened === undefined) throw new Error('no order');
    other.fill(opened.clientOrderId, 10);
    other.margin('futures', account, 'created');
    other.margin('futures', { ...account, balance: parseAmount('9.75') }, 'interestTaken');
    expect(said.at(-1)).toEqual(['funding', symbol, '0.25', 'funding']);
    // A look that finds two is one step: strategies hear of each when both are booked.
    const { instrument } = opened;
    const found = ['0.5', '0.75'].map((amount): ChargeFound => {
      const { receiveTime: time } = other.times;
      const shares = [{ instrument, amount: parseAmount(amount), time }];
      const key = { product: 'futures', mode: 'isolated', instrument, currency: 'BTC' } as const;
      return {
        kind: 'chargeFound',
        ...other.times,
        charged: 'funding',
        account: key,
        shares,
        until: time,
        why: '',
      };
    });
    for (const [at, event] of found.entries()) other.state.fold(event, at > 0);
    for (const event of found) for (const host of other.hosts) host.notify(event);
    expect(said.slice(-2).map(([, , amount]) => amount)).toEqual(['0.5', '0.75']);
  });

  test('a contract is seen by the strategies that declare it', () => {
    const { why } = play(({ market }) => market.contract(symbol));
    expect(why).toMatch(/feeds\(\) must declare \{ symbol: 'ETHBTC_PERP', contract: true \} to use it$/);
  });

  test('the venue may refuse a change', () => {
    const { scene, said } = listen(['futures']);
    const { id } = scene.instruments.get(symbol);
    const key = { product: 'futures', mode: 'isolated', instrument: id, currency: 'BTC' } as const;
    const change = { ...key, balance: parseAmount('1'), leverage: undefined };
    const refusal = {
      kind: 'marginRejected',
      ...scene.times,
      change,
      code: 20_033,
      why: 'no margin',
    } as const;
    scene.publish({ ...refusal, strategy: 'another' });
    scene.publish({ ...refusal, strategy: 'tester' });
    expect(said).toEqual([['refused', '20033', 'no margin']]);
  });
});
