import { describe, expect, test } from 'vitest';
import { socketDocument } from '../../../../src/venues/hitbtc/documents/sockets.ts';
import { v2Locations } from '../../../../src/venues/hitbtc/wire/v2/index.ts';
import { v3Locations } from '../../../../src/venues/hitbtc/wire/v3/index.ts';
import { referenceFaults, schemaCheck } from '../../../support/openapi.ts';

interface Message {
  readonly name: string;
  readonly payload: object;
}
interface Operation {
  readonly action: string;
  readonly channel: { readonly $ref: string };
  readonly messages: readonly { readonly $ref: string }[];
  readonly reply?: { readonly messages: readonly { readonly $ref: string }[] };
}
interface Document {
  readonly asyncapi: string;
  readonly channels: Readonly<
    Record<string, { readonly address: string; readonly messages: Readonly<Record<string, Message>> }>
  >;
  readonly operations: Readonly<Record<string, Operation>>;
  readonly components: { readonly schemas: Readonly<Record<string, object>> };
}

const documents = {
  v3: socketDocument('v3', '1.2.3') as Document,
  v2: socketDocument('v2', '1.2.3') as Document,
};

describe.each([
  ['v3', v3Locations],
  ['v2', v2Locations],
] as const)('the document of the sockets of %s', (api, served) => {
  const { asyncapi, channels, operations, components } = documents[api];

  test('has whole references and schemas by their draft', () => {
    expect(asyncapi).toBe('3.0.0');
    expect(referenceFaults(documents[api])).toEqual([]);
    const check = schemaCheck();
    const payloads = Object.values(channels).flatMap(({ messages }) => Object.values(messages));
    const schemas = [...payloads.map(({ payload }) => payload), ...Object.values(components.schemas)];
    expect(schemas.flatMap((schema) => check.schemaFaults(schema))).toEqual([]);
    for (const name of Object.keys(operations)) expect(name).toMatch(/^[A-Za-z0-9_]+$/);
  });

  test('has every method with its reply and every notification where it is served', () => {
    for (const [path, { methods, notices }] of Object.entries(served)) {
      const [id, channel] = Object.entries(channels).find(([, { address }]) => address === path) ?? [];
      const names = Object.keys(channel?.messages ?? {});
      const replies = Object.keys(methods).map((method) => `${method}_reply`);
      const notified = Object.keys(notices).map((notice) => `on_${notice}`);
      expect(names.toSorted()).toEqual(
        [...Object.keys(methods), ...replies, ...notified, 'error'].toSorted(),
      );
      for (const method of Object.keys(methods)) {
        const { action, reply } = operations[`${id}_${method}`] ?? {};
        expect([action, reply?.messages.length], method).toEqual(['send', 2]);
      }
      for (const notice of notified) expect(operations[`${id}_${notice}`]?.action).toBe('receive');
    }
  });
});

test('frames fit what the document says of them', () => {
  const check = schemaCheck();
  const faults = (api: 'v3' | 'v2', channel: string, name: string, frame: object) => {
    const { channels, components } = documents[api];
    const payload = channels[channel]?.messages[name]?.payload;
    return check.faults({ ...payload, components }, frame);
  };
  const order = { symbol: 'ETHBTC', side: 'buy', quantity: '1', price: '0.01' };
  const ask = { method: 'spot_new_order', params: order, id: 7 };
  expect(faults('v3', 'trading', 'spot_new_order', ask)).toEqual([]);
  expect(faults('v3', 'trading', 'spot_new_order', { ...ask, params: { symbol: 'ETHBTC' } })).toEqual([
    "/params must have required property 'side'",
  ]);
  const login = { type: 'HS256', api_key: 'key', timestamp: 1_700_000_000_000, signature: 'ab' };
  expect(faults('v3', 'trading', 'login', { method: 'login', params: login, id: 1 })).toEqual([]);
  const trade = { t: 1_700_000_000_000, i: 5, p: '0.05', q: '1', s: 'buy' };
  expect(faults('v3', 'public', 'on_trades', { ch: 'trades', update: { ETHBTC: [trade] } })).toEqual([]);
  expect(faults('v3', 'public', 'on_trades', { ch: 'ticker/1s', update: {} })).not.toEqual([]);
  expect(faults('v2', 'public', 'subscribeTicker_reply', { jsonrpc: '2.0', result: true, id: 1 })).toEqual(
    [],
  );
});
