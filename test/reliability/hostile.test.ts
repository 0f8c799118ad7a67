import { once } from 'node:events';
import type { Server } from 'node:net';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import { afterEach, describe, expect, test } from 'vitest';
import { Random } from '../../src/core/base/random.ts';
import { Secret } from '../../src/core/base/secret.ts';
import { SystemClock } from '../../src/core/base/system-clock.ts';
import { parseYaml } from '../../src/core/config/parse-yaml.ts';
import { clientOptions } from '../../src/venues/options.ts';
import { RestClient } from '../../src/venues/hitbtc/client/rest/rest.ts';
import { parseLossless } from '../../src/venues/hitbtc/wire/json.ts';
import { ownCertificate } from './support/own-certificate.ts';

// Rows of the catalogue about peers and files that mean harm, with the limits of time and memory that stand there.

/** Least processor time of five runs, in milliseconds. */
function cpuMs(run: () => void): number {
  const times = [1, 2, 3, 4, 5].map(() => {
    const begun = process.threadCpuUsage();
    run();
    const { user, system } = process.threadCpuUsage(begun);
    return (user + system) / 1_000;
  });
  return Math.min(...times);
}

describe('a venue whose identity is not proved', () => {
  let server: Server | undefined;
  afterEach(() => {
    server?.close();
    server = undefined;
  });

  /** What a signed order brings to a server that is called by an address with TLS. */
  async function sent(listening: Server, received: readonly Uint8Array[]): Promise<string> {
    server = listening;
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const rest = new RestClient({
      baseUrl: `https://localhost:${port}`,
      credentials: { apiKey: 'canary-key-0001', secret: new Secret('canary-secret') },
      clock: new SystemClock(),
      random: new Random(1),
      options: clientOptions.parse({}).rest,
    });
    const form = 'symbol=AAABBB&side=buy';
    const reply = await rest.send({ method: 'POST', path: '/spot/order', form, signed: true });
    await rest.close();
    expect(reply).toMatchObject({ status: 0, unsent: true });
    return Buffer.concat(received).toString('latin1');
  }

  test('by a certificate that nobody signed gets no byte of a request', async () => {
    const received: Uint8Array[] = [];
    const listening = createTlsServer(ownCertificate, (socket) =>
      socket.on('data', (data: Uint8Array) => received.push(data)),
    );
    listening.on('tlsClientError', () => {});
    expect(await sent(listening, received)).toBe('');
  });

  test('because it speaks plain text gets no credential', async () => {
    const received: Uint8Array[] = [];
    const listening = createServer((socket) => {
      socket.on('error', () => {});
      socket.on('data', (data: Uint8Array) => {
        received.push(data);
        socket.end('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}');
      });
    });
    const text = await sent(listening, received);
    expect(text.length).toBeGreaterThan(0);
    expect(text).not.toMatch(/canary|HS256|authorization|spot\/order/i);
  });
});

test.each<[string, string]>([
  [
    'nine levels of aliases, a billion values',
    `a0: &a0 [x, x]\n${Array.from({ length: 9 }, (_, at) => `a${at + 1}: &a${at + 1} [${Array(10).fill(`*a${at}`).join(', ')}]`).join('\n')}\n`,
  ],
  ['a merge key', 'a: &a {b: 1}\nc:\n  <<: *a\n'],
  ['brackets in brackets', `a: ${'['.repeat(100_000)}`],
  ['blocks in blocks', Array.from({ length: 1_000 }, (_, at) => `${' '.repeat(at)}a:`).join('\n')],
  ['more than 1 MiB', `a: "${'x'.repeat(1_048_576)}"`],
])('YAML with %s is refused in 100 ms and 50 MiB', (_name, text) => {
  const before = process.memoryUsage().heapUsed;
  const refuse = (): void => expect(() => parseYaml(text, 'bomb.yaml')).toThrow(/^bomb\.yaml: /);
  expect(cpuMs(refuse)).toBeLessThan(100);
  expect(process.memoryUsage().heapUsed - before).toBeLessThan(50 * 1_048_576);
});

test('JSON that is nested 200,000 times, or longer than any answer, is refused in 50 ms', () => {
  for (const text of ['['.repeat(200_000), `["${'x'.repeat(17 * 1_048_576)}"]`])
    expect(cpuMs(() => expect(() => parseLossless(text)).toThrow(/expected JSON/))).toBeLessThan(50);
});

test('the longest message that a socket of the market takes is read in 50 ms: levels without end, or one text', () => {
  const room = clientOptions.parse({}).socket.payloadBytesMax;
  const level = '["1.1234","2.12"],';
  const levels = `[${level.repeat(Math.floor(room / level.length) - 1)}["1","2"]]`;
  // Other work takes of the caches and of the memory: where JSON.parse itself is slowed down, as much is allowed.
  const limit = Math.max(50, 3 * cpuMs(() => void JSON.parse(levels)));
  for (const text of [levels, `["${'x'.repeat(room - 4)}"]`]) {
    expect(text.length).toBeLessThanOrEqual(room);
    expect(cpuMs(() => void parseLossless(text))).toBeLessThan(limit);
  }
});
