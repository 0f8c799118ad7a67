import { afterEach, expect, test } from 'vitest';
import type { Micros } from '../../src/core/base/clock.ts';
import { everyAct, optionsOf } from '../../src/operate/act-rows.ts';
import { limitRows } from '../../src/operate/views/limits.ts';
import {
  alertsText,
  endText,
  shownGain,
  shownNumber,
  ordersText,
  positionsText,
  profitsText,
  statusText,
  summaryText,
} from '../../src/operate/bot-texts.ts';
import type { Operated } from './support.ts';
import { boughtPart, operated } from './support.ts';

let run: Operated | undefined;
afterEach(async () => {
  await run?.server.close();
  run = undefined;
});

test('numbers are short, without exponents, and gains have a sign', () => {
  const numbers = ['0.000012345678', '12345.6789', '-999.123456', '0', '1e21'];
  expect(numbers.map(shownNumber)).toEqual([
    '0.0000123457',
    '12,345.68',
    '-999.123',
    '0',
    '1,000,000,000,000,000,000,000',
  ]);
  expect([5, -5, 0, -0].map(shownGain)).toEqual(['+5', '-5', '0', '0']);
});

test('a run in lines that a person reads', async () => {
  run = await operated();
  const { rig, server } = run;
  const { view } = server;
  expect([positionsText(view), alertsText(view), profitsText(view)]).toEqual([
    'no positions',
    'no alerts',
    'no profit: nothing was traded',
  ]);
  rig.wait(2_000);
  boughtPart(rig);
  rig.book(94, 96);
  server.alert('something to know');
  const profit = 'profit -8 BBB, today -8, drawdown 10, largest 10, equity 96,000,000';
  expect(statusText(view)).toBe(
    `sim, trading active\nbuyer running\n${profit}\npositions AAABBB 2 AAA\n1 open order, 0 unknown`,
  );
  expect(profitsText(view)).toBe(`${profit}\nbuyer: -8 BBB\n2023-11-14: -8 BBB, 1 fill`);
  expect(positionsText(view)).toBe('AAABBB 2 AAA at 99 BBB, now 95 BBB, -8 BBB (buyer)');
  expect(ordersText(view)).toBe('AAABBB buy 3 AAA at 99 BBB, partiallyFilled, 2 AAA executed (buyer)');
  expect(alertsText(view)).toMatch(/^11-14 22:13 something to know$/);
  expect(endText(view)).toBe(`${profit}; positions AAABBB 2 AAA; 1 open order, 0 unknown`);
  rig.trader.act({ act: 'halt' }, 'ann', 'a strange market');
  expect(statusText(view)).toContain('sim, trading halted: a strange market, by ann\n');
});

test('a limit on the loss of the account is shown as the halt that it is; one of a strategy is not', async () => {
  run = await operated();
  const { rig, server } = run;
  const reach = (strategy: string | undefined, why: string): void =>
    rig.subject.next({
      kind: 'lossLimitReached',
      ...rig.times,
      latch: {
        strategy,
        currency: 'BBB',
        limit: 'day',
        action: strategy === undefined ? 'halted' : 'reducing',
        why,
        since: rig.clock.now(),
        until: undefined,
      },
    });
  rig.wait(2_000);
  reach('buyer', 'buyer lost 5 BBB');
  expect(statusText(server.view)).toContain('sim, trading active\nbuyer lost 5 BBB\n');
  expect(server.view.status().trading).toMatchObject({ holds: 'active', causes: '' });
  reach(undefined, 'the account lost 9 BBB');
  expect(server.view.status().trading).toMatchObject({
    mode: 'active',
    holds: 'halted',
    causes: 'the account lost 9 BBB',
  });
  expect(statusText(server.view)).toContain(
    'sim, trading halted: the account lost 9 BBB\nbuyer lost 5 BBB\n',
  );
});

test('the summary of a day has profit, fees, drawdown, fills, alerts and the distance to each limit', async () => {
  run = await operated();
  const { rig, server } = run;
  rig.wait(2_000);
  boughtPart(rig);
  server.alert('something to know');
  const now = rig.clock.now();
  const day =
    'profit +2 BBB, fees 0, drawdown 0, 1 fill, equity 101,000,000; 1 alert\npositions AAABBB 2 AAA\n';
  expect(summaryText(server.view, now)).toContain(`2023-11-14 so far: ${day}`);
  expect(summaryText(server.view, now)).toContain(
    'orders.openOrdersAccountMax of account: 1 of 22,500 orders, 99 % left',
  );
  // Every limit of which something is used has a line, the others are counted.
  const rows = [...limitRows(server.view)];
  const used = rows.filter((row) => Number(row.used) > 0);
  const lines = summaryText(server.view, now).split('\n').slice(2);
  expect(used.length).toBeGreaterThan(0);
  const named = lines.slice(0, -1).map((line) => line.split(':')[0]);
  expect(named).toHaveLength(used.length);
  expect(new Set(named)).toEqual(new Set(used.map(({ name, of }) => `${name} of ${of}`)));
  expect(rows.length - used.length).toBe(1);
  expect(lines.at(-1)).toBe('1 limit of which nothing is used');
  // Two hours later it is the next day, whose summary is that of the day before.
  const next = (now + 2 * 3_600_000_000) as Micros;
  expect(summaryText(server.view, next)).toContain(`2023-11-14: ${day}`);
});

test('the bot asks before it does what takes two steps at the command line, and the red switch waits for nobody', () => {
  const rows = everyAct.map(([act, { bot }]) => {
    const inChat = bot === undefined ? 'no' : bot.asks === true ? 'asks' : 'at once';
    return [act, optionsOf(act).confirms ? 'two steps' : 'one step', inChat];
  });
  expect(rows.filter(([, steps, chat]) => steps === 'two steps' && chat === 'at once')).toEqual([]);
  // What clears or raises a limit is done at the machine alone; what sells at the market asks a thumb once more than the keyboard.
  expect(rows.filter(([, steps, chat]) => steps === 'two steps' || chat !== 'no')).toEqual([
    ['pause', 'one step', 'at once'],
    ['resume', 'one step', 'at once'],
    ['flatten', 'one step', 'asks'],
    ['halt', 'one step', 'at once'],
    ['clear', 'two steps', 'no'],
    ['reload', 'two steps', 'no'],
    ['promote', 'two steps', 'no'],
  ]);
});
