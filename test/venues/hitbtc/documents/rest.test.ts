import { describe, expect, test } from 'vitest';
import { restDocument } from '../../../../src/venues/hitbtc/documents/rest.ts';
import { v2Endpoints } from '../../../../src/venues/hitbtc/wire/v2/index.ts';
import { v3Endpoints } from '../../../../src/venues/hitbtc/wire/v3/index.ts';
import { openApiFaults, schemaCheck } from '../../../support/openapi.ts';

interface Operation {
  readonly operationId: string;
  readonly security?: readonly object[];
  readonly parameters?: readonly { readonly name: string; readonly in: string; readonly schema: object }[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Body }>> };
  readonly responses: { readonly 200: { readonly content: Readonly<Record<string, { schema: object }>> } };
}
interface Body {
  readonly type?: string;
  readonly properties?: Readonly<Record<string, object>>;
  readonly required?: readonly string[];
}
interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, object>> };
}

const documents = {
  v3: restDocument('v3', '1.2.3') as Document,
  v2: restDocument('v2', '1.2.3') as Document,
};
const { v3 } = documents;

describe.each([
  ['v3', v3Endpoints],
  ['v2', v2Endpoints],
] as const)('the document of %s', (api, rows) => {
  const operations = Object.values(documents[api].paths).flatMap((methods) => Object.values(methods));

  test('is one that clients can be generated from', () => {
    expect(openApiFaults(documents[api])).toEqual([]);
  });

  test('has every row of the table, with a key where the row needs one, and what it answers', () => {
    expect(operations.map(({ operationId }) => operationId).toSorted()).toEqual(Object.keys(rows).toSorted());
    for (const { operationId, security } of operations) {
      const { right } = rows[operationId as keyof typeof rows];
      expect([operationId, security], operationId).toEqual([operationId, right === 'none' ? [] : undefined]);
    }
    const unknown = operations.filter(({ responses }) => {
      const schema = responses[200].content['application/json']?.schema ?? {};
      return Object.keys(schema).length === 0;
    });
    expect(unknown.map(({ operationId }) => operationId)).toEqual([]);
  });
});

test('parameters have their place, type, bounds and default', () => {
  const book = v3.paths['/api/3/public/orderbook/{symbol}']?.['get'];
  expect(book?.parameters).toEqual([
    { name: 'symbol', in: 'path', required: true, schema: { type: 'string', maxLength: 40 } },
    { name: 'depth', in: 'query', schema: { type: 'integer', minimum: -1, default: 100 } },
    { name: 'volume', in: 'query', schema: { type: 'string', format: 'decimal' } },
  ]);
  const trades = v3.paths['/api/3/public/trades']?.['get']?.parameters ?? [];
  const page = Object.fromEntries(trades.map(({ name, schema }) => [name, schema]));
  expect(page['limit']).toEqual({ type: 'integer', minimum: 1, maximum: 1000, default: 10 });
  expect(page['sort']).toEqual({ type: 'string', enum: ['ASC', 'DESC'], default: 'DESC' });
  expect(trades.find(({ name }) => name === 'symbols')).toMatchObject({ style: 'form', explode: false });
});

test('an order is a form, a list of orders JSON, and a list of items an array', () => {
  const content = (path: string) => v3.paths[path]?.['post']?.requestBody?.content ?? {};
  const form = content('/api/3/spot/order')['application/x-www-form-urlencoded']?.schema;
  expect(form?.required).toEqual(['symbol', 'side']);
  expect(form?.properties?.['post_only']).toEqual({ type: 'boolean', default: false });
  expect(form?.properties?.['client_order_id']).toEqual({ type: 'string', pattern: '^[A-Za-z0-9_-]{8,32}$' });
  // No order shows less than its whole quantity: what is only refused is not described.
  expect(Object.keys(form?.properties ?? {})).not.toContain('display_quantity');
  const list = content('/api/3/spot/order/list')['application/json']?.schema;
  expect(list?.properties?.['orders']).toMatchObject({ type: 'array', minItems: 2, maxItems: 3 });
  expect(content('/api/3/wallet/crypto/fees/estimate')['application/json']?.schema.type).toBe('array');
});

test('an answer of the exchange fits, and one with a wrong member does not', () => {
  const check = schemaCheck();
  const order = {
    id: 1001,
    client_order_id: 'client-order-1',
    symbol: 'ETHBTC',
    side: 'buy',
    status: 'new',
    type: 'limit',
    time_in_force: 'GTC',
    quantity: '0.0100',
    quantity_cumulative: '0',
    price: '0.01',
    post_only: false,
    created_at: '2026-01-02T03:04:05.678Z',
    updated_at: '2026-01-02T03:04:05.678Z',
  };
  const schema = { $ref: '#/components/schemas/Order', components: v3.components };
  expect(check.faults(schema, order)).toEqual([]);
  expect(check.faults(schema, { ...order, price: null, expire_time: null })).toEqual([]);
  expect(check.faults(schema, { ...order, quantity: 0.01 })).toEqual(['/quantity must be string']);
});
