import { afterEach, expect, test } from 'vitest';
import { seconds } from '../../../src/core/base/clock.ts';
import type { Operated } from '../support.ts';
import { ask, boughtPart, KeptInMemory, operated, tokens } from '../support.ts';

let runs: Operated[] = [];
afterEach(async () => {
  for (const { server } of runs) await server.close();
  runs = [];
});

async function begin(kept: KeptInMemory): Promise<Operated> {
  const run = await operated({}, tokens, { kept });
  runs.push(run);
  run.rig.wait(2_000);
  return run;
}

async function daysOf({ server }: Operated): Promise<unknown> {
  return (await ask(server, '/api/days')).body;
}

test('a day has its own profit, drawdown, fees and fills; the next one begins where it ended', async () => {
  const run = await begin(new KeptInMemory());
  expect(await daysOf(run)).toEqual([]);
  boughtPart(run.rig);
  const first = { day: '2023-11-14', currency: 'BBB', fees: '0', fills: 1 };
  expect(await daysOf(run)).toEqual([{ ...first, profit: '2', drawdown: '0', equity: '101000000' }]);
  run.rig.book(94, 96);
  const ended = { ...first, profit: '-8', drawdown: '10', equity: '96000000' };
  expect(await daysOf(run)).toEqual([ended]);
  run.rig.wait(86_400_000);
  run.rig.book(98, 100);
  expect(await daysOf(run)).toEqual([
    {
      day: '2023-11-15',
      currency: 'BBB',
      fees: '0',
      fills: 0,
      profit: '8',
      drawdown: '0',
      equity: '100000000',
    },
    ended,
  ]);
});

test('a fall between two looks is of the day, as it is of the run', async () => {
  const run = await begin(new KeptInMemory());
  boughtPart(run.rig);
  await daysOf(run);
  run.rig.book(94, 96);
  run.rig.wait(2_000);
  run.rig.book(98, 100);
  const [profits] = (await ask(run.server, '/api/profits')).body as readonly { drawdownMax: string }[];
  expect(profits?.drawdownMax).toBe('10');
  expect(await daysOf(run)).toMatchObject([{ profit: '0', drawdown: '10' }]);
  // The next day has falls of its own alone.
  run.rig.wait(86_400_000);
  run.rig.book(97, 99);
  run.rig.book(95, 97);
  run.rig.wait(2_000);
  run.rig.book(96, 98);
  expect(await daysOf(run)).toMatchObject([
    { day: '2023-11-15', profit: '-4', drawdown: '6' },
    { day: '2023-11-14', profit: '0', drawdown: '10' },
  ]);
});

test('days outlive a restart', async () => {
  const kept = new KeptInMemory();
  const run = await begin(kept);
  boughtPart(run.rig);
  await run.server.close();
  expect(kept.open('days', { linesMax: 1, all: () => [] }).earlier.at(-1)).toMatchObject({
    day: '2023-11-14',
    to: { profit: '2', fills: 1 },
  });
  // Nothing was traded by this one.
  expect(await daysOf(await begin(kept))).toMatchObject([{ day: '2023-11-14', profit: '2', fills: 1 }]);
});

test('a damaged line is left out, and rows stay bounded', async () => {
  const kept = new KeptInMemory();
  const lines = kept.open('days', { linesMax: 1, all: () => [] });
  const sums = { profit: '1', fees: '0', fills: 1 };
  const from = Date.UTC(2020, 0, 1);
  for (let day = 0; day < 1_000; day++) {
    const name = new Date(from + (day * seconds(86_400)) / 1_000).toISOString().slice(0, 10);
    lines.add({ day: name, currency: 'BBB', from: sums, to: sums, peak: '1', drawdownMax: '0' });
  }
  const damaged = { day: '2022-12-01', currency: 'BBB', from: sums, to: sums, peak: '1', drawdownMax: '0' };
  lines.add({ ...damaged, day: 'someday' });
  lines.add({ ...damaged, currency: 'CCC', peak: 'high' });
  lines.add({ ...damaged, currency: 'CCC', to: { ...sums, fills: '1' } });
  lines.add({ ...damaged, currency: 'CCC', from: null });
  lines.add(null);
  const rows = (await daysOf(await begin(kept))) as { day: string }[];
  expect(rows).toHaveLength(800);
  expect(rows[0]?.day).toBe('2022-09-26');
});
