import { request } from 'node:http';
import { connect } from 'node:net';
import { networkInterfaces } from 'node:os';
import { request as undiciRequest } from 'undici';
import { afterEach, describe, expect, test } from 'vitest';
import { BadInput } from '../../src/core/base/errors.ts';
import { SystemClock } from '../../src/core/base/system-clock.ts';
import { VirtualClock } from '../../src/core/base/virtual-clock.ts';
import { seconds } from '../../src/core/base/clock.ts';
import type { Micros } from '../../src/core/base/clock.ts';
import { Access } from '../../src/operate/access.ts';
import type { Answer, Operated } from './support.ts';
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

  test('ten wrong tokens in a minute lock wrong ones of that address for as long; none is no guess, and the right one is always served', () => {
    const clock = new VirtualClock(1_700_000_000_000_000 as Micros);
    const access = new Access({ clock, tokens, names: [], proxies: [] });
    const roleOf = (authorization: string | undefined, address = 'a') => {
      const found = access.roleOf({ headers: authorization === undefined ? {} : { authorization }, address });
      return typeof found === 'string' ? found : found.code;
    };
    for (let i = 0; i < 30; i++)
      for (const none of [undefined, '', 'Bearer', 'Bearer  ']) expect(roleOf(none)).toBe('TOKEN');
    for (let i = 0; i < 10; i++)
      expect(roleOf(i % 2 === 0 ? 'Bearer wrong' : 'Basic d3Jvbmc=')).toBe('TOKEN');
    for (let i = 0; i < 3; i++) {
      expect([roleOf('Bearer wrong'), roleOf('wrong')]).toEqual(['LOCKED', 'LOCKED']);
      expect([roleOf(undefined), roleOf('Bearer wrong', 'b')]).toEqual(['TOKEN', 'TOKEN']);
      const right = [`Bearer ${tokens.operate}`, `bearer ${tokens.operate}`, `Bearer  ${tokens.read}`];
      expect(right.map((one) => roleOf(one))).toEqual(['operate', 'operate', 'read']);
    }
    clock.advance(seconds(60));
    expect(roleOf('Bearer wrong')).toBe('TOKEN');
  });

  test('a thousand addresses with wrong tokens free none of them of its lock', () => {
    const clock = new VirtualClock(1_700_000_000_000_000 as Micros);
    const access = new Access({ clock, tokens, names: [], proxies: [] });
    const isLocked = (address: string): boolean => {
      const found = access.roleOf({ headers: { authorization: 'Bearer wrong' }, address });
      return typeof found !== 'string' && found.code === 'LOCKED';
    };
    for (let i = 0; i < 1_000; i++) isLocked(`early ${i}`);
    for (let i = 0; i < 10; i++) isLocked('a');
    for (let i = 0; i < 500; i++) isLocked(`late ${i}`);
    expect(isLocked('a')).toBe(true);
  });

  test('beside wrong tokens without end the right one halts, reads, streams and takes no part in the lock', async () => {
    open = await operated();
    for (let i = 0; i < 12; i++)
      await ask(open.server, i % 2 === 0 ? '/api/events' : '/metrics', { token: 'wrong-token-of-the-test' });
    const wrong = await ask(open.server, '/api/status', { token: 'wrong-token-of-the-test' });
    expect([wrong.status, codeOf(wrong)]).toEqual([429, 'LOCKED']);
    expect((await ask(open.server, '/api/status', { token: '' })).status).toBe(401);
    expect((await ask(open.server, '/api/acts', { body: halt })).status).toBe(200);
    expect(open.acts.map(({ act }) => act.act)).toEqual(['halt']);
    const headers = { authorization: `Bearer ${tokens.read}` };
    expect(await upgraded(open, { ...headers, connection: 'Upgrade', upgrade: 'websocket' })).toBe(200);
    for (const path of ['/api/status', '/metrics', '/api/events']) {
      const answer = await fetch(`${open.server.url}${path}`, { headers });
      expect([path, answer.status]).toEqual([path, 200]);
      await answer.body?.cancel();
    }
  });

  test('a page of another site, or of another port, causes no request; whoever follows its link gets the page', async () => {
    open = await operated();
    const { server } = open;
    const image = { 'sec-fetch-mode': 'no-cors', 'sec-fetch-dest': 'image' };
    const statusOf = async (path: string, headers: Record<string, string>, given = tokens.operate) => {
      // The `fetch` of Node has a mode of its own.
      const answer = await undiciRequest(`${server.url}${path}`, {
        headers: { authorization: `Bearer ${given}`, ...headers },
      });
      await answer.body.dump();
      return answer.statusCode;
    };
    for (const site of ['cross-site', 'same-site'])
      for (const path of [
        '/api/status',
        '/api/events',
        '/metrics',
        '/health',
        '/page/main.js',
        '/',
        '/none',
      ]) {
        const headers = { 'sec-fetch-site': site, ...image };
        expect([path, site, await statusOf(path, headers)]).toEqual([path, site, 403]);
        for (let i = 0; i < 3; i++)
          expect(await statusOf(path, headers, 'wrong-token-of-the-test')).toBe(403);
      }
    // None of them counted as a guess.
    expect((await ask(server, '/api/status', { token: 'wrong-token-of-the-test' })).status).toBe(401);
    const link = { 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' };
    for (const site of ['cross-site', 'same-site', 'same-origin', 'none'])
      for (const path of ['/', '/?from=wiki'])
        expect([site, await statusOf(path, { 'sec-fetch-site': site, ...link }, '')]).toEqual([site, 200]);
    const frame = { 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'iframe' };
    expect(await statusOf('/', { 'sec-fetch-site': 'cross-site', ...frame })).toBe(403);
    expect(await statusOf('/api/status', { 'sec-fetch-site': 'cross-site', ...link })).toBe(403);
    const form = await ask(server, '/api/acts', {
      body: halt,
      headers: { 'sec-fetch-site': 'cross-site', ...link },
    });
    expect([form.status, open.acts]).toEqual([403, []]);
    for (const site of ['same-origin', 'none'])
      expect(await statusOf('/api/status', { 'sec-fetch-site': site })).toBe(200);
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
    for (const operate of ['a token with spaces', 'ein-Schlüssel-für-alle', 'x'.repeat(1_001)])
      expect(await refused({}, { operate, read: tokens.read })).toBe(
        'operate.tokens.operate: expected at most 1,000 characters of ASCII without spaces, found others or more',
      );
    expect(await refused({}, { operate: tokens.read, read: tokens.read })).toBe(
      'operate.tokens: expected two different tokens, found the same twice',
    );
  });

  test('a port that is taken gets one sentence', async () => {
    open = await operated();
    const port = Number(new URL(open.server.url).port);
    await expect(operated({ port })).rejects.toThrow(
      `operate: cannot listen on 127.0.0.1 port ${port} (EADDRINUSE): choose another operate.port, 0 for a free one, or operate.enabled=false`,
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
    expect(open.acts).toEqual([]);
  });

  test('what the framework or Node refuses is answered as everything else', async () => {
    open = await operated();
    open.unknown = true;
    const { host, port } = new URL(open.server.url);
    const key = `Host: ${host}\r\nAuthorization: Bearer ${tokens.operate}\r\n`;
    const post = (type: string, body: string, more = '') =>
      `POST /api/acts HTTP/1.1\r\n${key}${more}Content-Type: ${type}\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
    const get = (path: string) => `GET ${path} HTTP/1.1\r\n${key}\r\n`;
    const long = 'x'.repeat(150);
    const cases: readonly (readonly [string, number, string])[] = [
      [get(`/api/orders/${long}`), 404, 'NOT_FOUND'],
      [get(`/api/orders/${'x'.repeat(9_000)}/explain`), 404, 'NOT_FOUND'],
      [get(`/api/books/${'%41'.repeat(500)}`), 404, 'NOT_FOUND'],
      [get(`/api/${long}`), 404, 'NOT_FOUND'],
      [get('/api/orders/%zz'), 400, 'PATH'],
      [get('/api/orders/%E0%A4'), 400, 'PATH'],
      [`PUT /api/acts HTTP/1.1\r\n${key}\r\n`, 404, 'NOT_FOUND'],
      [post('application/json', '{"act":'), 400, 'BODY'],
      [post('application/json', '{"__proto__":{}}'), 400, 'BODY'],
      [post('application/json', ''), 400, 'BODY'],
      [post('text/plain', '{"act":"halt"}'), 400, 'BODY'],
      [post('application/xml', '<act/>'), 415, 'BODY'],
      [post('application/json', `{"act":"halt","why":"${'x'.repeat(20_000)}"}`), 413, 'BODY'],
      [post('application/json', '{"act":"halt"}', 'Expect: more\r\n'), 417, 'HEAD'],
      [`GET / HTTP/1.1\r\n${key}X-Long: ${'x'.repeat(20_000)}\r\n\r\n`, 431, 'HEAD'],
      [get(`/${'x'.repeat(20_000)}`), 431, 'HEAD'],
      ['GET /health HTTP/1.1\r\n\r\n', 421, 'HOST'],
      ['NONSENSE\r\n\r\n', 400, 'REQUEST'],
      ['FLY / HTTP/1.1\r\n\r\n', 400, 'REQUEST'],
    ];
    for (const [sent, status, code] of cases) {
      const answer = await rawly(Number(port), sent);
      const what = sent.slice(0, 40);
      expect([what, answer.status, codeOf(answer)]).toEqual([what, status, code]);
      const { message } = (answer.body as { error: { message: string } }).error;
      expect([what, Object.keys(answer.body as object), message.length > 20]).toEqual([
        what,
        ['error'],
        true,
      ]);
      expect([what, message.includes('FST_')]).toEqual([what, false]);
    }
    expect(open.acts).toEqual([]);
    const without = await ask(open.server, '/api/acts', { token: '', body: { why: 'x'.repeat(20_000) } });
    expect([without.status, codeOf(without)]).toEqual([401, 'TOKEN']);
  });
});

/** Sends bytes, and reads one answer. */
function rawly(port: number, sent: string): Promise<Answer> {
  return new Promise((resolve, reject) => {
    let text = '';
    const socket = connect(port, '127.0.0.1', () => socket.write(sent));
    const look = (): void => {
      const [head = '', body] = text.split('\r\n\r\n');
      const length = Number(/^content-length: (\d+)/im.exec(head)?.[1] ?? 'NaN');
      if (body === undefined || !(body.length >= length)) return;
      socket.destroy();
      resolve({ status: Number(head.slice(9, 12)), body: JSON.parse(body) as unknown });
    };
    socket.on('data', (part: Buffer) => {
      text += part.toString();
      look();
    });
    socket.once('error', reject);
    socket.once('close', () => reject(new Error(`no whole answer: ${text}`)));
  });
}
