import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { runScenario } from '../../../src/app/backtest/scenario-run.ts';
import { subjectOf } from '../../../src/app/backtest/subject.ts';
import { configSchema } from '../../../src/app/config/schema.ts';
import { scenarioSchema } from '../../../src/research/scenario/scenario.ts';

const path = (name: string): string => fileURLToPath(new URL(`../../../${name}`, import.meta.url));
const config = configSchema.parse({
  strategies: [{ name: 'maker', path: path('strategies/market-maker'), params: { symbol: 'ETHBTC' } }],
});

describe('a recording under a configuration is the default scenario', () => {
  test('which samples and lists what a file can ask for, and decides what it decided without', async () => {
    const { loaded, open } = subjectOf({ config, recordings: [path('backtest/feeds/sample')] });
    const data = await open();
    const plain = await runScenario({ loaded, data });
    expect([plain.rows, plain.fills, plain.orders]).toEqual([[], [], []]);
    expect(plain.changes).toBeGreaterThan(1_000);
    const { sample, instrument } = scenarioSchema.parse({
      name: 'sampled',
      data: ['-'],
      instrument: { symbol: 'ETHBTC' },
      strategy: { path: '-' },
      sample: { every: '1s', columns: ['mid', 'position'], last: true },
    });
    const scenario = { ...loaded.scenario, sample, instrument };
    const listed = await runScenario({ loaded: { ...loaded, scenario, lists: true }, data });
    expect(listed.columns).toEqual(['mid', 'position']);
    expect(listed.rows.length).toBeGreaterThan(100);
    expect(listed.fills).toHaveLength(listed.report?.instruments[0]?.fills ?? 0);
    expect(listed.orders.length).toBeGreaterThan(0);
    expect(listed.digest).toBe(plain.digest);
  });

  test('whose clock ends in front of what is received then', async () => {
    const { loaded, open } = subjectOf({ config, recordings: [path('backtest/feeds/sample')] });
    const data = await open();
    const times: number[] = [];
    const watch = (event: { readonly kind: string; readonly receiveTime: number }): void => {
      if (event.kind === 'bookUpdate') times.push(event.receiveTime);
    };
    await runScenario({ loaded, data, watch });
    const end = times[100] ?? 0;
    const [before] = [times.findIndex((time) => time >= end)];
    times.length = 0;
    const clock = { start: undefined, end: end as never };
    await runScenario({ loaded: { ...loaded, scenario: { ...loaded.scenario, clock } }, data, watch });
    expect(times).toHaveLength(before);
    expect(Math.max(...times)).toBeLessThan(end);
  });
});
