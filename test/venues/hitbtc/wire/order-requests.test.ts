import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseAmount } from '../../../../src/core/base/amount.ts';
import type { Instrument } from '../../../../src/core/model/instrument.ts';
import { marginModes } from '../../../../src/core/model/margin.ts';
import type { OrderRequest } from '../../../../src/core/model/order.ts';
import { callOf } from '../../../../src/venues/hitbtc/client/rest/rest.ts';
import { cancelCall } from '../../../../src/venues/hitbtc/client/rest/commands.ts';
import { wireParams } from '../../../../src/venues/hitbtc/typed/calls/input.ts';
import { printTime } from '../../../../src/venues/hitbtc/wire/formats.ts';
import type { Endpoint } from '../../../../src/venues/hitbtc/wire/endpoint.ts';
import { toOrderRequest, toReplacement } from '../../../../src/venues/hitbtc/wire/resources/order-params.ts';
import { readRequestParams } from '../../../../src/venues/hitbtc/wire/param-fields.ts';
import type {
  OrderParams,
  ReplaceParams,
} from '../../../../src/venues/hitbtc/wire/resources/order-request.ts';
import {
  encodeNewOrder,
  encodeNewOrderList,
  encodeOneOrder,
  encodeReplacement,
} from '../../../../src/venues/hitbtc/wire/resources/order-request.ts';
import { v2Endpoints } from '../../../../src/venues/hitbtc/wire/v2/rest.ts';
import { v2Methods } from '../../../../src/venues/hitbtc/wire/v2/socket-methods.ts';
import { encodeV3NewOrder, encodeV3Request } from '../../../../src/venues/hitbtc/wire/v3/order-requests.ts';
import { v3Endpoints } from '../../../../src/venues/hitbtc/wire/v3/rest.ts';
import { v3Methods } from '../../../../src/venues/hitbtc/wire/v3/socket-methods.ts';
import { abcInstruments as instruments, orderRequest } from './arbitrary.ts';
import { readRequest } from './read-request.ts';
import { settings } from './seed.ts';

// What clients write of orders, the exchange reads: one description of each request serves both.

/** v2 knows no take-profit types. */
const v2Request = orderRequest.filter(({ type }) => !type.startsWith('takeProfit'));

/** The order as callers of the typed client write it, in either version: decimals and times as text. */
function typedOrder(request: OrderRequest, instrument: Instrument): object {
  const { price, stopPrice, expireTime } = request;
  return {
    clientOrderId: request.clientOrderId,
    symbol: instrument.symbol,
    side: request.side,
    type: request.type,
    timeInForce: request.timeInForce,
    quantity: instrument.quantityText(request.quantity),
    ...(price !== undefined && { price: instrument.priceText(price) }),
    ...(stopPrice !== undefined && { stopPrice: instrument.priceText(stopPrice) }),
    ...(expireTime !== undefined && { expireTime: printTime(expireTime) }),
    ...(request.postOnly && { postOnly: true }),
    strictValidate: true,
  };
}

/** The parameters that the exchange reads of a call: of its path, and of the fields of its form. */
function readCall<Params>(row: Endpoint<Params>, path: string, form: string): Params {
  const root = row.path.slice(0, row.path.indexOf('/', '/api/'.length));
  const [, name] = /\{(\w+)\}/.exec(row.path) ?? [];
  const inPath =
    name === undefined ? {} : { [name]: decodeURIComponent(path.slice(path.lastIndexOf('/') + 1)) };
  expect(row.path.replace(/\{\w+\}/, encodeURIComponent(Object.values(inPath)[0] ?? ''))).toBe(root + path);
  const read = readRequestParams(row.params, { ...Object.fromEntries(new URLSearchParams(form)), ...inPath });
  if (!read.ok) throw new Error(read.error.message);
  return read.params;
}

/** The fields of a form, whatever their order. */
function fieldsOf(form: string | undefined): object {
  return Object.fromEntries(new URLSearchParams(form));
}

function sameOrder(params: OrderParams, request: OrderRequest, instrument: Instrument): void {
  expect(params).toMatchObject({ clientOrderId: request.clientOrderId, strictValidate: true });
  expect(toOrderRequest(params, instrument, request.clientOrderId)).toEqual({ ok: true, value: request });
}

