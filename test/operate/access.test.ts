import { request } from 'node:http';
import { connect } from 'node:net';
import { networkInterfaces } from 'node:os';
import { afterEach, describe, expect, test } from 'vitest';
import { BadInput } from '../../src/core/base/errors.ts';
import { SystemClock } from '../../src/core/base/system-clock.ts';
import { VirtualClock } from '../../src/core/base/virtual-clock.ts';
import { seconds } from '../../src/core/base/clock.ts';
import type { Micros } from '../../src/core/base/clock.ts';
import { Access } from '../../src/operate/access.ts';
import type { Operated } from './support.ts';
import { ask, codeOf, operated, tokens } from './support.ts';

let open: Operated | undefined;
afterEach(async () => {
  await open?.server.close();
  open = undefined;
});

interface Row {
  readonly path: string;
  readonly method: string;
}

/** Every row that asks for a token: those of the document, which stands for the table, and the two that answer no JSON. */
async function guarded(run: Operated): Promise<readonly Row[]> {
  const { paths } = (await ask(run.server, '/openapi.json')).body as {
    paths: Record<string, Record<string, { security?: readonly unknown[] }>>;
  };
  const rows = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([, { security }]) => security === undefined)
      .map(([method]) => ({ path: path.replaceAll(/\{\w+\}/g, 'AAABBB'), method })),
  );
  return [...rows, ...['/metrics', '/api/events'].map((path) => ({ path, method: 'get' }))];
}

const halt = { act: 'halt' };

