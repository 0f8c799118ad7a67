import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, test } from 'vitest';
import { millis, seconds } from '../../src/core/base/clock.ts';
import { readJournal, lastRunIn } from '../../src/core/journal/replay.ts';
import { hasJournal } from '../../src/core/journal/segments/segments.ts';
import type { ReportDocument } from '../../src/research/report/document/document.ts';
import { figureOf } from '../../src/research/report/document/document.ts';
import { readReport } from '../../src/research/report/stored.ts';
import { run } from '../app/cli/support/run.ts';
import { Account } from './support/account.ts';
import { Cli } from './support/cli.ts';
import { journalOf } from './support/journal-of.ts';
import { until, waitMax } from './support/until.ts';

const folder = mkdtempSync(join(tmpdir(), 'godwit-killed-'));
const directory = join(folder, 'run');
const taker = fileURLToPath(new URL('./fixtures/steady-taker.ts', import.meta.url));
const exchange = new Cli(['exchange', '--port', '0', '--seed', '9', '--json']);
const daemons: Cli[] = [];
const most = 4;

afterAll(() => {
  for (const one of [...daemons, exchange]) one.kill();
  rmSync(folder, { recursive: true, force: true });
});

function trade(account: Account, more: readonly string[] = []): Cli {
  const sets = account.settings(directory, {
    'log.level': 'silent',
  });
  const strategy = ['--strategy', taker, '--param', `most=${most}`, '--param', 'everyMs=150'];
  const daemon = new Cli(
    ['trade', '--mode', 'sim', '--json', ...strategy, ...sets, ...more],
    account.environment,
  );
  daemons.push(daemon);
  return daemon;
}

/** How many orders the last session has asked for so far. */
function asked(): number {
  const from = hasJournal(directory) ? lastRunIn(directory) : undefined;
  if (from === undefined) return 0;
  return [...readJournal(directory, { from })].filter(({ event }) => event.kind === 'intent').length;
}

/** Waits until a session has asked for its orders, and has more fills than before and nothing live; then kills it. */
async function killed(daemon: Cli, account: Account, fills: number): Promise<void> {
  const all = async (): Promise<boolean> =>
    asked() === most &&
    journalOf(directory).openIds.length === 0 &&
    (await account.active()).length === 0 &&
    (await account.fills()).length > fills;
  await until(`a fill, and ${most} orders that ended; ${daemon.err}`, all, waitMax, millis(150));
  const before = JSON.parse((await run(['report', directory, '--json'])).out) as ReportDocument;
  expect(before.warning).toContain('the session still runs: made from its journal');
  daemon.kill('SIGKILL');
  await daemon.end();
}

const rowsOf = ({ sections }: ReportDocument, title: string) =>
  sections.flatMap(({ tables }) => tables).find((table) => table.title === title)?.rows ?? [];

const sumOf = (fills: readonly number[]): number =>
  Number(fills.reduce((sum, one) => sum + one, 0).toFixed(4));

test('a session that was killed has a report from its journal, with the fills and the position of the exchange', async () => {
  const account = Account.of(await exchange.firstLine());
  await killed(trade(account), account, 0);
  const fills = await account.fills();
  expect(fills.length).toBeGreaterThan(0);
  const said = await run(['report', directory]);
  expect(said.out).toContain('The session was killed: made from its journal');
  const first = JSON.parse((await run(['report', directory, '--json'])).out) as ReportDocument;
  const [[symbol, count, position, , , , fee] = []] = rowsOf(first, 'Fills by symbol');
  expect([symbol, Number(count), Number(position), fee]).toEqual([
    'ETHBTC',
    fills.length,
    sumOf(fills),
    'BTC',
  ]);
  expect(figureOf(first, 'execution.fills')?.number).toBe(fills.length);
  expect(figureOf(first, 'execution.orders')?.number).toBe((await account.orders()).length);
  expect(figureOf(first, 'risk.inventoryEnd')?.number).toBeCloseTo(sumOf(fills), 8);
  expect(figureOf(first, 'risk.drawdown')?.reason).toBeDefined();
  expect(figureOf(first, 'return.profit')?.reason).toBe('the journal holds no market data');

  // The second one is killed, too: its report is of its own fills, and what is held is that of both.
  const next = trade(account);
  await until(
    'the report of the first',
    () => next.err.includes('its report, from the journal: '),
    seconds(40),
  );
  await killed(next, account, fills.length);
  const all = await account.fills();
  const second = JSON.parse((await run(['report', directory, '--json'])).out) as ReportDocument;
  const [[, later, gained] = []] = rowsOf(second, 'Fills by symbol');
  expect([Number(later), Number(gained)]).toEqual([
    all.length - fills.length,
    sumOf(all.slice(0, Number(later))),
  ]);
  expect(Number(rowsOf(second, 'Held when the journal ends')[0]?.[1])).toBe(sumOf(all));

  // The next start leaves each of the two its report, and its own one as the latest.
  const last = trade(account, ['--for', '1s']);
  const ended = await last.end();
  expect(ended.err).toContain('The session before was killed; its report, from the journal: ');
  const kept = readdirSync(join(directory, 'sessions')).filter((name) => name.endsWith('.json'));
  const runs = kept
    .toSorted()
    .map((name) => figureOf(readReport(join(directory, 'sessions', name)), 'identity.run'));
  const latest = journalOf(directory).run;
  const [firstRun, secondRun] = [first, second].map((one) => figureOf(one, 'identity.run'));
  expect(runs.map((one) => one?.value)).toEqual([firstRun?.value, secondRun?.value, latest]);
  const again = readReport(join(directory, 'sessions', kept.toSorted()[1] ?? ''));
  expect(again.warning).toMatch(/^the session was killed: made from its journal/);
  expect(rowsOf(again, 'Fills by symbol')).toEqual(rowsOf(second, 'Fills by symbol'));
  const shown = JSON.parse((await run(['report', directory, '--json'])).out) as ReportDocument;
  expect(shown).toEqual(readReport(directory));
  expect(figureOf(shown, 'identity.run')?.value).toBe(latest);
});
