import { afterEach, describe, expect, test } from 'vitest';
import { runUntilStopped } from '../../src/app/live/run-until-stopped.ts';
import { SystemClock } from '../../src/core/base/system-clock.ts';
import { ApiBudgets } from '../../src/venues/hitbtc/budgets/api.ts';
import type { RunReport } from '../../src/research/report/sections/run.ts';
import { renderReport } from '../../src/research/report/render/terminal.ts';
import { readReport } from '../../src/research/report/stored.ts';
import { Puppet } from './support/puppet.ts';
import { far, PuppetScene } from './support/puppet-scene.ts';
import type { Stage } from './support/stage.ts';
import { Stage as Opened, strategyOf } from './support/stage.ts';
import { until } from './support/until.ts';

let stage: Stage;

afterEach(async () => {
  await stage.close();
});

interface Row {
  readonly symbol: string;
  readonly position: string;
  readonly openOrders: number;
  readonly unknownOrders: number;
  readonly sessionPosition: string;
  readonly fills: number;
  readonly connections: object;
  readonly stopped: readonly { strategy: string; why: string }[];
}

interface Session {
  readonly code: number;
  readonly rows: readonly Row[];
  readonly noted: readonly string[];
  readonly report: RunReport;
}

/** Watches a session and ends it once `enough` says so. */
async function session(enough: (rows: readonly Row[]) => boolean | Promise<boolean>): Promise<Session> {
  const lines: string[] = [];
  const noted: string[] = [];
  const rows = (): readonly Row[] =>
    lines.map((line) => JSON.parse(line) as Row).filter(({ symbol }) => symbol !== undefined);
  const clock = new SystemClock();
  const ended = runUntilStopped({
    daemon: stage.daemon,
    budgets: new ApiBudgets(stage.config.budgets, clock),
    clock,
    output: { data: (line) => lines.push(line), progress: (line) => noted.push(line), colour: false },
    json: true,
    forMs: undefined,
    identity: {},
    directory: stage.config.run.directory,
  });
  await until('what the test waits for', async () => await enough(rows()));
  process.emit('SIGHUP', 'SIGHUP');
  const code = await ended;
  // A signal to the next session is no second one to this.
  process.removeAllListeners('SIGHUP');
  return { code, rows: rows(), noted, report: JSON.parse(lines.at(-1) ?? '') as RunReport };
}

describe('after a restart', () => {
  test('rows and summary report the account: what an earlier session holds and has live', async () => {
    const scene = await PuppetScene.open({ config: { orders: { onStart: 'keep' } } });
    ({ stage } = scene);
    const { counterparty, puppet } = scene;
    await puppet.received(await puppet.place({ side: 'buy', quantity: 30, price: 301_000 }), 'filled');
    for (const price of [299_100, 299_200])
      await puppet.received(await puppet.place({ ...far, price }), 'new');
    // It ends without a word, as a killed one does: nothing is cancelled.
    await stage.daemon.trader.close();
    Puppet.forget();
    await stage.start();
    const again = await Puppet.of(stage);
    const { rows, report } = await session(async (now) => {
      if (now.length === 0) return false;
      if (again.fills.length > 0) return (now.at(-1)?.fills ?? 0) > 0;
      // One of the kept orders fills, in part.
      counterparty.take('sell', 299_200, 5);
      await until('its fill', () => again.fills.length > 0);
      return false;
    });
    const text = (lots: number): string => counterparty.instrument.quantityText(lots as never);
    expect(rows[0]).toMatchObject({ symbol: 'ETHUSDT', position: text(30), sessionPosition: text(0) });
    expect(rows[0]).toMatchObject({ openOrders: 2, unknownOrders: 0, stopped: [] });
    expect(rows[0]?.connections).toEqual({ market: 'up', trading: 'up' });
    expect(rows.at(-1)).toMatchObject({ position: text(35), sessionPosition: text(5), openOrders: 2 });
    expect(report.orders).toMatchObject({ placed: 0, brought: 2, canceled: 2, open: 0, endedWithFill: 1 });
    expect(report.account).toEqual({
      positions: [{ symbol: 'ETHUSDT', position: text(35), unit: 'ETH' }],
      profits: [expect.objectContaining({ currency: 'USDT' })],
      openOrders: 0,
      marginAccounts: [],
      unknownOrders: 0,
      stopped: [],
      differences: [],
      corrections: [],
    });
  });
});

describe('a session whose only strategy was stopped', () => {
  test('says so in every row and at its end, and has an exit code of its own', async () => {
    ({ stage } = await PuppetScene.open());
    const puppet = await Puppet.of(stage);
    void puppet.act(() => {
      throw new Error('out of ideas');
    });
    const { code, rows, noted, report } = await session((now) => (now.at(-1)?.stopped.length ?? 0) > 0);
    expect(code).toBe(8);
    const [stopped] = rows.at(-1)?.stopped ?? [];
    expect(stopped?.strategy).toBe('puppet');
    expect(stopped?.why).toContain('out of ideas');
    expect(noted.at(-1)).toBe(`Strategy puppet was stopped before the end: ${stopped?.why}`);
    expect(report.account?.stopped).toEqual([stopped]);
  });
});

test('a key that may not trade is reported with the reason of the venue, and its refusals at the end', async () => {
  stage = await Opened.open({
    strategies: [strategyOf('stubborn-bidder', { symbol: 'ETHBTC', everyMs: 50 })],
    key: 1,
  });
  // The refusal halts trading: what the strategy asks for next leaves no more.
  const { noted, report } = await session(() =>
    stage.all('orderDenied').some(({ denial }) => denial.code === 'MODE_HALTED'),
  );
  expect(stage.all('orderRejected')).toHaveLength(1);
  const lines = noted.filter((line) => line.startsWith('the venue rejected'));
  expect(lines).toHaveLength(1);
  expect(lines[0]).toMatch(/^the venue rejected order gw-\S+, 1003: Action is forbidden for this API key/);
  expect(report.warning).toMatch(/^all \d+ orders were refused: .*by the venue \d+$/);
  expect(renderReport(report, { colours: false }).split('\n')[0]).toBe(
    (report.warning ?? '').replace(/^a/, 'A'),
  );
  const stored = readReport(stage.config.run.directory);
  expect(stored.warning).toBe(report.warning);
  const account = stored.sections.find(({ key }) => key === 'account');
  expect(account?.figures.map(({ label, value }) => [label, value])).toContainEqual(['open orders', '0']);
});
