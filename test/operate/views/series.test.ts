import { afterEach, expect, test } from 'vitest';
import type { Operated } from '../support.ts';
import { ask, operated } from '../support.ts';

let run: Operated | undefined;
afterEach(async () => {
  await run?.server.close();
  run = undefined;
});

test('a series is shown with its latest row and its age, and why it is stale until its next row', async () => {
  run = await operated();
  const { rig, server } = run;
  const shown = async (): Promise<unknown> => (await ask(server, '/api/series')).body;
  expect(await shown()).toEqual([]);
  const row = { kind: 'seriesRow', series: 'mood', values: { value: 3, gap: undefined } } as const;
  rig.subject.next({ ...row, ...rig.times });
  rig.wait(2_000);
  const common = { series: 'mood', values: 'value 3, gap -', ageMs: 2_000 };
  expect(await shown()).toMatchObject([{ ...common, status: 'live', why: null }]);
  rig.subject.next({ kind: 'seriesStale', series: 'mood', why: 'its last row came long ago', ...rig.times });
  expect(await shown()).toMatchObject([{ ...common, status: 'stale', why: 'its last row came long ago' }]);
  rig.subject.next({ ...row, values: { value: 4 }, ...rig.times });
  expect(await shown()).toMatchObject([{ status: 'live', values: 'value 4', ageMs: 0 }]);
});
