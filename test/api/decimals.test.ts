import { Decimal } from 'decimal.js';
import { expect, test } from 'vitest';
import { GodwitClient } from '../../src/venues/hitbtc/typed/index.ts';
import { answer, StubHttpServer } from '../venues/hitbtc/client/support/stub-http-server.ts';
import { failureOf } from './support.ts';

test('decimals leave as plain text, whether a library, a text with an exponent or a double says them', async () => {
  const sent: string[] = [];
  const server = await StubHttpServer.start();
  server.handler = ({ body }, response) => {
    sent.push(body);
    answer(response, 400, { error: { code: 20_001, message: 'no' } });
  };
  const client = new GodwitClient({
    baseUrl: server.url,
    credentials: { apiKey: 'key-0001', secret: 'secret' },
  });
  const order = { symbol: 'SHIBBTC', side: 'buy', strictValidate: false } as const;
  const values: string[] = [new Decimal('1e-7') as never, '1e-7', '1E-7', '1.0e-07', 1e-7 as never];
  for (const price of values)
    await failureOf(
      client.v3.spot.createOrder({
        ...order,
        price,
        quantity: '1e+21',
        stopPrice: new Decimal('2e21') as never,
      }),
    );
  const orders = [
    { ...order, price: '5e-8', quantity: '1' },
    { ...order, price: new Decimal(5e-8) as never, quantity: '2' },
  ];
  await failureOf(client.v3.spot.createOrderList({ contingencyType: 'oneTriggerOther', orders }));
  await failureOf(
    client.v2.trading.createOrder({ ...order, price: '1e-7', quantity: new Decimal('1e-9') as never }),
  );
  expect(sent).toHaveLength(7);
  for (const body of sent) expect(body).not.toMatch(/\d[eE][+-]?\d/);
  for (const body of sent.slice(0, 5)) {
    const form = new URLSearchParams(body);
    expect([form.get('price'), form.get('quantity'), form.get('stop_price')]).toEqual([
      '0.0000001',
      '1000000000000000000000',
      '2000000000000000000000',
    ]);
  }
  expect(sent[5]).toContain('"0.00000005"');
  expect(new URLSearchParams(sent[6]).get('quantity')).toBe('0.000000001');
  await client.close();
  await server.close();
});
