import { failureOf } from '../support.ts';
import type { ErrorCase } from './row-case.ts';
import type { Talk } from './talk.ts';

/** A new order, as any of the typed clients takes it; `price` may be missing, as errors want it. */
export interface AnyOrder {
  readonly symbol: string;
  readonly side: 'buy' | 'sell';
  readonly quantity?: string;
  readonly price?: string;
  readonly clientOrderId?: string;
  readonly type?: 'limit' | 'market';
  readonly timeInForce?: 'GTC';
  readonly strictValidate?: boolean;
  readonly postOnly?: boolean;
}

export type Place = (talk: Talk, order: AnyOrder) => Promise<unknown>;
type Errors = Readonly<Record<number, ErrorCase>>;

export const codeOf = async (call: Promise<unknown>) => (await failureOf(call)).code;

/** A resting buy far below the market. */
export function lowOrder(symbol: string): AnyOrder & { readonly quantity: string; readonly price: string } {
  return { symbol, side: 'buy', quantity: '0.001', price: '1000' };
}

/** How each error of a new order comes about. Source: v3-gaps, sections 9 and 10. */
export function newOrderErrors(symbol: string, place: Place): Errors {
  const low = lowOrder(symbol);
  const refused = (change: object) => (talk: Talk) =>
    codeOf(place(talk, { ...low, clientOrderId: talk.id(), ...change }));
  return {
    2001: refused({ symbol: 'NOPE' }),
    2010: refused({ quantity: 'many' }),
    2011: refused({ quantity: '0' }),
    2012: refused({ quantity: '0.0010000001', strictValidate: true }),
    2020: refused({ price: undefined }),
    2021: refused({ price: '0' }),
    2022: refused({ price: '1000.00001', strictValidate: true }),
    20_001: refused({ quantity: '90000', price: '50000' }),
    20_008: async (talk) => {
      const clientOrderId = talk.id();
      await place(talk, { ...low, clientOrderId });
      return codeOf(place(talk, { ...low, clientOrderId }));
    },
    20_048: refused({ type: 'market', price: undefined, timeInForce: 'GTC' }),
    20_049: refused({ type: 'market', price: undefined, postOnly: true }),
  };
}

export type Replace = (
  talk: Talk,
  change: {
    readonly clientOrderId: string;
    readonly newId: string;
    readonly quantity: string;
    readonly price: string;
    readonly strictValidate?: boolean;
  },
) => Promise<unknown>;

/** How each error of a replacement comes about. */
export function replaceErrors(symbol: string, place: Place, replace: Replace): Errors {
  const refused = (change: object) => async (talk: Talk) => {
    const clientOrderId = talk.id();
    await place(talk, { ...lowOrder(symbol), clientOrderId });
    const asked = { clientOrderId, newId: talk.id(), quantity: '0.002', price: '1001', ...change };
    return codeOf(replace(talk, asked));
  };
  return {
    20_002: refused({ clientOrderId: 'nobody-knows-it' }),
    20_009: refused({ quantity: '0.001', price: '1000' }),
    20_008: async (talk) => {
      const newId = talk.id();
      await place(talk, { ...lowOrder(symbol), clientOrderId: newId });
      return refused({ newId })(talk);
    },
    2010: refused({ quantity: 'many' }),
    2012: refused({ quantity: '0.0020000001', strictValidate: true }),
    2020: refused({ price: 'dear' }),
    2022: refused({ price: '1001.00001', strictValidate: true }),
  };
}

/** How each error of a list comes about, asked as the wire has it: the typed client would not send all of them. */
export function listErrors(
  symbols: readonly [string, string],
  ask: (talk: Talk, body: object) => Promise<number>,
  more: object = {},
): Errors {
  const [one, two] = symbols;
  const order = (symbol: string, change: object = {}) => ({
    symbol,
    side: 'buy',
    quantity: '0.001',
    price: '1000',
    ...more,
    ...change,
  });
  const either =
    (first: object, second: object = {}) =>
    (talk: Talk) =>
      ask(talk, {
        contingency_type: 'oneCancelOther',
        orders: [order(one, first), order(one, { price: '1001', ...second })],
      });
  const all = (change: object) => (talk: Talk) =>
    ask(talk, {
      contingency_type: 'allOrNone',
      orders: [order(one, { time_in_force: 'FOK' }), order(two, { time_in_force: 'FOK', ...change })],
    });
  return {
    2001: either({ symbol: 'NOPE' }),
    10_001: (talk) => ask(talk, { contingency_type: 'oneCancelOther', orders: [order(one)] }),
    20_001: either({ quantity: '90000', price: '50000' }),
    20_008: (talk) => {
      const client_order_id = talk.id();
      return either({ client_order_id }, { client_order_id })(talk);
    },
    20_048: all({ time_in_force: 'GTC' }),
    20_049: all({ type: 'stopLimit', stop_price: '900' }),
  };
}
