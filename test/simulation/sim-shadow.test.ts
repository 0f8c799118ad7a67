import { expect, test } from 'vitest';
import { simulate } from './simulation.ts';

test('a shadow beside the live strategies changes nothing that crosses a road or the bus', async () => {
  const parts = { seed: 3, minutes: 0.2 };
  const alone = await simulate({ ...parts, shadow: false });
  const beside = await simulate({ ...parts, shadow: true });
  expect(beside.marks.count('branch/shadow began')).toBeGreaterThan(0);
  expect([beside.breaches, beside.digest]).toEqual([[], alone.digest]);
});
