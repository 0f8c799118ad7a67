import { afterEach, expect, test, vi } from 'vitest';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AuditCommand } from '../../src/app/audit/command.ts';
import { auditCommand } from '../../src/app/audit/command.ts';
import type { AuditedBalance, AuditedFill } from '../../src/app/audit/compare.ts';
import type { Amount } from '../../src/core/base/amount.ts';
import { parseAmount } from '../../src/core/base/amount.ts';
import { SystemClock } from '../../src/core/base/system-clock.ts';
import type { OwnFill } from '../../src/exchange/orders/log.ts';
import { contract, MarginScene } from './support/margin-scene.ts';
import { until } from './support/until.ts';

// The journal of a session beside what the exchange has of it, equal and with planted differences.

vi.setConfig({ testTimeout: 60_000 });

let scene: MarginScene;

afterEach(async () => {
  await scene.stage.close();
});

interface Audited {
  readonly ok: boolean;
  readonly venue: string | null;
  readonly differences: readonly string[];
  readonly fills: readonly AuditedFill[];
  readonly balances: readonly AuditedBalance[];
}

async function audit(
  more: Partial<Pick<AuditCommand, 'transfers' | 'exportTo'>> = {},
): Promise<{ code: number; said: Audited; text: readonly string[] }> {
  const { config, exchange } = scene.stage;
  const key = exchange.accounts.get('demo').keys[0];
  const environment = { KEY: key?.apiKey, SECRET: key?.secret.reveal() };
  const said: string[] = [];
  const output = { data: (line: string) => void said.push(line), progress: () => {}, colour: false };
  const command = {
    config,
    environment,
    clock: new SystemClock(),
    journal: undefined,
    transfers: [],
    exportTo: undefined,
    ...more,
    output,
  };
  const code = await auditCommand({ ...command, json: true });
  const document = JSON.parse(said.splice(0).join('')) as Audited;
  await auditCommand({ ...command, json: false });
  return { code, said: document, text: said };
}

/** Buys and sells on spot, makes and takes, at prices whose fees have more digits than the venue prints. */
async function trade(): Promise<void> {
  scene = await MarginScene.open();
  const { puppet, spot } = scene;
  for (const [side, price, quantity] of [
    ['buy', 301_000, 13],
    ['sell', 299_000, 7],
  ] as const) {
    const id = await puppet.place({ side, price, quantity, timeInForce: 'IOC' });
    await puppet.received(id, 'filled');
  }
  const made = await puppet.place({ side: 'buy', price: 299_777, quantity: 11 });
  await puppet.received(made, 'new');
  spot.take('sell', 299_777, 11);
  await puppet.received(made, 'filled');
}

function demoTrades(): readonly OwnFill[] {
  const { exchange } = scene.stage;
  const { trades } = exchange.core.log(exchange.accounts.get('demo').id);
  return [trades.at(2), trades.at(1)].filter((one) => one !== undefined);
}

function putInto(currency: string, change: Amount): void {
  const { exchange } = scene.stage;
  const { id: account } = exchange.accounts.get('demo');
  exchange.core.handle({ kind: 'adjustBalance', account, currency, change });
}

