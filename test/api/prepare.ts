import type { GodwitClient } from '../../src/client/index.ts';
import type { Stage } from './support.ts';
import { until } from './support.ts';

/** What reads ask for, by the name of the parameter. */
export type Known = Readonly<Record<string, unknown>>;

const symbol = 'BTCUSDT';
const contract = 'BTCUSDT_PERP';

/** Gives an account something to show everywhere, through the client's own writes, and says what it made. */
export async function prepare(client: GodwitClient, stage: Stage): Promise<Known> {
  const { v3, v2 } = client;
  const hasPrice = () =>
    stage.server.core.market(stage.server.instruments.get(symbol).id).trades.last !== undefined;
  await until(stage.clock, hasPrice);
  const bought = await v3.spot.createOrder({ symbol, side: 'buy', quantity: '0.01', type: 'market' });
  const resting = await v3.spot.createOrder({ symbol, side: 'buy', quantity: '0.01', price: '1000' });
  await v3.wallet.transfer({ currency: 'USDT', amount: '5000', source: 'spot', destination: 'derivatives' });
  await v3.wallet.transfer({ currency: 'USDT', amount: '500', source: 'spot', destination: 'wallet' });
  const [transaction] = await v3.wallet.transactions();
  const [transactionV2] = await v2.account.transactions();
  const address = await v3.wallet.createAddress({ currency: 'BTC' });
  const [subAccount] = await v3.subAccounts.list();
  const [subAccountV2] = await v2.subAccounts.list();
  const [provider] = await v3.buyCrypto.providers();
  await v3.wallet.withdraw({ currency: 'BTC', amount: '0.01', address: address.address });
  const providerId = provider?.providerId ?? 0;
  const [method] = provider?.methods ?? [];
  await v3.buyCrypto.createOrder({
    providerId,
    source: 'EUR',
    target: 'BTC',
    sourceAmount: '100',
    paymentMethodId: method?.id ?? 0,
  });
  return {
    symbol,
    contract,
    'spot order': resting.clientOrderId,
    ...(await prepareMargin(client)),
    orderId: Number(bought.id),
    txId: transaction?.id,
    id: transactionV2?.id,
    address: address.address,
    subAccId: subAccount?.id,
    subAccountUserID: subAccountV2?.id,
    subAccountUserId: subAccountV2?.id,
    subAccountIds: [String(subAccountV2?.id)],
    providerId,
    providerID: providerId,
    to: 'USDT',
    targetCurrency: 'ETH',
    amount: '0.5',
    source: 'EUR',
    target: 'BTC',
    from: 1_600_000_000,
    till: 1_900_000_000,
  };
}

/** Accounts, positions and resting orders of margin and futures. */
async function prepareMargin({ v3, v2 }: GodwitClient): Promise<Known> {
  const order = { side: 'buy', quantity: '0.001', price: '10000' } as const;
  await v3.margin.setAccount({ marginMode: 'isolated', instrument: symbol, marginBalance: '2000' });
  await v3.margin.setAccount({ marginMode: 'cross', instrument: 'USDT', marginBalance: '2000' });
  await v3.margin.createOrder({ symbol, side: 'buy', quantity: '0.001', type: 'market' });
  const margin = await v3.margin.createOrder({ symbol, ...order });
  await v3.futures.setAccount({
    marginMode: 'isolated',
    instrument: contract,
    marginBalance: '2000',
    leverage: '10',
  });
  await v3.futures.setAccount({ marginMode: 'cross', instrument: 'USDT', marginBalance: '2000' });
  await v3.futures.createOrder({ symbol: contract, side: 'buy', quantity: '0.001', type: 'market' });
  const futures = await v3.futures.createOrder({ symbol: contract, ...order });
  const marginV2 = await v2.margin.createOrder({ symbol, ...order });
  return {
    'v3.margin order': margin.clientOrderId,
    'v3.futures order': futures.clientOrderId,
    'v2.margin order': marginV2.clientOrderId,
  };
}
