import { connect } from 'node:net';
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

const paths = [
  '/api/status',
  '/api/versions',
  '/api/feeds',
  '/api/books/AAABBB',
  '/api/orders',
  '/api/orders/x',
  '/api/fills',
  '/api/positions',
  '/api/balances',
  '/api/limits',
  '/api/budgets',
  '/api/strategies',
  '/api/alerts',
  '/api/events',
];

describe('who may ask', () => {
  test('every path without a token, with a wrong, an empty or a longer one: 401, and nothing is said', async () => {
    for (const token of ['', 'wrong-token-of-the-test', ' ', `${tokens.operate}x`]) {
      open = await operated();
      for (const path of paths.slice(0, 9)) {
        const answer = await ask(open.server, path, { token });
        expect([path, token, answer.status, codeOf(answer)]).toEqual([path, token, 401, 'TOKEN']);
      }
      await open.server.close();
    }
    open = await operated();
    for (const path of paths.slice(9)) {
      const answer = await ask(open.server, path, { token: 'wrong-token-of-the-test' });
      expect([path, answer.status]).toEqual([path, 401]);
    }
    const act = await ask(open.server, '/api/acts', {
      token: 'wrong-token-of-the-test',
      body: { act: 'halt' },
    });
    expect([act.status, open.acts]).toEqual([401, []]);
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
    for (const origin of ['https://evil.example', 'null', 'http://127.0.0.1.evil.example']) {
      const foreign = await ask(open.server, '/api/acts', { body: { act: 'halt' }, headers: { origin } });
      expect([origin, foreign.status, codeOf(foreign)]).toEqual([origin, 403, 'ORIGIN']);
    }
    expect(open.acts).toEqual([]);
    for (const host of ['localhost:1', 'bot.example', 'BOT.example:443'])
      expect((await ask(open.server, '/api/status', { headers: { host } })).status).toBe(200);
  });

  test('ten wrong tokens in a minute lock the address, the right one included, for as long', () => {
    const clock = new VirtualClock(1_700_000_000_000_000 as Micros);
    const access = new Access({ clock, tokens: { operate: tokens.operate }, names: [] });
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
    expect(await refused({}, { operate: 'short', read: tokens.read })).toBe(
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
    const answer = await fetch(`${open.server.url}/api/status`, {
      headers: { authorization: `Bearer ${tokens.operate}` },
    });
    const text = await answer.text();
    expect(text).not.toContain('token-of-the-test');
    expect(answer.headers.get('x-frame-options')).toBe('DENY');
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
    expect(answer.headers.get('access-control-allow-origin')).toBeNull();
  });
});

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