test('a session agrees with the exchange to the last digit, and is written as tables', async () => {
  await trade();
  await scene.stage.stop();
  const folder = mkdtempSync(join(tmpdir(), 'godwit-audit-'));
  try {
    const { code, said, text } = await audit({ exportTo: folder });
    expect([code, said.ok, said.differences]).toEqual([0, true, []]);
    expect(said.venue).toBe(scene.stage.exchange.restUrl);
    expect(said.fills.map(({ venue, journal }) => venue !== null && journal !== null)).toEqual([
      true,
      true,
      true,
    ]);
    const usdt = said.balances.filter(({ currency, wallet }) => currency === 'USDT' && wallet === 'spot');
    expect(usdt.map(({ source, difference }) => [source, difference])).toEqual([
      ['journal', '0'],
      ['venue', '0'],
    ]);
    expect(text[0]).toMatch(/ agree$/);
    expect(readFileSync(join(folder, 'audit-fills.csv'), 'utf8').trim().split('\n')).toHaveLength(4);
    expect(readFileSync(join(folder, 'audit-balances.parquet')).subarray(0, 4).toString()).toBe('PAR1');
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

test('a trade that one side lacks, and a fee that differs, are named', async () => {
  await trade();
  await scene.stage.stop();
  const [last, middle] = demoTrades();
  // The exchange shows one trade under another number, and takes more for another.
  const number = last?.fill.tradeId ?? '';
  Object.assign(last?.fill ?? {}, { tradeId: `${number}9` });
  Object.assign(middle?.fill ?? {}, { fee: parseAmount('0.01') });
  const { code, said } = await audit();
  expect([code, said.ok]).toEqual([7, false]);
  const trades = said.differences.filter((one) => one.startsWith('trade '));
  expect(trades).toHaveLength(3);
  expect(trades[0]).toMatch(/: fee 0\.\d+ in the journal, 0\.01 in the trade history$/);
  expect(trades.filter((one) => one.endsWith(': in the journal, and not in the trade history'))).toHaveLength(
    1,
  );
  expect(trades.filter((one) => one.endsWith(': in the trade history, and not in the journal'))).toHaveLength(
    1,
  );
  // What the journal itself says is in order; the trades of the exchange do not come to its balance.
  const wrong = said.balances.filter(({ difference }) => difference !== '0');
  expect(wrong.map(({ source, currency }) => [source, currency])).toEqual([['venue', 'USDT']]);
});

test('a balance off by its last digit is found, and agrees once the transfer is named', async () => {
  await trade();
  await scene.stage.stop();
  putInto('USDT', parseAmount('0.000000000001'));
  const off = await audit();
  expect(off.code).toBe(7);
  expect(off.said.differences).toHaveLength(1);
  expect(off.said.differences[0]).toMatch(
    /^USDT of the spot wallet: .* by the venue, .* expected, 0\.000000000001 between$/,
  );
  putInto('USDT', parseAmount('4.999999999999'));
  const named = await audit({ transfers: [['USDT', parseAmount('5')]] });
  // Of the journal it is not: there the balance was seen before.
  expect(
    named.said.balances.find(({ source, currency }) => source === 'venue' && currency === 'USDT'),
  ).toMatchObject({ transfers: '5', difference: '0' });
  expect(named.said.differences).toEqual([]);
});

test('margin accounts: what positions brought, interest and funding are part of the sum', async () => {
  scene = await MarginScene.open();
  const { puppet, spot, perpetual } = scene;
  const margin = { symbol: 'ETHUSDT', product: 'margin', marginAuto: true } as const;
  const bought = await puppet.act((orders) =>
    orders.place({ ...margin, side: 'buy', quantity: 5_000, price: 301_000, timeInForce: 'IOC' }),
  );
  await puppet.received(bought, 'filled');
  await scene.accountUntil('ETHUSDT', 'isolated', (account) => account?.positions.length === 1);
  const long = await puppet.act((orders) =>
    orders.place({
      symbol: contract,
      product: 'futures',
      marginAuto: true,
      side: 'buy',
      quantity: 30,
      price: 301_000,
      timeInForce: 'IOC',
    }),
  );
  await puppet.received(long, 'filled');
  await scene.accountUntil(contract, 'isolated', (account) => account?.positions.length === 1);
  scene.settleFunding(parseAmount('0.0001'));
  scene.takeInterest();
  await until('interest', () => puppet.funding.length > 1);
  expect([spot.instrument.symbol, perpetual.instrument.symbol]).toEqual(['ETHUSDT', contract]);
  await scene.stage.stop();
  const { code, said } = await audit();
  expect(said.differences).toEqual([]);
  expect(code).toBe(0);
  const usdt = said.balances.find(({ currency, wallet }) => currency === 'USDT' && wallet === 'spot');
  expect(Number(usdt?.charges)).toBeGreaterThan(0);
  const futures = said.balances.find(({ wallet }) => wallet === 'futures');
  expect(Number(futures?.charges)).toBeGreaterThan(0);
});
