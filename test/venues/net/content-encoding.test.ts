import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { GodwitClient } from '../../../src/venues/hitbtc/typed/index.ts';
import { failureOf } from '../../api/support.ts';
import { StubHttpServer } from '../hitbtc/client/support/stub-http-server.ts';

let server: StubHttpServer;
let client: GodwitClient;

beforeEach(async () => {
  server = await StubHttpServer.start();
  client = new GodwitClient({
    baseUrl: server.url,
    options: { rest: { retryMs: 1, readAttempts: 1, bodyBytesMax: 65_536 } },
  });
});
afterEach(async () => {
  await client.close();
  await server.close();
});

function answers(encoding: string, body: Buffer): void {
  server.handler = (_seen, response) => {
    response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': encoding });
    response.end(body);
  };
}

const rates = Buffer.from(
  '{"BTC":{"currency":"USDT","price":"64000.5","timestamp":"2024-01-02T03:04:05.678Z"}}',
);

describe('an answer in an encoding that was not asked for', () => {
  test.each<[string, Buffer]>([
    ['gzip', gzipSync(rates)],
    ['GZIP', gzipSync(rates)],
    ['x-gzip', gzipSync(rates)],
    ['deflate', deflateSync(rates)],
    ['deflate', deflateRawSync(rates)],
    ['br', brotliCompressSync(rates)],
    ['zstd', zstdCompressSync(rates)],
    ['identity', rates],
    ['gzip, br', brotliCompressSync(gzipSync(rates))],
  ])('is decoded: %s', async (encoding, body) => {
    answers(encoding, body);
    expect(await client.v3.marketData.priceRates({ to: 'USDT' })).toMatchObject([
      { from: 'BTC', to: 'USDT' },
    ]);
  });

  const zeros = Buffer.alloc(50_000_000);
  test.each<[string, Buffer, string]>([
    ['gzip', gzipSync(zeros), 'the answer is longer than 65536 bytes'],
    ['br', brotliCompressSync(zeros), 'the answer is longer than 65536 bytes'],
    ['zstd', zstdCompressSync(zeros), 'the answer is longer than 65536 bytes'],
    ['gzip', rates, 'the answer is no gzip'],
    ['compress', rates, 'the answer has an encoding that is not known'],
    ['__proto__', rates, 'the answer has an encoding that is not known'],
    ['gzip,gzip,gzip,gzip', rates, 'the answer has 4 encodings, more than 3'],
  ])('is refused in one sentence: %s', async (encoding, body, why) => {
    answers(encoding, body);
    const failure = await failureOf(client.v3.marketData.priceRates({ to: 'USDT' }));
    expect(JSON.stringify(failure)).toContain(why);
  });
});