describe('who may ask', () => {
  test('every path without a token, with a wrong, an empty, a longer one or that of an earlier run: 401, and nothing is said', async () => {
    open = await operated();
    const rows = await guarded(open);
    expect(rows.length).toBeGreaterThan(18);
    expect(rows).toContainEqual({ path: '/api/acts', method: 'post' });
    const wrong = [
      '',
      'wrong-token-of-the-test',
      ' ',
      `${tokens.operate}x`,
      'operate-token-of-an-earlier-run',
    ];
    const cases = wrong.flatMap((token) => rows.map((row) => ({ token, ...row })));
    for (const [at, { token, path, method }] of cases.entries()) {
      // Ten in a minute lock the address.
      if (at % 9 === 0) {
        await open.server.close();
        open = await operated();
      }
      const answer = await ask(open.server, path, { token, ...(method === 'post' && { body: halt }) });
      expect([path, token, answer.status, codeOf(answer)]).toEqual([path, token, 401, 'TOKEN']);
      expect([path, open.acts]).toEqual([path, []]);
    }
  });

  test('a cookie is no token, an upgrade is no way around, and no GET changes anything', async () => {
    open = await operated();
    const cookie = `token=${tokens.operate}; authorization=Bearer ${tokens.operate}`;
    for (const asked of [{ headers: { cookie } }, { body: halt, headers: { cookie } }]) {
      const path = 'body' in asked ? '/api/acts' : '/api/status';
      expect((await ask(open.server, path, { token: '', ...asked })).status).toBe(401);
    }
    const upgrade = { connection: 'Upgrade', upgrade: 'websocket', 'sec-websocket-version': '13' };
    expect(await upgraded(open, { ...upgrade, origin: 'https://evil.example' })).toBe(403);
    expect(await upgraded(open, upgrade)).toBe(401);
    const before = open.rig.seen.length;
    for (const { path } of await guarded(open))
      if (path !== '/api/events' && path !== '/metrics') await ask(open.server, path);
    expect((await ask(open.server, '/api/acts')).status).toBe(404);
    expect((await ask(open.server, '/api/acts?act=halt')).status).toBe(404);
    expect([open.acts, open.rig.seen.length]).toEqual([[], before]);
  });

  test('nobody but this machine reaches it unless the configuration says so', async ({ skip }) => {
    const outer = Object.values(networkInterfaces())
      .flatMap((addresses) => addresses ?? [])
      .find(({ internal, family }) => !internal && family === 'IPv4');
    if (outer === undefined) skip('this machine has no address but loopback');
    open = await operated();
    const socket = connect(Number(new URL(open.server.url).port), outer?.address);
    const how = await new Promise((resolve) => {
      socket.once('connect', () => resolve('reached'));
      socket.once('error', (error) => resolve('code' in error ? error.code : error));
    });
    socket.destroy();
    expect(how).toBe('ECONNREFUSED');
  });

  test('the token that reads sees everything and changes nothing', async () => {
    open = await operated();
    expect((await ask(open.server, '/api/status', { token: tokens.read })).status).toBe(200);
    const answer = await ask(open.server, '/api/acts', { token: tokens.read, body: { act: 'halt' } });
    expect([answer.status, codeOf(answer), open.acts]).toEqual([403, 'ROLE', []]);
  });

  test('another host (a rebound name) and another origin are refused before anything is looked at', async () => {
    open = await operated({ names: ['bot.example'] });
    const rebound = await ask(open.server, '/api/status', { headers: { host: 'evil.example:80' } });
    expect([rebound.status, codeOf(rebound)]).toEqual([421, 'HOST']);
    const { port, origin: own } = new URL(open.server.url);
    const elsewhere = `http://127.0.0.1:${Number(port) + 1}`;
    const notOurs = [
      'https://evil.example',
      'null',
      'http://127.0.0.1.evil.example',
      elsewhere,
      'http://localhost',
    ];
    for (const origin of [...notOurs, `http://localhost:${port}`]) {
      const foreign = await ask(open.server, '/api/acts', { body: { act: 'halt' }, headers: { origin } });
      expect([origin, foreign.status, codeOf(foreign)]).toEqual([origin, 403, 'ORIGIN']);
    }
    expect(open.acts).toEqual([]);
    const pages = [own, 'https://bot.example', 'https://bot.example:8443'];
    for (const origin of pages)
      expect((await ask(open.server, '/api/status', { headers: { origin } })).status).toBe(200);
    const through = { host: `localhost:${port}`, origin: `http://localhost:${port}` };
    expect((await ask(open.server, '/api/status', { headers: through })).status).toBe(200);
    for (const host of ['localhost:1', 'bot.example', 'BOT.example:443'])
      expect((await ask(open.server, '/api/status', { headers: { host } })).status).toBe(200);
  });

  test('ten wrong tokens in a minute lock the address, the right one included, for as long', () => {
    const clock = new VirtualClock(1_700_000_000_000_000 as Micros);
    const access = new Access({ clock, tokens: { operate: tokens.operate }, names: [], proxies: [] });
    const roleOf = (token: string, address: string) =>
      access.roleOf({ headers: { authorization: `Bearer ${token}` }, address });
    for (let i = 0; i < 10; i++) expect(roleOf('wrong', 'a')).toMatchObject({ status: 401 });
    expect(roleOf(tokens.operate, 'a')).toMatchObject({ status: 429, code: 'LOCKED' });
    expect(roleOf(tokens.operate, 'b')).toBe('operate');
    clock.advance(seconds(60));
    expect(roleOf(tokens.operate, 'a')).toBe('operate');
  });

  test('an address that others reach needs a certificate, a token needs its length, two tokens differ', async () => {
    const refused = (options: object, given = tokens) =>
      operated(options, given).then(
        () => 'started',
        (error: unknown) => (error instanceof BadInput ? error.message : error),
      );
    expect(await refused({ host: '0.0.0.0' })).toBe(
      'operate.host: 0.0.0.0 can be reached by others: expected operate.tls, or a loopback address behind a reverse proxy',
    );
    for (const operate of ['', 'short'])
      expect(await refused({}, { operate, read: tokens.read })).toBe(
        'operate.tokens.operate: expected at least 16 characters, found fewer',
      );
    expect(await refused({}, { operate: tokens.read, read: tokens.read })).toBe(
      'operate.tokens: expected two different tokens, found the same twice',
    );
  });

  test('a port that is taken gets one sentence', async () => {
    open = await operated();
    const port = Number(new URL(open.server.url).port);
    await expect(operated({ port })).rejects.toThrow(
      `operate: cannot listen on 127.0.0.1 port ${port} (EADDRINUSE): choose another operate.port, or operate.enabled=false`,
    );
  });

  test('answers say no secret, forbid framing and sniffing, and allow no other origin', async () => {
    open = await operated();
    const rows = [...(await guarded(open)), { path: '/', method: 'get' }, { path: '/health', method: 'get' }];
    for (const { path } of rows.filter((row) => row.method === 'get' && row.path !== '/api/events')) {
      const answer = await fetch(`${open.server.url}${path}`, {
        headers: { authorization: `Bearer ${tokens.operate}` },
      });
      const text = await answer.text();
      // The second is the value of a parameter that is named like a secret.
      for (const secret of ['token-of-the-test', 'of-nobody'])
        expect([path, text.includes(secret)]).toEqual([path, false]);
      const headers = [
        'x-frame-options',
        'x-content-type-options',
        'access-control-allow-origin',
        'set-cookie',
      ];
      expect([path, ...headers.map((name) => answer.headers.get(name))]).toEqual([
        path,
        'DENY',
        'nosniff',
        null,
        null,
      ]);
    }
  });
});

