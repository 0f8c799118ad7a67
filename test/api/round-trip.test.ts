import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Attempt, GodwitClient } from '../../src/client/index.ts';
import { attempt } from '../../src/client/index.ts';
import { clientMethods } from './client-rows.ts';
import type { ClientMethod } from './client-rows.ts';
import type { Known } from './prepare.ts';
import { prepare } from './prepare.ts';
import { Stage } from './support.ts';

const methods = await clientMethods();
const reads = methods.filter(({ verb }) => verb === 'GET');
const told = ({ version, group, method }: ClientMethod) => `${version}.${group}.${method}`;

let stage: Stage;
let client: GodwitClient;
let known: Known;

beforeAll(async () => {
  stage = await Stage.start();
  client = stage.client();
  known = await prepare(client, stage);
});
afterAll(async () => {
  await stage.close();
});

/** Parameters of a read: those of its path, and those it cannot do without. */
function paramsOf({ version, group, endpoint, path }: ClientMethod): Record<string, unknown> {
  const product = ['margin', 'futures'].includes(group) ? `${version}.${group}` : 'spot';
  const contract = group.endsWith('futures');
  const own: Known = {
    ...known,
    symbol: contract ? known['contract'] : known['symbol'],
    clientOrderId: known[`${product} order`],
    currency: endpoint.includes('Cross') ? 'USDT' : 'BTC',
  };
  const inPath = [...path.matchAll(/\{(\w+)\}/g)].map((match) => camelOf(match[1] ?? ''));
  const wanted = [...inPath, ...(needs[`${version}.${endpoint}`] ?? [])];
  return Object.fromEntries(wanted.map((name) => [name, own[name]]));
}

/** What reads cannot do without besides their path. */
const needs: Readonly<Record<string, readonly string[]>> = {
  'v3.publicPriceRates': ['to'],
  'v3.publicPriceHistory': ['to'],
  'v3.publicConvertedCandles': ['targetCurrency'],
  'v3.publicConvertedCandlesOfSymbol': ['targetCurrency'],
  'v3.walletIsMine': ['address'],
  'v3.walletRecentDepositAddresses': ['currency'],
  'v3.walletRecentWithdrawAddresses': ['currency'],
  'v3.walletEstimateFee': ['currency', 'amount'],
  'v2.accountEstimateWithdraw': ['currency', 'amount'],
  'v2.accountEstimateWithdrawLevels': ['currency', 'amount'],
  'v2.buyCryptoRates': ['source', 'target'],
  'v2.buyCryptoOrders': ['from', 'till'],
  'v2.subAccountAcl': ['subAccountIds'],
};

function camelOf(name: string): string {
  return name.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

/** Reads that have nothing to show on the stage: nothing was locked, given, cleared or settled there. */
const nothingYet: ReadonlySet<string> = new Set([
  'v3.marketData.futures.fundingHistoryOf',
  'v3.wallet.whiteList',
  'v3.wallet.amountLocks',
  'v3.wallet.airdrops',
  'v3.margin.clearingHistory',
  'v3.futures.clearingHistory',
]);

function isEmpty(done: Attempt<unknown>): boolean {
  if (!done.ok) return true;
  const { value } = done;
  if (Array.isArray(value)) return value.length === 0;
  return value instanceof Map && value.size === 0;
}

async function call(from: GodwitClient, read: ClientMethod): Promise<Attempt<unknown>> {
  const path = `${read.version}.${read.group}`.split('.');
  const group = path.reduce<unknown>((at, name) => (at as Record<string, unknown>)[name], from);
  const method = (group as Record<string, (params: object) => Promise<unknown>>)[read.method];
  return attempt(method?.call(group, paramsOf(read)) ?? Promise.reject(new Error('no such method')));
}

describe('every read of the client is answered and decodes', () => {
  test.each(reads.map((read) => [told(read), read] as const))('%s', async (_name, read) => {
    const done = await call(client, read);
    expect(done).toMatchObject({ ok: true });
    expect(isEmpty(done)).toBe(nothingYet.has(told(read)));
  });
});
