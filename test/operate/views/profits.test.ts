import { afterEach, expect, test } from 'vitest';
import type { Operated } from '../support.ts';
import { ask, boughtPart, operated } from '../support.ts';

let run: Operated | undefined;
afterEach(async () => {
  await run?.server.close();
  run = undefined;
});

test('the run has its profit and drawdown, and each strategy its own', async () => {
  run = await operated();
  const { rig, server } = run;
  const read = async () => (await ask(server, '/api/profits')).body;
  expect(await read()).toEqual([]);
  rig.wait(2_000);
  boughtPart(rig);
  // The account has a million of each currency. Two lots bought at 99 are worth 100 each, then 95.
  const row = { currency: 'BBB', fills: 1 };
  const none = { drawdown: null, drawdownMax: null, today: null, equity: null };
  expect(await read()).toEqual([
    { ...row, strategy: null, profit: '2', drawdown: '0', drawdownMax: '0', today: '2', equity: '101000000' },
    { ...row, strategy: 'buyer', profit: '2', ...none },
  ]);
  rig.book(94, 96);
  expect(await read()).toEqual([
    {
      ...row,
      strategy: null,
      profit: '-8',
      drawdown: '10',
      drawdownMax: '10',
      today: '-8',
      equity: '96000000',
    },
    { ...row, strategy: 'buyer', profit: '-8', ...none },
  ]);
});
