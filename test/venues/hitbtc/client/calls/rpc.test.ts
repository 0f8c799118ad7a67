import { describe, expect, test } from 'vitest';
import { millis, seconds } from '../../../../../src/core/base/clock.ts';
import { VirtualClock } from '../../../../../src/core/base/virtual-clock.ts';
import { RpcCalls } from '../../../../../src/venues/hitbtc/client/calls/rpc.ts';

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