/** The status of an answer to an upgrade. */
function upgraded({ server }: Operated, headers: Record<string, string>): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const asked = request(`${server.url}/api/events`, { headers }, (answer) => {
      answer.resume();
      resolve(answer.statusCode);
    });
    asked.on('upgrade', (answer) => resolve(answer.statusCode));
    asked.on('error', reject).end();
  });
}

describe('rubbish', () => {
  test('a thousand idle connections do not keep a request from its answer', async () => {
    open = await operated();
    const { port } = new URL(open.server.url);
    const idle = Array.from({ length: 1_000 }, () =>
      connect(Number(port), '127.0.0.1').on('error', () => {}),
    );
    await Promise.all(
      idle.map((socket) => new Promise<void>((resolve) => socket.once('connect', () => resolve()))),
    );
    expect((await ask(open.server, '/api/status')).status).toBe(200);
    for (const socket of idle) socket.destroy();
  });

  test('whoever sends the head or the body of a request too slowly, or nothing at all, is cut off', async () => {
    open = await operated();
    const { port, host } = new URL(open.server.url);
    const head = `POST /api/acts HTTP/1.1\r\nHost: ${host}\r\nAuthorization: Bearer ${tokens.operate}\r\n`;
    const body = `${head}Content-Type: application/json\r\nContent-Length: 5000\r\n\r\n{"act":"halt"`;
    const clock = new SystemClock();
    const begun = clock.uptime();
    const slowly = (first: string, drip: string) => {
      const socket = connect(Number(port), '127.0.0.1', () => socket.write(first));
      const cancel = setInterval(() => socket.write(drip), 300);
      let answer = '';
      socket.on('data', (part: Buffer) => (answer += part.toString())).on('error', () => {});
      return new Promise<{ readonly answer: string; readonly ms: number }>((resolve) =>
        socket.once('close', () => {
          clearInterval(cancel);
          resolve({ answer, ms: (clock.uptime() - begun) / 1_000 });
        }),
      );
    };
    const [slowHead, slowBody, silent] = await Promise.all([
      slowly(head, 'X-A: b\r\n'),
      slowly(body, ' '),
      slowly('', ''),
    ]);
    expect(slowHead.ms).toBeLessThan(8_000);
    expect(slowBody.ms).toBeLessThan(13_000);
    expect(silent.ms).toBeLessThan(8_000);
    expect([slowHead.answer, slowBody.answer].map((text) => text.split('\r\n')[0])).toEqual(
      Array.from({ length: 2 }, () => 'HTTP/1.1 408 Request Timeout'),
    );
    expect(open.acts).toEqual([]);
    expect((await ask(open.server, '/api/status')).status).toBe(200);
  });

  test('a path, a body and a method that are not known get a sentence and change nothing', async () => {
    open = await operated();
    expect(codeOf(await ask(open.server, '/api/nothing'))).toBe('NOT_FOUND');
    const cases: readonly (readonly [unknown, string])[] = [
      [{ act: 'explode' }, 'act: '],
      [{ act: 'pause', strategy: 7 }, 'strategy: expected text'],
      [{ act: 'halt', force: true }, 'Unrecognized key'],
      [[], 'expected'],
    ];
    for (const [body, expected] of cases) {
      const answer = await ask(open.server, '/api/acts', { body });
      const { message } = (answer.body as { error: { message: string } }).error;
      expect([answer.status, codeOf(answer)]).toEqual([400, 'BODY']);
      expect(message).toContain(expected);
    }
    const big = await ask(open.server, '/api/acts', { body: { act: 'halt', why: 'x'.repeat(20_000) } });
    expect(big.status).toBe(413);
    expect(open.acts).toEqual([]);
  });
});