test('any new order on the v3 socket is the order the exchange reads, in the text of its description', () => {
  fc.assert(
    fc.property(orderRequest, fc.oneof(fc.nat(), fc.string({ minLength: 1 })), (request, id) => {
      const instrument = instruments.at(request.instrument);
      const text = encodeV3NewOrder(request, instrument, id);
      const described = encodeNewOrder('v3', request, instrument);
      expect(text).toBe(encodeV3Request('spot_new_order', described, id));
      expect(wireParams(typedOrder(request, instrument), 'snake')).toEqual(described);
      const read = readRequest(v3Methods, text);
      if (!read.ok || read.request.method !== 'spot_new_order') throw new Error('expected spot_new_order');
      sameOrder(read.request.params, request, instrument);
    }),
    settings,
  );
});

test('an order of margin, of a contract or with fee rates is the order the exchange reads', () => {
  const marks = fc.record({
    mode: fc.constantFrom(...marginModes),
    reduceOnly: fc.boolean(),
    auto: fc.boolean(),
    closePosition: fc.boolean(),
  });
  const rates = fc.option(fc.constantFrom('0.001', '0.25').map(parseAmount), { nil: undefined });
  fc.assert(
    fc.property(orderRequest, marks, rates, (request, margin, rate) => {
      const instrument = instruments.at(request.instrument);
      const asked = { ...request, margin, takeRate: rate, makeRate: rate };
      const read = readRequest(v3Methods, encodeV3NewOrder(asked, instrument, 4));
      if (!read.ok || read.request.method !== 'margin_new_order')
        throw new Error('expected margin_new_order');
      const { quantity, ...given } = read.request.params;
      const { mode: marginMode, auto: marginAuto, ...flags } = margin;
      expect(given).toMatchObject({
        marginMode,
        marginAuto,
        ...flags,
        takeMarkup: rate ?? 0n,
        makeMarkup: rate ?? 0n,
      });
      expect(quantity).toBe(margin.closePosition ? undefined : instrument.quantityText(request.quantity));
      const plain = readRequest(v3Methods, encodeV3NewOrder({ ...request, takeRate: rate }, instrument, 4));
      if (!plain.ok || plain.request.method !== 'spot_new_order') throw new Error('expected spot_new_order');
      expect(plain.request.params).toMatchObject({ takeMarkup: rate ?? 0n, makeMarkup: 0n });
    }),
    settings,
  );
});

test('any new order over REST v3 is the order the exchange reads', () => {
  fc.assert(
    fc.property(orderRequest, (request) => {
      const instrument = instruments.at(request.instrument);
      const row = v3Endpoints.spotNewOrder;
      const { call } = callOf(row, wireParams(typedOrder(request, instrument), 'snake'));
      expect(call.form).toBe(callOf(row, encodeNewOrder('v3', request, instrument)).call.form);
      sameOrder(readCall(row, call.path, call.form ?? ''), request, instrument);
    }),
    settings,
  );
});

test('any new order on the v2 socket is the order the exchange reads', () => {
  fc.assert(
    fc.property(v2Request, (request) => {
      const instrument = instruments.at(request.instrument);
      const params = wireParams(typedOrder(request, instrument), 'camel');
      expect(params).toEqual(encodeNewOrder('v2', request, instrument));
      const read = readRequest(v2Methods, JSON.stringify({ method: 'newOrder', params, id: 7 }));
      if (!read.ok || read.request.method !== 'newOrder') throw new Error('expected newOrder');
      sameOrder(read.request.params, request, instrument);
    }),
    settings,
  );
});

test.each(['newOrder', 'putOrder'] as const)(
  'any %s over REST v2 is the order the exchange reads',
  (name) => {
    fc.assert(
      fc.property(v2Request, (request) => {
        const instrument = instruments.at(request.instrument);
        const row = v2Endpoints[name];
        const { call } = callOf(row, wireParams(typedOrder(request, instrument), 'camel'), 'v2');
        const described = callOf(row, encodeNewOrder('v2', request, instrument), 'v2').call;
        expect({ ...call, form: fieldsOf(call.form) }).toEqual({
          ...described,
          form: fieldsOf(described.form),
        });
        sameOrder(readCall(row, call.path, call.form ?? ''), request, instrument);
      }),
      settings,
    );
  },
);

