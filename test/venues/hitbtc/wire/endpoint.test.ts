import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { fillPath } from '../../../../src/venues/hitbtc/wire/endpoint.ts';
import { v2Endpoints } from '../../../../src/venues/hitbtc/wire/v2/rest.ts';
import { v3Endpoints } from '../../../../src/venues/hitbtc/wire/v3/rest.ts';

const folder = new URL('../../../../src/venues/hitbtc/wire/endpoints/', import.meta.url);

test('every table of endpoints names its source once, above it', () => {
  const tables = readdirSync(folder).flatMap((file) => {
    const text = readFileSync(new URL(file, folder), 'utf8');
    return [...text.matchAll(/(?<above>\/\*\*(?:(?!\*\/)[^])*\*\/)?\nexport const (?<name>\w+)/g)];
  });
  expect(tables.length).toBeGreaterThan(10);
  for (const { groups } of tables)
    expect(groups?.['above'], groups?.['name']).toMatch(/Source:\s(?:\* )?(?:API v[23], "|v[23]-gaps, )/);
});

test('an endpoint stands below the path of its version, and what is market data needs no key', () => {
  const rows = [...Object.values(v3Endpoints), ...Object.values(v2Endpoints)];
  for (const { path, right } of rows)
    expect(right === 'none', path).toBe(/^\/api\/[23]\/public\//.test(path));
  for (const { path } of Object.values(v3Endpoints)) expect(path).toMatch(/^\/api\/3\//);
  for (const { path } of Object.values(v2Endpoints)) expect(path).toMatch(/^\/api\/2\//);
});

test('parameters of reads go into the query, and no change is sent by an address alone', () => {
  for (const { method, payload, path } of [...Object.values(v3Endpoints), ...Object.values(v2Endpoints)])
    expect(payload === 'query', `${method} ${path}`).toBe(method === 'GET');
});

test('the parameters of a path are percent-encoded in it', () => {
  expect(fillPath('/api/3/spot/order/{client_order_id}', { client_order_id: 'a/b c' })).toBe(
    '/api/3/spot/order/a%2Fb%20c',
  );
});
