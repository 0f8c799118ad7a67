import { describe, expect, test } from 'vitest';
import type { Event } from '../../src/core/model/event.ts';
import { SimulatedSystem } from './system.ts';
import type { TraderHooks } from './sim-trader.ts';

/** Half a minute of good weather, half a minute of a market road that carries half of what is said, and a minute after. */
async function clogged(hooks: TraderHooks = {}) {
  const system = new SimulatedSystem({ seed: 4, hooks });
  const { market } = system.network.weather.roads;
  const events: Event[] = [];
  system.start();
  system.trader?.trader.watch(({ event }) => events.push(event));
  await system.run(30_000);
  market.downBytesPerSecond = 800;
  await system.run(60_000);
  market.downBytesPerSecond = Number.POSITIVE_INFINITY;
  await system.run(90_000);
  const before = system.tower.wire.orders;
  await system.run(120_000);
  return { events, breaches: system.breaches.list, after: system.tower.wire.orders - before };
}

describe('a market link that falls behind, without a gap and with pongs (N9)', () => {
  test('lets no order leave on what it brings, is opened anew, and trading goes on', async () => {
    const { events, breaches, after } = await clogged();
    expect(breaches).toEqual([]);
    const denied = events.filter(
      (event) => event.kind === 'orderDenied' && event.denial.why.includes('after the venue stamped them'),
    );
    expect(denied.length).toBeGreaterThan(5);
    const downs = events.filter((event) => event.kind === 'sessionDown' && event.session === 'market');
    expect(downs.length).toBeGreaterThan(1);
    expect(downs.length).toBeLessThan(6);
    for (const down of downs) expect(down).toMatchObject({ why: 'market data came too late for 5000 ms' });
    expect(after).toBeGreaterThan(10);
  });

  test('is seen by the simulation when nothing counts the age of what comes', async () => {
    const { breaches } = await clogged({
      options: (options) => ({ ...options, marketLagMsMax: 86_400_000 }),
    });
    expect(breaches[0]).toMatchObject({ invariant: 'I9' });
    expect(breaches[0]?.why).toMatch(
      /left although market data come [\d.]+ ms after their stamp|market data come too late/,
    );
  });
});
