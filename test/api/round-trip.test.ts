import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { attempt, GodwitClient } from '../../src/client/index.ts';
import type { Attempt } from '../../src/client/index.ts';
import { clientMethods } from './client-rows.ts';
import type { ClientMethod } from './client-rows.ts';
import { Stage } from './support.ts';

const methods = await clientMethods();
const reads = methods.filter(({ verb }) => verb === 'GET');
const told = ({ version, group, method }: ClientMethod) => `${version}.${group}.${method}`;

let stage: Stage;
let client: GodwitClient;
/** What the reads ask for, by name of parameter. */
const known: Record<string, unknown> = {};

beforeAll(async () => {
  stage = await Stage.start();
  client = stage.client();
  await client.v3.spot.createOrder({ symbol: 'ETHUSDT', side: 'buy', quantity: '0.5', type: 'market' });
  const order = await client.v3.spot.createOrder({
    symbol: 'ETHUSDT',
    side: 'buy',
    quantity: '0.5',
    price: '1000',
  });
  known['clientOrderId'] = order.clientOrderId;
  known['orderId'] = order.id;
  await client.v3.wallet.transfer({
    currency: 'USDT',
    amount: '500',
    source: 'spot',
    destination: 'derivatives',
  });
  await client.v3.wallet.transfer({ currency: 'USDT', amount: '500', source: 'spot', destination: 'wallet' });
  const [transaction] = await client.v3.wallet.transactions();
  known['txId'] = transaction?.id;
  const [transactionV2] = await client.v2.account.transactions();
  known['id'] = transactionV2?.id;
  const [address] = await client.v3.wallet.addresses({ currency: 'BTC' });
  known['address'] = address?.address ?? 'somewhere';
  const [subAccount] = await client.v3.subAccounts.list();
  known['subAccId'] = subAccount?.subAccountId;
  const [provider] = await client.v3.buyCrypto.providers();
  known['providerId'] = provider?.providerId;
  known['providerID'] = provider?.providerId;
  const [subAccountV2] = await client.v2.subAccounts.list();
  known['subAccountUserID'] = known['subAccountUserId'] = subAccountV2?.id;
  known['subAccountIds'] = [String(subAccountV2?.id)];
  known['margin'] = await attempt(openMargin());
});
afterAll(async () => {
  await stage.close();
});

/** A margin order and a futures order that rest, and an account in v2. */
async function openMargin(): Promise<void> {
  const [symbol] = (await client.v3.margin.config()).map((row) => row.symbol);
  known['marginSymbol'] = symbol;
  if (symbol === undefined) return;
  await client.v3.margin.setAccount({ marginMode: 'isolated', instrument: symbol, marginBalance: '300' });
  const order = await client.v3.margin.createOrder({ symbol, side: 'buy', quantity: '0.001', price: '1000' });
  known['marginOrder'] = order.clientOrderId;
}

/** Parameters of a read: those of its row that have no default, and of the same names elsewhere. */
function paramsOf({ version, group, endpoint }: ClientMethod): Record<string, unknown> {
  const contract = group === 'marketData.futures' || group === 'futures';
  const symbol = contract ? 'BTCUSDT_PERP' : group === 'margin' ? known['marginSymbol'] : 'ETHUSDT';
  const base: Record<string, unknown> = {
    symbol,
    currency: endpoint.includes('Cross') ? 'USDT' : 'BTC',
    to: 'USDT',
    targetCurrency: 'BTC',
    clientOrderId: group === 'margin' && version === 'v3' ? known['marginOrder'] : known['clientOrderId'],
    amount: '0.5',
    source: 'USD',
    target: 'BTC',
  };
  const wanted = needs[`${version}.${endpoint}`] ?? [];
  return Object.fromEntries(wanted.map((name) => [name, name in base ? base[name] : known[name]]));
}

/** What each read cannot do without. */
const needs: Readonly<Record<string, readonly string[]>> = {
  'v3.publicPriceRates': ['to'],
  'v3.publicPriceHistory': ['to'],
  'v3.publicConvertedCandles': ['targetCurrency'],
  'v3.publicConvertedCandlesOfSymbol': ['symbol', 'targetCurrency'],
  'v3.walletIsMine': ['address'],
  'v3.walletRecentDepositAddresses': ['currency'],
  'v3.walletRecentWithdrawAddresses': ['currency'],
  'v3.walletEstimateFee': ['currency', 'amount'],
  'v3.walletTransaction': ['txId'],
  'v3.subAccountBalance': ['subAccId'],
  'v3.subAccountCryptoAddress': ['subAccId', 'currency'],
  'v3.buyCryptoRates': ['providerId', 'source', 'target'],
  'v3.buyCryptoOrders': ['providerId'],
  'v2.accountEstimateWithdraw': ['currency', 'amount'],
  'v2.accountEstimateWithdrawLevels': ['currency', 'amount'],
  'v2.buyCryptoRates': ['providerID', 'source', 'target'],
  'v2.buyCryptoOrders': ['providerID', 'from', 'till'],
  'v2.subAccountAcl': ['subAccountIds'],
};

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
  });
});
