import { expect, test } from 'vitest';
import { later, millis, seconds } from '../../../src/core/base/clock.ts';
import { VirtualClock } from '../../../src/core/base/virtual-clock.ts';
import { Fetcher } from '../../../src/app/download/fetch.ts';
import type { FileReply } from '../../../src/venues/net/index.ts';

const whole: FileReply = { status: 200, isWhole: true, length: 0, retryAfter: undefined, why: '' };

/** Requests for `count` files, one after the other, of a server that answers at once; the times at which they left. */
async function timesOf(
  count: number,
  rate: number,
  replies: readonly FileReply[] = [],
): Promise<readonly number[]> {
  const clock = new VirtualClock(seconds(1_700_000_000));
  const step = millis(1);
  const times: number[] = [];
  const client = {
    get: () => {
      times.push(clock.uptime());
      return Promise.resolve(replies[times.length - 1] ?? whole);
    },
  };
  const { signal } = new AbortController();
  const fetcher = new Fetcher({ client, clock, signal, rate, host: 'host', onWait: () => undefined });
  const all = (async () => {
    for (let at = 0; at < count; at++) await fetcher.text(`/${at}`);
  })();
  const end = later(clock.uptime(), seconds(12));
  for (let time = clock.uptime(); time < end; time = later(time, step)) {
    for (let turn = 0; turn < 8; turn++) await Promise.resolve();
    clock.advanceTo(time);
  }
  await all;
  return times.map((time) => (time - (times[0] ?? 0)) / 1e6);
}

test.each([10, 25])('a rate of %i requests a second is kept, and used to nine tenths', async (rate) => {
  const times = await timesOf(rate * 10, rate);
  for (const [at, time] of times.entries()) {
    const later = times.filter((one) => one >= time && one < time + 1).length;
    expect(later, `requests in the second from ${at}`).toBeLessThanOrEqual(rate * 1.1);
  }
  const used = (times.length - 1) / (times.at(-1) ?? 0);
  expect(used).toBeGreaterThan(rate * 0.9);
  expect(used).toBeLessThanOrEqual(rate * 1.1);
});

test('the pause that a server asks for is made before the next request', async () => {
  const limited = { ...whole, isWhole: false, status: 429, retryAfter: seconds(7) };
  const [first, second] = await timesOf(1, 10, [limited, whole]);
  expect([first, Math.floor(second ?? 0)]).toEqual([0, 7]);
});
