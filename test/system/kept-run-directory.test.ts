import { copyFileSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { formatAmount, parseAmount, subtract } from '../../src/core/base/amount.ts';
import type { Micros } from '../../src/core/base/clock.ts';
import type { ReadTarget } from '../../src/core/model/command.ts';
import { SystemClock } from '../../src/core/base/system-clock.ts';
import { silentLogger } from '../../src/core/base/logger.ts';
import { DatabaseSync } from 'node:sqlite';
import { readHeader } from '../../src/core/journal/replay.ts';
import { Instruments } from '../../src/core/model/instrument.ts';
import { State } from '../../src/core/state/state.ts';
import { configSchema } from '../../src/app/config/schema.ts';
import { openJournal } from '../../src/app/live/run-journal.ts';
import { instrumentsOfHeader, instrumentsOfJournal } from '../../src/app/run/journal-header.ts';
import { readKept } from '../../src/app/preflight/kept-run.ts';

/** As a program of journal version 2 left it when it was killed: a position, a halt, a limit on loss that was reached. */
const kept = fileURLToPath(new URL('fixtures/run-of-version-2/journal.sqlite', import.meta.url));
let directory: string;

beforeEach(() => {
  directory = join(mkdtempSync(join(tmpdir(), 'godwit-kept-')), 'run');
  mkdirSync(directory);
  copyFileSync(kept, join(directory, 'journal.sqlite'));
});

afterEach(() => {
  rmSync(join(directory, '..'), { recursive: true });
});

const listedOn = (tickSize: string, quantityIncrement: string): Instruments =>
  new Instruments([
    {
      symbol: 'ETHBTC',
      type: 'spot',
      baseCurrency: 'ETH',
      quoteCurrency: 'BTC',
      feeCurrency: 'BTC',
      takeRate: '0.002',
      makeRate: '0.0005',
      marginTrading: false,
      status: 'working',
      tickSize,
      quantityIncrement,
    },
  ]);

test.each([
  ['the same grid, with other fee rates', '0.000001', '0.0001'],
  ['a finer grid', '0.0000001', '0.00001'],
  ['a coarser grid', '0.00001', '0.001'],
  ['a grid that is no multiple', '0.0000025', '0.0003'],
])('a run directory of journal version 2 is continued on %s', async (_what, tick, increment) => {
  const header = readHeader(directory);
  const known = instrumentsOfJournal(header, listedOn(tick, increment));
  const foreseen = readKept(directory, known);
  const config = configSchema.parse({ run: { directory } });
  const { journal, history } = openJournal(
    { config, clock: new SystemClock(), log: silentLogger } as never,
    known.header,
  );
  const state = new State({ instruments: known.instruments });
  for (const { event } of history) state.fold(event);
  for (const seen of [state, foreseen.state]) {
    const [held] = seen.positions();
    const instrument = known.instruments.get('ETHBTC');
    expect(Number(instrument.quantityText(held?.quantity as never))).toBe(0.2003);
    expect(held).toMatchObject({ cash: -10013197300000000000000n, fillCount: 1 });
    expect([seen.mode, seen.modeLatched, seen.modeWhy]).toEqual(['halted', true, 'by operator']);
    expect(seen.losses.latches).toMatchObject([{ limit: 'day', action: 'reducing', currency: 'BTC' }]);
  }
  await journal.close();
  // What goes on with it is of a version that the older program refuses.
  const numbers = known.header === header ? 'journal.sqlite' : 'journal-000002.sqlite';
  const database = new DatabaseSync(join(directory, numbers), { readOnly: true });
  expect(database.prepare('SELECT version FROM about').get()?.['version']).toBe(3);
  database.close();
});

/** The same with a position on isolated margin and one of a contract, charged once each, and halted. */
const onMargin = fileURLToPath(new URL('fixtures/margin-run-of-version-2/journal.sqlite', import.meta.url));

test('a run directory of journal version 2 with positions on margin is continued, and money missing since is found', async () => {
  copyFileSync(onMargin, join(directory, 'journal.sqlite'));
  const header = readHeader(directory);
  const known = instrumentsOfJournal(header, instrumentsOfHeader(header).instruments);
  const config = configSchema.parse({ run: { directory } });
  const { journal, history } = openJournal(
    { config, clock: new SystemClock(), log: silentLogger } as never,
    known.header,
  );
  const kept = new State({ instruments: known.instruments });
  for (const { event } of history) kept.fold(event);
  expect([kept.mode, kept.modeLatched]).toEqual(['halted', true]);
  const next = new State({ instruments: known.instruments });
  next.fold({ kind: 'stateCarried', ...timesAt(kept.time), state: kept.carry() });
  for (const state of [kept, next]) {
    const held = state.positions().map(({ account, quantity, charges, realized }) => ({
      account,
      quantity,
      charges: formatAmount(charges),
      realized,
    }));
    expect(held).toEqual([
      { account: 'isolated', quantity: 1_000, charges: '0.006', realized: 0n },
      { account: 'isolated', quantity: 50, charges: '0.015', realized: 0n },
    ]);
    expect(state.marginAccounts().map(({ account }) => account.positions.length)).toEqual([1, 1]);
  }
  // What the program of then had booked is what wallets are held against: the look of the next run finds what is missing.
  next.fold({ kind: 'runStarted', ...timesAt(kept.time), run: 'next', mode: 'live' });
  for (const missing of ['0', '0.25', '0']) look(next, missing);
  expect(next.wallets.differences).toMatchObject([
    { wallet: 'futures', currency: 'USDT', amount: parseAmount('-0.25'), looks: 2 },
  ]);
  await journal.close();
});

function timesAt(time: number) {
  return { exchangeTime: time as Micros, receiveTime: time as Micros };
}

/** A complete look at the account, an hour after what came before; the wallet of contracts lacks something. */
function look(state: State, missing: string): void {
  const times = timesAt(state.time + 3_600_000_000);
  const targets: readonly ReadTarget[] = [
    { of: 'balances' },
    { of: 'balances', product: 'futures' },
    { of: 'marginAccounts', product: 'margin' },
    { of: 'marginAccounts', product: 'futures' },
  ];
  for (const [commandId, what] of targets.entries())
    state.fold({ kind: 'readPending', ...times, command: { kind: 'read', commandId, what } });
  for (const [commandId, what] of targets.entries()) {
    const ofFutures = 'product' in what && what.product === 'futures';
    const balances = state.balances(ofFutures ? 'futures' : undefined).map((one) => ({
      ...one,
      available: subtract(one.available, parseAmount(ofFutures && one.currency === 'USDT' ? missing : '0')),
    }));
    const accounts = state.marginAccounts().filter(({ product }) => (product === 'futures') === ofFutures);
    state.fold({
      kind: 'readAnswered',
      ...times,
      commandId,
      what,
      askedAt: times.receiveTime,
      orders: [],
      fills: [],
      balances: what.of === 'balances' ? balances : [],
      ...(what.of === 'marginAccounts' && { marginAccounts: accounts.map(({ account }) => account) }),
    });
  }
}