test('any list on the v3 socket is the list the exchange reads', () => {
  fc.assert(
    fc.property(fc.array(orderRequest, { minLength: 2, maxLength: 3 }), (requests) => {
      const params = encodeNewOrderList({ contingency: 'oneCancelOther', requests }, instruments);
      const read = readRequest(v3Methods, encodeV3Request('spot_new_order_list', params, 7));
      if (!read.ok || read.request.method !== 'spot_new_order_list') throw new Error('expected a list');
      const { orderListId, contingencyType, orders } = read.request.params;
      expect({ orderListId, contingencyType }).toEqual({
        orderListId: requests[0]?.clientOrderId,
        contingencyType: 'oneCancelOther',
      });
      expect(orders).toHaveLength(requests.length);
      for (const [index, request] of requests.entries())
        sameOrder(orders[index] as OrderParams, request, instruments.at(request.instrument));
    }),
    settings,
  );
});

test('any replacement, in both versions, is what the exchange reads', () => {
  fc.assert(
    fc.property(orderRequest, fc.stringMatching(/^[\w-]{8,32}$/), (order, newClientOrderId) => {
      const instrument = instruments.at(order.instrument);
      const { clientOrderId, quantity, price, type } = order;
      const expected = { quantity, price, stopPrice: order.stopPrice };
      const check = (params: ReplaceParams, stopPrice: typeof order.stopPrice) => {
        expect(params).toMatchObject({ clientOrderId, newClientOrderId, strictValidate: true });
        expect(toReplacement(params, instrument, type)).toEqual({
          ok: true,
          value: { ...expected, stopPrice },
        });
      };
      const request = { clientOrderId, newClientOrderId, ...expected };
      const v3 = encodeReplacement('v3', request, instrument);
      const frame = encodeV3Request('spot_replace_order', v3, 7);
      const read = readRequest(v3Methods, frame);
      if (!read.ok || read.request.method !== 'spot_replace_order') throw new Error('expected a replacement');
      check(read.request.params, order.stopPrice);
      const { call } = callOf(v3Endpoints.spotReplaceOrder, v3);
      check(readCall(v3Endpoints.spotReplaceOrder, call.path, call.form ?? ''), order.stopPrice);
      // v2 cannot move a stop price.
      const v2 = callOf(v2Endpoints.replaceOrder, encodeReplacement('v2', request, instrument), 'v2').call;
      check(readCall(v2Endpoints.replaceOrder, v2.path, v2.form ?? ''), undefined);
    }),
    settings,
  );
});

test('any cancel, in both versions, is what the exchange reads', () => {
  fc.assert(
    fc.property(orderRequest, ({ clientOrderId }) => {
      const { path, method, signed } = cancelCall({ kind: 'cancelOrder', clientOrderId } as never);
      expect({ path, method, signed }).toEqual({
        path: `/spot/order/${clientOrderId}`,
        method: 'DELETE',
        signed: true,
      });
      expect(readCall(v3Endpoints.spotCancelOrder, path, '')).toEqual({ clientOrderId });
      const v2 = callOf(v2Endpoints.cancelOrder, encodeOneOrder('v2', clientOrderId), 'v2').call;
      expect(readCall(v2Endpoints.cancelOrder, v2.path, '')).toEqual({ clientOrderId });
      const frames = [
        [v3Methods, 'spot_cancel_order', encodeOneOrder('v3', clientOrderId)],
        [v2Methods, 'cancelOrder', encodeOneOrder('v2', clientOrderId)],
      ] as const;
      for (const [table, name, params] of frames) {
        const read = readRequest(table, JSON.stringify({ method: name, params, id: 7 }));
        expect(read).toMatchObject({ ok: true, request: { method: name, params: { clientOrderId } } });
      }
    }),
    settings,
  );
});
