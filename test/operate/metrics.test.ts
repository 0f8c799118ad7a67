import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, test } from 'vitest';
import type { Micros } from '../../src/core/base/clock.ts';
import type { Operated } from './support.ts';
import { ask, operated, tokens } from './support.ts';

let open: Operated | undefined;
afterEach(async () => {
  await open?.server.close();
  open = undefined;
});

const pathOf = (path: string): string => fileURLToPath(new URL(`../../${path}`, import.meta.url));
const read = (path: string): string => readFileSync(pathOf(path), 'utf8');

async function metrics(run: Operated): Promise<string> {
  const answer = await fetch(`${run.server.url}/metrics`, {
    headers: { authorization: `Bearer ${tokens.read}` },
  });
  expect(answer.status).toBe(200);
  expect(answer.headers.get('content-type')).toMatch(/^text\/plain/);
  return answer.text();
}

const named = (text: string): readonly string[] =>
  [...new Set(text.match(/godwit_[a-z_]+/g) ?? [])].toSorted();

/** Parts of a histogram count as one metric. */
const whole = (name: string): string => name.replace(/_(?:bucket|sum|count)$/, '');

describe('metrics', () => {
  test('have names that promtool takes: a total is a counter, no name says its type, and each has a help text', async () => {
    open = await operated();
    const text = await metrics(open);
    const types = [...text.matchAll(/^# TYPE (\S+) (\w+)$/gm)].map(([, name = '', type = '']) => ({
      name,
      type,
    }));
    expect(types.length).toBeGreaterThan(40);
    for (const { name, type } of types) {
      expect([name, name.endsWith('_total')]).toEqual([name, type === 'counter']);
      expect(name).not.toMatch(
        /_(?:gauge|counter|summary|histogram|milliseconds|ms|minutes|hours|kb|mb)(?:_|$)/,
      );
      expect(name).toMatch(/^[a-z][a-z0-9_]*$/);
      expect(text).toMatch(new RegExp(`^# HELP ${name} \\S`, 'm'));
    }
  });

  test('follow the trader: orders, fills, refusals, answers, position and profit', async () => {
    open = await operated();
    const { rig } = open;
    rig.wait(2_000);
    rig.trade(100);
    const id = rig.all('orderPending').at(-1)?.command.request.clientOrderId ?? '';
    rig.report(id, 'partiallyFilled', 2);
    const commandId = rig.all('orderPending').at(-1)?.command.commandId ?? 0;
    rig.wait(20);
    rig.subject.next({
      kind: 'commandSettled',
      commandId,
      lane: 'new',
      outcome: 'acknowledged',
      clientOrderId: id as never,
      ...rig.times,
    });
    rig.trader.act({ act: 'pause', strategy: undefined }, 'ann', '');
    rig.wait(2_000);
    rig.trade(100);
    const text = await metrics(open);
    expect(text).toContain('godwit_orders{state="partiallyFilled"} 1');
    expect(text).toContain('godwit_fills_total{strategy="buyer",symbol="AAABBB"} 1');
    expect(text).toContain('godwit_refusals_total{code="PAUSED",by="us"} 1');
    expect(text).toContain('godwit_answer_seconds_count{lane="new"} 1');
    expect(text).toContain('godwit_answer_seconds_bucket{le="0.025",lane="new"} 1');
    expect(text).toContain('godwit_position{strategy="buyer",symbol="AAABBB",account="spot"} 2');
    expect(text).toContain('godwit_profit{currency="BBB"} 2');
    expect(text).toContain('godwit_strategy_running{strategy="buyer"} 0');
    expect(text).toContain('godwit_journal_waiting 4');
    expect(text).toContain('godwit_journal_synced_seconds 1700000000.5');
    expect(text).toContain('godwit_journal_sync_seconds 0.0025');
    expect(text).toContain('godwit_up 1');
    rig.trader.act({ act: 'halt' }, 'ann', '');
    expect(await metrics(open)).toContain('godwit_up 0');
  });

  test('show the longest turn of the loop', async () => {
    open = await operated();
    await metrics(open);
    const until = performance.now() + 60;
    while (performance.now() < until);
    await new Promise((resolve) => setTimeout(resolve, 5));
    const [, longest = ''] = /^godwit_longest_turn_seconds (\S+)$/m.exec(await metrics(open)) ?? [];
    expect(Number(longest)).toBeGreaterThan(0.05);
  });

  test('of the nightly drift: none without it, its score, limit, end and failures with it', async () => {
    open = await operated();
    expect(await metrics(open)).not.toMatch(/^godwit_drift/m);
    await open.server.close();
    const result = { score: 0.00025, from: 0 as Micros, to: 1 as Micros };
    const drift = {
      running: false,
      limit: 0.001,
      result,
      endedAt: 1_700_000_000_500_000 as Micros,
      why: 'x',
      failures: 3,
    };
    open = await operated({}, tokens, { drift });
    const text = await metrics(open);
    expect(text).toContain('godwit_drift_score 0.00025\n');
    expect(text).toContain('godwit_drift_limit 0.001\n');
    expect(text).toContain('godwit_drift_ended_seconds 1700000000.5\n');
    expect(text).toContain('godwit_drift_failures 3\n');
  });

  test('of the sentinel: none without it, whether it watches, the age of its look and its acts with it', async () => {
    open = await operated();
    expect(await metrics(open)).not.toMatch(/^godwit_sentinel/m);
    await open.server.close();
    const lastLook = (open.rig.clock.now() - 2_500_000) as Micros;
    const sentinel = {
      isUp: true,
      pid: 4_711,
      stage: 'watches',
      since: lastLook,
      lastLook,
      waitsFor: 'a kill file',
      trouble: '',
      acts: 2,
      canceled: 7,
    };
    open = await operated({}, tokens, { sentinel });
    const text = await metrics(open);
    expect(text).toContain('godwit_sentinel_up 1\n');
    expect(text).toContain('godwit_sentinel_look_age_seconds 2.5\n');
    expect(text).toContain('godwit_sentinel_acts 2\n');
    expect(text).toContain('godwit_sentinel_canceled 7\n');
    await open.server.close();
    open = await operated({}, tokens, { sentinel: { ...sentinel, isUp: false, lastLook: undefined } });
    const down = await metrics(open);
    expect(down).toContain('godwit_sentinel_up 0\n');
    expect(down).not.toMatch(/^godwit_sentinel_look_age_seconds/m);
  });

  test('need a token', async () => {
    open = await operated();
    expect((await ask(open.server, '/metrics', { token: 'wrong-token-of-the-test' })).status).toBe(401);
  });

  test('every metric is documented, and every documented one exists', async () => {
    open = await operated();
    const text = await metrics(open);
    const exist = [...text.matchAll(/^# TYPE (godwit_\w+)/gm)].map(([, name = '']) => name).toSorted();
    const page = read('docs/steering.md');
    expect(named(page.slice(page.indexOf('## Metrics')))).toEqual(exist);
    for (const file of ['config/prometheus-alerts.yaml', 'config/grafana-dashboard.json'])
      expect(
        named(read(file))
          .map(whole)
          .filter((name) => !exist.includes(name)),
      ).toEqual([]);
  });

  test('every alert has a row that says what to do', () => {
    const names = (text: string, pattern: RegExp): string[] =>
      [...text.matchAll(pattern)].map(([, name = '']) => name);
    const page = read('docs/service.md');
    expect(names(page.slice(page.indexOf('## At an alert')), /^\| `(Godwit\w+)` \|/gm)).toEqual(
      names(read('config/prometheus-alerts.yaml'), /- alert: (\w+)/g),
    );
  });

  test('the alert rules are rules', ({ skip }) => {
    const checked = spawnSync('promtool', ['check', 'rules', pathOf('config/prometheus-alerts.yaml')]);
    if (checked.error !== undefined) skip('promtool is not installed here');
    expect(checked.stderr.toString()).toBe('');
    expect(checked.status).toBe(0);
  });
});
