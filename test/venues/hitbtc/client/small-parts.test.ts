import { describe, expect, test } from 'vitest';
import type { Micros } from '../../../../src/core/base/clock.ts';
import { micros, millis, seconds } from '../../../../src/core/base/clock.ts';
import { Random } from '../../../../src/core/base/random.ts';
import { VirtualClock } from '../../../../src/core/base/virtual-clock.ts';
import { socketAddress } from '../../../../src/venues/address.ts';
import { Backoff } from '../../../../src/core/base/backoff.ts';
import { ClockOffset } from '../../../../src/venues/net/clock-offset.ts';
import { readTime } from '../../../../src/venues/hitbtc/wire/formats.ts';
import { Deadlines } from '../../../../src/venues/net/deadlines.ts';
import { clientOptions } from '../../../../src/venues/options.ts';
import { pause } from '../../../../src/core/base/pause.ts';
import { cancelAllCall } from '../../../../src/venues/hitbtc/client/rest/commands.ts';
import { RpcCalls } from '../../../../src/venues/hitbtc/client/calls/rpc.ts';
import { twoInstruments } from './support/instruments.ts';

test('the cancel of all orders names its symbol in the body, and none where it is for all of a product', () => {
  const command = { kind: 'cancelOrders', commandId: 1, cancels: [] } as const;
  const instruments = twoInstruments();
  const second = instruments.get('CCCBBB').id;
  expect(cancelAllCall({ ...command, instrument: second }, instruments)).toMatchObject({
    method: 'DELETE',
    path: '/spot/order',
    form: 'symbol=CCCBBB',
    signed: true,
  });
  const whole = cancelAllCall({ ...command, product: 'margin', instrument: undefined }, instruments);
  expect(whole).toEqual({ method: 'DELETE', path: '/margin/order', signed: true });
});

test('a socket address is what the documents say, with or without a path of its own', () => {
  expect(socketAddress('wss://venue.example', '/api/3/ws/public')).toBe(
    'wss://venue.example/api/3/ws/public',
  );
  expect(socketAddress('ws://127.0.0.1:81/x/', '/api/3/ws/trading')).toBe(
    'ws://127.0.0.1:81/x/api/3/ws/trading',
  );
  expect(() => socketAddress('https://venue.example', '/x')).toThrow(
    /ws_url to begin with ws:\/\/ or wss:\/\//,
  );
});

test('unknown client options are refused', () => {
  expect(() => clientOptions.parse({ rest: { timeout: 1 } })).toThrow(/timeout/);
});

describe('back-off', () => {
  test('doubles with jitter up to its ceiling and begins anew after success', () => {
    const backoff = new Backoff({ firstMs: 100, maxMs: 400, perMinute: 60 }, new Random(1));
    for (const ceiling of [100, 200, 400, 400]) {
      const wait = backoff.pause(micros(0));
      expect(wait).toBeLessThanOrEqual(millis(ceiling));
      expect(wait).toBeGreaterThanOrEqual(millis(ceiling / 2));
    }
    backoff.reset();
    expect(backoff.pause(micros(0))).toBeLessThanOrEqual(millis(100));
  });

  test('never allows more than so many attempts in any minute, whatever succeeds', () => {
    const backoff = new Backoff({ firstMs: 1, maxMs: 1, perMinute: 10 }, new Random(2));
    const attempts: number[] = [];
    for (let now = 0, i = 0; i < 100; i++) {
      now += backoff.pause(micros(now));
      attempts.push(now);
      backoff.reset();
    }
    for (let i = 10; i < attempts.length; i++) {
      expect((attempts[i] as number) - (attempts[i - 10] as number)).toBeGreaterThanOrEqual(seconds(60));
    }
  });
});

