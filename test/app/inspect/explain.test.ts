import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { StampedEvent } from '../../../src/core/model/stamped-event.ts';
import { registerVenues } from '../../../src/app/venue/load.ts';
import { quickClient, Stage, strategyOf } from '../../system/support/stage.ts';
import { OrderExplainer } from '../../../src/app/inspect/order-explainer.ts';
import { SystemClock } from '../../../src/core/base/system-clock.ts';
import { run } from '../cli/support/run.ts';

interface Explained {
  readonly order: Readonly<Record<string, string | null>>;
  readonly seen: {
    readonly book: { readonly bids: readonly (readonly string[])[]; readonly ageMs: number } | null;
    readonly balances: readonly { readonly currency: string; readonly available: string }[];
  };
  readonly steps: readonly {
    readonly time: string;
    readonly sincePreviousMs: number | null;
    readonly step: string;
    readonly text: string;
    readonly sequence: number | null;
  }[];
  readonly notes: readonly string[];
}

const empty = mkdtempSync(join(tmpdir(), 'godwit-explain-'));
let stage: Stage;
let seen: readonly StampedEvent[] = [];
let filled = '';

beforeAll(async () => {
  registerVenues();
  const reconcile = { retryMsMin: 20, retryMsMax: 100, sendDelayMsMax: 100, everyMs: 200 };
  stage = await Stage.open({
    strategies: [strategyOf('steady-taker', { everyMs: 300 })],
    config: { client: quickClient, orders: { reconcile } },
    record: true,
  });
  const fill = await stage.next('orderReport', ({ reportType }) => reportType === 'trade');
  filled = fill.order.clientOrderId;
  stage.exchange.faults.multiplyFees(10);
  await stage.next('differenceFound', ({ difference }) => difference.clientOrderId === filled);
  const result = { at: 1_700_000_000_000_000, canceled: 1, kept: 0, unresolved: [] };
  stage.daemon.act({ act: 'sentinel', ...result, orders: [filled] }, 'sentinel', 'the daemon is gone');
  await stage.stop();
  seen = [...stage.seen];
});

afterAll(async () => {
  await stage.close();
  rmSync(empty, { recursive: true, force: true });
});

async function explained(...more: readonly string[]): Promise<Explained> {
  const said = await run(['explain', filled, '--journal', stage.config.run.directory, ...more, '--json']);
  expect([said.code, said.err]).toEqual([0, '']);
  return JSON.parse(said.out) as Explained;
}

test('explain shows an order from its intent to its fill, in order of time, with the packets of the recording', async () => {
  const { order, steps, seen: before, notes } = await explained('--recording', stage.recording);
  expect(notes).toEqual([]);
  expect(order).toMatchObject({ clientOrderId: filled, strategy: 'steady-taker', state: 'filled' });
  const names = steps.map(({ step }) => step);
  const way = ['intent', 'accepted', 'durable', 'budget', 'packet out', 'packet in', 'fill'];
  expect(names.filter((name, at) => way.includes(name) && names.indexOf(name) === at)).toEqual(way);
  expect(steps.map(({ time }) => time)).toEqual(steps.map(({ time }) => time).toSorted());
  expect(
    steps.every(({ sincePreviousMs }, at) =>
      at === 0 ? sincePreviousMs === null : (sincePreviousMs ?? -1) >= 0,
    ),
  ).toBe(true);
  expect(steps.find(({ step }) => step === 'packet out')?.text).toContain(filled);
  // The history tells ten times the fee: that is open, or settled by now.
  expect(steps.find(({ step }) => step === 'difference')?.text).toMatch(
    /^the report of trade \d+ of order .* told a fee of .*, the trade history tells /,
  );
  expect(before.book?.bids.length).toBeGreaterThan(0);
  expect(before.balances.map(({ currency }) => currency).length).toBe(2);
  const journal = steps.flatMap(({ sequence }) => sequence ?? []);
  expect(journal.every((sequence) => seen.some((one) => one.sequence === sequence))).toBe(true);
  expect(JSON.stringify(steps)).not.toMatch(/secret|signature/i);
});

test('explain tells what a sentinel cancelled, and why', async () => {
  const { steps } = await explained();
  expect(steps.find(({ step }) => step === 'sentinel')?.text).toBe(
    'the sentinel cancelled it at 2023-11-14T22:13:20.000Z because the daemon is gone',
  );
});

test('without a recording explain shows what the journal holds, and says what is missing', async () => {
  const { steps, seen: before, notes } = await explained('--recording', join(empty, 'none'));
  expect(steps.map(({ step }) => step)).not.toContain('packet out');
  expect(steps.map(({ step }) => step)).toContain('fill');
  expect(before.book).toBeNull();
  expect(notes).toEqual([expect.stringContaining('there is no recording')]);
});

test('a daemon tells the same from a thread, and knows what its journal does not name', async () => {
  const places = { directory: stage.config.run.directory, folders: [stage.recording] };
  const explainer = new OrderExplainer(places, new SystemClock());
  const [noted, again] = await Promise.all([explainer.explain(filled), explainer.explain(filled)]);
  expect(noted).toEqual(await explained('--recording', stage.recording));
  expect(again).toEqual(noted);
  await expect(explainer.explain('gw-none')).rejects.toThrow('there is no order "gw-none"');
  const four = Array.from({ length: 4 }, () => explainer.explain(filled));
  await expect(explainer.explain(filled)).rejects.toThrow('4 orders are being explained');
  await Promise.all(four);
});

test('an order that the journal does not name, and a missing journal, end with 4', async () => {
  const journal = stage.config.run.directory;
  const unknown = await run(['explain', 'gw-none', '--journal', journal]);
  expect([unknown.code, unknown.err]).toEqual([
    4,
    `godwit: there is no order "gw-none" in the journal of ${journal}`,
  ]);
  // A longer id that begins like this one is another order.
  expect((await run(['explain', filled.slice(0, -1), '--journal', journal])).code).toBe(4);
  const text = await run(['explain', filled, '--journal', journal]);
  expect(text.out).toContain(`order     ${filled}`);
});
