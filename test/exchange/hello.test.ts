import { request } from 'undici';
import { expect, test } from 'vitest';
import { openBench } from './support/raw-client.ts';

test('the address answers what it is and where the API is spoken, whatever the slash', async () => {
  const bench = await openBench();
  for (const path of ['', '/', '/api/3', '/api/3/', '/api/2']) {
    const answer = await request(`${bench.server.restUrl}${path}`);
    const body = (await answer.body.json()) as { rest: string[]; sockets: string[]; try: string };
    expect([path, answer.statusCode, body.rest]).toEqual([path, 200, ['/api/3', '/api/2']]);
    expect(body.sockets).toContain('/api/3/ws/trading');
    const next = await request(`${bench.server.restUrl}${body.try}`);
    expect([next.statusCode, Object.keys((await next.body.json()) as object).length > 0]).toEqual([
      200,
      true,
    ]);
  }
  const nowhere = await request(`${bench.server.restUrl}/api/3/nowhere`);
  await nowhere.body.dump();
  expect(nowhere.statusCode).toBe(404);
  await bench.close();
});
