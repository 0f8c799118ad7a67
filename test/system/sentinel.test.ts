import { expect, test } from 'vitest';
import { sentinelRounds } from './support/sentinel-rounds.ts';

test('a daemon killed with SIGKILL has no order left that can raise exposure, and its sentinel shows no key', async () => {
  const [round] = await sentinelRounds({ deaths: ['SIGKILL'], seed: 11 });
  expect(Number.isFinite(round?.clearedMs)).toBe(true);
  expect(round?.exitsCanceled).toBe(0);
  const shown = round?.sentinel.shown ?? '';
  if (process.platform === 'linux') expect(shown).toContain('sentinel');
  expect(shown).not.toMatch(/KEY=|SECRET=|key|secret/i);
});
