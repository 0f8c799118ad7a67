import { afterEach, expect, test } from 'vitest';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AuditCommand } from '../../src/app/audit/command.ts';
import { auditCommand } from '../../src/app/audit/command.ts';
import type { AuditedBalance, AuditedFill } from '../../src/app/audit/compare.ts';
import type { Amount } from '../../src/core/base/amount.ts';
import { formatAmount, parseAmount, zero } from '../../src/core/base/amount.ts';
import type { Lots, Ticks } from '../../src/core/model/instrument.ts';
import type { ClientOrderId } from '../../src/core/model/order.ts';
import { futuresAccountOf } from '../../src/exchange/matching/accounts/command.ts';
import { SystemClock } from '../../src/core/base/system-clock.ts';
import type { OwnFill } from '../../src/exchange/base/order-log.ts';
import { reportAt } from '../../src/app/live/journal-report.ts';
import type { Counterparty } from './support/counterparty.ts';
import { contract, MarginScene } from './support/margin-scene.ts';
import { quickClient } from './support/stage.ts';
import { until } from './support/until.ts';

// The journal of a session beside what the exchange has of it, equal and with planted differences.

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
  readonly explained: readonly string[];
  readonly notes: readonly string[];
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

test('money that came in while the daemon ran is booked, agrees without being named, and its entry is', async () => {
  const reconcile = { absentMs: 600, retryMsMin: 20, retryMsMax: 100, sendDelayMsMax: 100, everyMs: 200 };
  scene = await MarginScene.open({ config: { client: quickClient, orders: { reconcile } } });
  const { view } = scene.stage.daemon.trader;
  await until('what the wallets hold', () => view.wallets.isProven);
  putInto('USDT', parseAmount('5'));
  putInto('ETH', parseAmount('-300'));
  const unexplained = (currency: string) => view.movedMoney.of('spot', currency).unexplained;
  await until('the entries', () => unexplained('ETH') !== 0n && unexplained('USDT') !== 0n);
  const acted = { at: 1_700_000_000_000_000, canceled: 1, orders: ['gw-1-a-00001'], kept: 1, unresolved: [] };
  scene.stage.daemon.act({ act: 'sentinel', ...acted }, 'sentinel', 'the daemon is gone');
  await scene.stage.stop();
  const { code, said } = await audit();
  expect(said.notes).toContain(
    'The sentinel cancelled 1 order at 2023-11-14T22:13:20.000Z because the daemon is gone; 1 that only reduce stayed.',
  );
  expect([code, said.differences]).toEqual([0, []]);
  expect(said.explained).toEqual(
    expect.arrayContaining([
      expect.stringMatching(/^unexplained of 5 USDT, spot wallet, /),
      expect.stringMatching(/^unexplained of -300 ETH, spot wallet, /),
    ]),
  );
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

test('parts of a position, whose average price has no last digit, agree as far as the venue prints', async () => {
  scene = await MarginScene.open();
  const { perpetual } = scene;
  const future = { symbol: contract, product: 'futures', marginMode: 'cross', timeInForce: 'IOC' } as const;
  const trade = async (side: 'buy' | 'sell', quantity: number, price: number): Promise<void> => {
    perpetual.rest(side === 'buy' ? 'sell' : 'buy', price, quantity);
    const id = await scene.puppet.act((orders) => orders.place({ ...future, side, quantity, price }));
    await scene.puppet.received(id, 'filled');
  };
  await trade('buy', 10, 300_000);
  await trade('buy', 20, 300_100);
  await trade('sell', 10, 299_900);
  await trade('sell', 7, 299_950);
  await scene.accountUntil(
    contract,
    'cross',
    (account) => account?.positions[0]?.quantity === parseAmount('0.013'),
  );
  await scene.killed();
  await trade('sell', 20, 299_900);
  await trade('sell', 3, 299_901);
  await trade('buy', 9, 299_902);
  await scene.stage.stop();
  const { code, said } = await audit();
  expect([code, said.differences]).toEqual([0, []]);
});

test('an order of somebody else in a margin account that a strategy trades in is part of the sum', async () => {
  scene = await MarginScene.open();
  const { puppet, perpetual, stage } = scene;
  const { core } = stage.exchange;
  const { id: instrument } = core.instruments.get(contract);
  const foreign = (name: string, side: 'buy' | 'sell', quantity: number, price: number): void => {
    perpetual.rest(side === 'buy' ? 'sell' : 'buy', price, quantity);
    core.handle({
      kind: 'place',
      account: futuresAccountOf(scene.demo),
      takeMarkup: zero,
      makeMarkup: zero,
      margin: { mode: 'cross', reduceOnly: false, closePosition: false, auto: false },
      request: {
        clientOrderId: `by-hand-${name}` as ClientOrderId,
        instrument,
        side,
        type: 'limit',
        timeInForce: 'IOC',
        quantity: quantity as Lots,
        price: price as Ticks,
        stopPrice: undefined,
        expireTime: undefined,
        postOnly: false,
      },
    });
  };
  const { view } = stage.daemon.trader;
  const held = async (lots: number): Promise<void> => {
    await until(`${lots} lots`, () => view.netPosition(instrument, 'cross') === lots);
  };
  const future = { symbol: contract, product: 'futures', marginMode: 'cross', timeInForce: 'IOC' } as const;
  perpetual.rest('sell', 300_000, 30);
  await puppet.act((orders) => orders.place({ ...future, side: 'buy', quantity: 30, price: 300_000 }));
  await held(30);
  // The other way round: the venue has one position of both.
  foreign('00000001', 'sell', 50, 299_700);
  await held(-20);
  foreign('00000002', 'buy', 13, 299_800);
  await held(-7);
  perpetual.rest('buy', 299_600, 10);
  await puppet.act((orders) => orders.place({ ...future, side: 'sell', quantity: 10, price: 299_600 }));
  await held(-17);
  await stage.stop();
  const { code, said } = await audit();
  expect([code, said.differences]).toEqual([0, []]);
});

/** The house withdraws its bids, bids far lower, and trades there: no liquidation finds a price that its margin could pay. */
function plunge(party: Counterparty, price: number): void {
  party.take('sell', 299_000, 200_000);
  party.rest('buy', price, 100_000);
  party.take('sell', price, 10);
}

/** Isolated margin of 100 USDT and a contract position whose loss will be larger. */
async function leveraged(): Promise<void> {
  scene = await MarginScene.open();
  const { puppet, perpetual } = scene;
  await puppet.turn(({ margin: accounts }) => accounts.set(contract, { balance: '100' }));
  await scene.accountUntil(contract, 'isolated', (account) => account?.balance === parseAmount('100'));
  perpetual.rest('sell', 300_000, 1_000);
  const future = { symbol: contract, product: 'futures', side: 'buy', price: 300_000 } as const;
  const id = await puppet.act((orders) => orders.place({ ...future, quantity: 500 }));
  await puppet.received(id, 'filled');
  await scene.accountUntil(contract, 'isolated', (account) => account?.positions.length === 1);
}

/** 0.5 lose 250 USDT by it. */
function crash(): void {
  plunge(scene.perpetual, 250_000);
  plunge(scene.spot, 250_000);
}

function profitOfContract(): string {
  const { view } = scene.stage.daemon.trader;
  const { id } = scene.instrument(contract);
  const { realized, feesInQuote, charges } = view.position(id, 'puppet', 'isolated');
  return formatAmount((realized - feesInQuote - charges) as Amount);
}

test('a liquidation costs what the margin was, in positions, report and audit: what is beyond it the venue lost', async () => {
  await leveraged();
  crash();
  await until('what the venue bore', () => profitOfContract() === '-100');
  await scene.stage.stop();
  const { code, said } = await audit();
  expect([code, said.differences]).toEqual([0, []]);
  const report = reportAt(scene.stage.config.run.directory);
  const rows = report.sections.find(({ key }) => key === 'margin')?.tables[0]?.rows ?? [];
  expect(rows.map(([symbol, account, fills]) => [symbol, account, fills])).toEqual([
    [contract, 'isolated', '2'],
  ]);
  const [realized, fees] = [rows[0]?.[4], rows[0]?.[6]].map((cell) => parseAmount(String(cell)));
  expect(formatAmount(((realized ?? 0n) - (fees ?? 0n)) as Amount)).toBe('-100');
});

test('so does one that came while the daemon was down', async () => {
  await leveraged();
  await scene.killed(async () => {
    crash();
    await until('the liquidation', () => scene.positionsAt('futures').length === 0);
  });
  await until('what the venue bore', () => profitOfContract() === '-100');
  await scene.stage.stop();
  const { code, said } = await audit();
  expect([code, said.differences]).toEqual([0, []]);
});
