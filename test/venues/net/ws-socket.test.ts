import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Clock, Micros } from '../../../src/core/base/clock.ts';
import { millis, seconds } from '../../../src/core/base/clock.ts';
import { Random } from '../../../src/core/base/random.ts';
import { SystemClock } from '../../../src/core/base/system-clock.ts';
import { VirtualClock } from '../../../src/core/base/virtual-clock.ts';
import { clientOptions } from '../../../src/venues/options.ts';
import { WsSocket } from '../../../src/venues/net/ws-socket.ts';
import { StubSocketServer } from '../hitbtc/client/support/stub-socket-server.ts';

let server: StubSocketServer;
let socket: WsSocket | undefined;

beforeEach(async () => {
  server = await StubSocketServer.start();
});
afterEach(async () => {
  await socket?.close();
  socket = undefined;
  await server.close();
});

/** What the session received, and a way to wait for more. */
function build(clock: Clock, options: Record<string, number> = {}, url = server.url) {
  const delivered: string[] = [];
  let wake = (): void => {};
  const note = (text: string): void => {
    delivered.push(text);
    wake();
  };
  socket = new WsSocket({
    url,
    clock,
    random: new Random(3),
    options: clientOptions.parse({ socket: options }).socket,
    skipUtf8Validation: false,
    listener: {
      opened: () => note('opened'),
      received: (bytes) => note(Buffer.from(bytes).toString('utf8')),
      closed: (why) => note(`closed: ${why}`),
    },
  });
  const until = async (count: number): Promise<readonly string[]> => {
    while (delivered.length < count) {
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
    return delivered;
  };
  socket.open();
  return { socket, delivered, until };
}

describe('a socket', () => {
  test('opens, sends and receives text', async () => {
    server.onText = ({ ws }, text) => ws.send(`you said ${text}`);
    const { socket, until } = build(new SystemClock());
    expect(socket.send('too early')).toBe(false);
    await until(1);
    expect(socket.send('hello')).toBe(true);
    expect(await until(2)).toEqual(['opened', 'you said hello']);
  });

  test('offers no compression', async () => {
    const { until } = build(new SystemClock());
    await until(1);
    expect(server.guests[0]?.ws.extensions).toBe('');
  });

  test('writes all messages of one turn at once', async () => {
    const { socket, until } = build(new SystemClock());
    await until(1);
    for (let i = 0; i < 50; i++) socket.send(`message ${i}`);
    await server.until(() => server.guests[0]?.texts.length === 50);
    expect(server.guests[0]?.reads).toBe(1);
  });

  test('connects again after the venue closed it, and reports why', async () => {
    const { until } = build(new SystemClock(), { retryMs: 1 });
    await until(1);
    server.guests[0]?.ws.close(1012, 'restart\u202e');
    expect(await until(3)).toEqual(['opened', 'closed: closed with 1012 restart?', 'opened']);
  });

  test('connects again after a cut, with growing pauses', async () => {
    const clock = new VirtualClock(seconds(1_000));
    const { until, delivered } = build(clock);
    const pauses: number[] = [];
    await until(1);
    for (let i = 1; i <= 10; i++) {
      server.guests.at(-1)?.ws.terminate();
      await until(2 * i);
      const at = clock.nextTime() as Micros;
      pauses.push(at - clock.now());
      clock.advanceTo(at);
      await until(2 * i + 1);
    }
    expect(delivered.filter((text) => text === 'opened')).toHaveLength(11);
    expect(pauses[0]).toBeLessThanOrEqual(millis(250));
    expect(pauses[5]).toBeGreaterThanOrEqual(millis(4_000));
    expect(Math.max(...pauses)).toBeLessThanOrEqual(millis(30_000));
  });

  test('keeps no timer and no listener after it was closed', async () => {
    const clock = new VirtualClock(seconds(1_000));
    const { socket, until, delivered } = build(clock);
    await until(1);
    await socket.close();
    expect(clock.pending).toBe(0);
    expect(socket.isOpen).toBe(false);
    expect(delivered).toEqual(['opened']);
    socket.open();
    expect(clock.pending).toBe(0);
  });

  test('gives a connection up that does not open in time', async () => {
    const clock = new VirtualClock(seconds(1_000));
    server.accepts = false;
    const { until } = build(clock);
    clock.advance(seconds(5));
    expect(await until(1)).toEqual(['closed: no connection in time']);
  });

  test('reports the absence of listeners', async () => {
    const gone = await StubSocketServer.start();
    const { url } = gone;
    await gone.close();
    const { until } = build(new SystemClock(), {}, url);
    expect((await until(1))[0]).toMatch(/closed: connect ECONNREFUSED/);
  });
});

describe('a silent socket', () => {
  test('is pinged, and cut when the ping is not answered either', async () => {
    await server.close();
    server = await StubSocketServer.start(undefined, false);
    const clock = new VirtualClock(seconds(1_000));
    const { until } = build(clock);
    await until(1);
    let pinged = false;
    server.guests[0]?.ws.on('ping', () => {
      pinged = true;
    });
    clock.advance(seconds(3));
    await server.until(() => pinged);
    clock.advance(seconds(5));
    expect((await until(2))[1]).toBe('closed: not a byte for 8000 ms');
  });

  test('whose pings are answered stays', async () => {
    const clock = new VirtualClock(seconds(1_000));
    const { socket, until, delivered } = build(clock);
    await until(1);
    for (let round = 0; round < 5; round++) {
      let pinged = false;
      server.guests[0]?.ws.once('ping', () => {
        pinged = true;
      });
      clock.advanceTo(clock.nextTime() as Micros);
      await server.until(() => pinged);
      // A message behind the pong proves that the pong has arrived.
      server.guests[0]?.ws.send(`round ${round}`);
      await until(2 + round);
    }
    expect(delivered).toHaveLength(6);
    expect(socket.isOpen).toBe(true);
  });
});

test('a message above the limit costs the connection', async () => {
  const { until } = build(new SystemClock(), { payloadBytesMax: 2_000 });
  await until(1);
  server.guests[0]?.ws.send('x'.repeat(2_001));
  expect((await until(2))[1]).toMatch(/closed: Max payload size exceeded/);
});

test('a peer that does not read costs the connection instead of memory', async () => {
  const { socket, until } = build(new SystemClock(), { backlogBytesMax: 100_000 });
  await until(1);
  server.guests[0]?.tcp.pause();
  const text = 'x'.repeat(50_000);
  let sent = 0;
  while (socket.send(text) && sent < 1_000) sent += 1;
  expect(sent).toBeLessThan(1_000);
  expect((await until(2))[1]).toBe('closed: the peer does not read what is sent');
});
