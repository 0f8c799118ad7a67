import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Bench } from './support/raw-client.ts';
import { openBench } from './support/raw-client.ts';
import { rawHttp } from './support/raw-http.ts';

let bench: Bench;

beforeAll(async () => {
  bench = await openBench();
});
afterAll(() => bench.close());

test.each([
  ['GARBAGE\r\n\r\n', 400, 'Bad Request'],
  [
    'POST /api/3/spot/order HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n',
    400,
    'Bad Request',
  ],
  [
    `GET /api/3/public/symbol HTTP/1.1\r\nHost: x\r\nX: ${'y'.repeat(20_000)}\r\n\r\n`,
    431,
    'Request Header Fields Too Large',
  ],
])('what is no request is answered as one that is wrong: %#', async (bytes, status, title) => {
  const [head = '', body = ''] = (await rawHttp(bench, bytes)).split('\r\n\r\n', 2);
  expect(head.split('\r\n')).toEqual(
    expect.arrayContaining([
      `HTTP/1.1 ${status} ${title}`,
      'Content-Type: application/json; charset=UTF-8',
      'Connection: close',
    ]),
  );
  expect(JSON.parse(body)).toEqual({
    timestamp: '2023-11-14T22:13:20.000Z',
    error: { code: 10001, message: 'Validation error', description: title },
    path: '',
    requestId: expect.stringMatching(/^[0-9a-f]{8}-\d+$/),
  });
});
