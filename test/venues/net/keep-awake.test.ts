import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import type { Micros } from '../../../src/core/base/clock.ts';
import { millis } from '../../../src/core/base/clock.ts';
import { VirtualClock } from '../../../src/core/base/virtual-clock.ts';
import { KeepAwake } from '../../../src/venues/net/keep-awake.ts';
import { quickOptions, Stage } from '../hitbtc/client/support/exchange.ts';

/** How long the loop waited for something to happen while the sessions came up, in milliseconds. */
async function idleWhile(stayAwake: boolean): Promise<number> {
  const options = { ...quickOptions, socket: { ...quickOptions.socket, stayAwake, awakeMs: 60_000 } };
  const stage = await Stage.start({ options });
  const before = performance.eventLoopUtilization().idle;
  await stage.ready();
  const idle = performance.eventLoopUtilization().idle - before;
  await stage.close();
  return idle;
}

function isAwake(): boolean {
  return process.getActiveResourcesInfo().includes('Immediate');
}

test('a loop that is to stay awake never waits, until the venue is closed', async () => {
  expect(await idleWhile(true)).toBe(0);
  await nextTurn();
  expect(isAwake()).toBe(false);
  // Where other work holds the machine, something may be due whenever the loop looks: then once more.
  let idle = 0;
  for (let round = 0; round < 50 && idle === 0; round++) idle = await idleWhile(false);
  expect(idle).toBeGreaterThan(0);
});

test('keeping awake ends when no message came for a while, and begins again with the next', async () => {
  const clock = new VirtualClock(0 as Micros);
  const awake = new KeepAwake(clock, millis(10));
  for (let round = 0; round < 2; round++) {
    awake.noteActivity();
    await nextTurn();
    clock.advance(millis(9));
    await nextTurn();
    expect(isAwake()).toBe(true);
    awake.noteActivity();
    await nextTurn();
    clock.advance(millis(9));
    await nextTurn();
    expect(isAwake()).toBe(true);
    clock.advance(millis(1));
    await nextTurn();
    expect(isAwake()).toBe(false);
  }
  awake.noteActivity();
  awake.end();
  await nextTurn();
  expect(isAwake()).toBe(false);
});
