import { mkdtempSync, writeFileSync } from 'node:fs';
import { request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import type { ClientOptions } from 'ws';
import { WebSocket } from 'ws';
import { ownCertificate } from '../reliability/support/own-certificate.ts';

import type { GatewayStage } from './support/gateway-stage.ts';
import { openGateway } from './support/gateway-stage.ts';

// A gateway that others can reach has TLS, and answers by its names.

let on: GatewayStage | undefined;
afterEach(async () => {
  await on?.close();
  on = undefined;
});

const programs = [{ name: 'grid', symbols: ['BTCUSDT'] }];

function files(cert = ownCertificate.cert): { readonly cert: string; readonly key: string } {
  const folder = mkdtempSync(join(tmpdir(), 'gateway-tls-'));
  const tls = { cert: join(folder, 'cert.pem'), key: join(folder, 'key.pem') };
  writeFileSync(tls.cert, cert);
  writeFileSync(tls.key, ownCertificate.key, { mode: 0o600 });
  return tls;
}

/** Status of the answer to a read of the balance by TLS, asked under that name. */
function statusAs({ gateway, keys }: GatewayStage, host: string): Promise<number | undefined> {
  const key = keys.read().get('grid');
  const pair = Buffer.from(`${key?.apiKey}:${key?.secret.reveal()}`).toString('base64');
  const { port } = new URL(gateway.restUrl);
  return new Promise((resolve, reject) => {
    const asked = request({
      host: '127.0.0.1',
      port,
      path: '/api/3/spot/balance',
      ca: ownCertificate.cert,
      servername: 'localhost',
      headers: { authorization: `Basic ${pair}`, host },
    });
    asked.on('response', (answer) => {
      answer.resume();
      resolve(answer.statusCode);
    });
    asked.on('error', reject);
    asked.end();
  });
}

test('without TLS it listens on loopback alone', async () => {
  const started = openGateway(programs, { config: { gateway: { host: '0.0.0.0' } } });
  await expect(started).rejects.toThrow(
    'gateway.host: 0.0.0.0 can be reached by others: expected gateway.tls, or a loopback address behind a reverse proxy',
  );
});

test('a certificate that is none ends the start', async () => {
  const started = openGateway(programs, { config: { gateway: { host: '0.0.0.0', tls: files('none') } } });
  await expect(started).rejects.toThrow(
    /^gateway\.tls: expected readable PEM files of a certificate and its key: /,
  );
});

test('with TLS it serves requests and sockets by its names, and no others', async () => {
  const gateway = { host: '0.0.0.0', tls: files(), names: ['Bots.example'] };
  on = await openGateway(programs, { config: { gateway } });
  expect(on.gateway.restUrl).toMatch(/^https:\/\/0\.0\.0\.0:\d+$/);
  expect(await statusAs(on, 'bots.example')).toBe(200);
  expect(await statusAs(on, 'localhost')).toBe(200);
  expect(await statusAs(on, 'other.example')).not.toBe(200);
  const { port } = new URL(on.gateway.restUrl);
  const trusted = { ca: ownCertificate.cert, servername: 'localhost' } as ClientOptions;
  const socket = new WebSocket(`wss://127.0.0.1:${port}/api/3/ws/trading`, trusted);
  const said = await new Promise<string>((resolve, reject) => {
    socket.on('error', reject);
    socket.on('message', (data: Buffer) => resolve(data.toString()));
    socket.on('open', () => socket.send('{"method":"spot_balances","id":1}'));
  });
  // Nothing before a login.
  expect(JSON.parse(said)).toMatchObject({ id: 1, error: { code: 1_002 } });
  socket.close();
});