describe('the clock offset', () => {
  const at = seconds(1_700_000_000);
  const iso = (time: number): string => new Date(time / 1_000).toISOString();

  test('is nothing while the clocks agree within what can be measured', () => {
    const offset = new ClockOffset(readTime);
    expect(offset.note(iso(at + millis(300)), at, (at + millis(100)) as Micros)).toBe(false);
    expect(offset.note(new Date(at / 1_000).toUTCString(), at, (at + millis(900)) as Micros)).toBe(false);
    expect(offset.offset).toBe(0);
  });

  test('is measured from a stamp and from a Date header, and forgotten when the clock is right again', () => {
    const offset = new ClockOffset(readTime);
    expect(offset.note(iso(at + seconds(5)), at, at)).toBe(true);
    expect(offset.offset).toBe(seconds(5));
    expect(offset.note(new Date((at - seconds(30)) / 1_000).toUTCString(), at, at)).toBe(true);
    expect(offset.offset).toBe(-seconds(29.5));
    expect(offset.note(iso(at), at, at)).toBe(true);
    expect(offset.offset).toBe(0);
  });

  test('is not moved by nonsense, nor by a clock that stepped back meanwhile', () => {
    const offset = new ClockOffset(readTime);
    expect(offset.note('soon', at, at)).toBe(false);
    expect(offset.note(iso(at + seconds(50)), at, (at - 1) as Micros)).toBe(false);
  });
});

describe('deadlines', () => {
  test('expire in order, each once, and not when stopped', () => {
    const clock = new VirtualClock(seconds(1));
    const late: number[] = [];
    const deadlines = new Deadlines<number>(clock, millis(100), (key) => late.push(key));
    deadlines.start(1);
    clock.advance(millis(40));
    deadlines.start(2);
    deadlines.start(3);
    expect(deadlines.stop(2)).toBe(true);
    expect(deadlines.stop(2)).toBe(false);
    clock.advance(millis(60));
    expect(late).toEqual([1]);
    clock.advance(millis(40));
    expect(late).toEqual([1, 3]);
    expect(clock.pending).toBe(0);
  });

  test('started by an expiry count from then on', () => {
    const clock = new VirtualClock(seconds(1));
    const late: number[] = [];
    const deadlines = new Deadlines<number>(clock, millis(100), (key) => {
      late.push(key);
      if (key < 3) deadlines.start(key + 1);
    });
    deadlines.start(1);
    clock.advance(millis(300));
    expect(late).toEqual([1, 2, 3]);
    deadlines.start(9);
    deadlines.clear();
    expect(clock.pending).toBe(0);
  });
});

describe('calls on a socket', () => {
  function build(pendingMax = 10) {
    const clock = new VirtualClock(seconds(1));
    const sent: string[] = [];
    const rpc = new RpcCalls({
      clock,
      prefix: 'x',
      deadlineMs: 100,
      pendingMax,
      send: (text) => sent.push(text) > 0,
    });
    const ends: unknown[] = [];
    const call = (): boolean =>
      rpc.call(
        (id) => id,
        (answer) => ends.push(answer),
      );
    return { clock, rpc, sent, ends, call };
  }

  test('are matched by their own ids', () => {
    const { rpc, sent, ends, call } = build();
    call();
    call();
    rpc.accept('x2', { kind: 'result', result: true });
    rpc.accept('x1', { kind: 'error', error: { code: 1, message: 'no', description: undefined } });
    expect(sent).toEqual(['x1', 'x2']);
    expect(ends).toMatchObject([{ kind: 'result' }, { kind: 'error' }]);
  });

  test('count answers that are late, repeated, or of another type of id', () => {
    const { clock, rpc, ends, call } = build();
    call();
    clock.advance(millis(100));
    expect(ends).toMatchObject([{ kind: 'silence', why: 'no answer within 100 ms' }]);
    for (const id of ['x1', 1, undefined]) expect(rpc.accept(id, { kind: 'result', result: 1 })).toBe(false);
    expect(rpc.unmatched).toBe(3);
    expect(ends).toHaveLength(1);
  });

  test('end in silence when the connection goes, and are bounded', () => {
    const { clock, rpc, ends, call } = build(2);
    expect([call(), call(), call()]).toEqual([true, true, false]);
    rpc.abandon('reset');
    expect(ends).toHaveLength(2);
    expect(rpc.pending).toBe(0);
    expect(clock.pending).toBe(0);
  });
});

test('a pause ends early when its signal is aborted, and leaves no timer', async () => {
  const clock = new VirtualClock(seconds(1));
  const life = new AbortController();
  const waiting = pause(clock, seconds(5), life.signal);
  life.abort();
  await waiting;
  await pause(clock, seconds(5), life.signal);
  expect(clock.pending).toBe(0);
});
