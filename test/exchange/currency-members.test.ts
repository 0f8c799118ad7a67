import { afterEach, describe, expect, test } from 'vitest';
import { decodeV3Currencies } from '../../src/venues/hitbtc/wire/resources/currency.ts';
import type { ExchangeOptionsInput } from '../../src/exchange/server/options.ts';
import type { Answer, Bench } from './support/raw-client.ts';
import { openBench, RawSocket, rest } from './support/raw-client.ts';

let bench: Bench;
afterEach(() => bench.close());

const open = async (options: ExchangeOptionsInput = {}) => {
  bench = await openBench({ limits: { enabled: false }, wallet: { deposits: [] }, ...options });
};
const api = (line: string, json?: object): Promise<Answer> => {
  const [method, path] = line.split(' ') as [string, string];
  return rest(bench, `${method} /api/3/${path}`, { key: bench.key('demo'), ...(json && { json }) });
};
const noted = {
  code: 'AAA',
  fullName: 'Aaa',
  price: '10',
  stable: true,
  sign: 'a',
  manualFiatPayinEnabled: true,
  manualFiatPayoutEnabled: true,
  cryptoPaymentIdName: 'Memo',
  cryptoExplorer: 'https://explorer.example.com/{tx}',
  qrPrefix: 'aaa',
  accountTopOrder: 77,
  networks: [
    {
      network: 'BBB',
      networkName: 'Bbb',
      protocol: 'TOKEN',
      payoutFee: '0.5',
      payoutMinimum: '0.001',
      paymentId: true,
      confirmations: 9,
      isEnsAvailable: true,
      isMultichain: true,
      cryptoPaymentIdName: 'Memo',
      cryptoExplorer: 'https://explorer.example.com/bbb/{tx}',
      contractAddress: '0xaaa',
      assetId: { issuer: 'iii' },
      lowProcessingTime: 1,
      avgProcessingTime: 2,
      highProcessingTime: 3,
    },
  ],
};
const usdt = { code: 'USDT', fullName: 'Tether', price: '1' };
const symbol = {
  symbol: 'AAAUSDT',
  baseCurrency: 'AAA',
  quoteCurrency: 'USDT',
  tickSize: '0.01',
  quantityIncrement: '1',
};
const offered = (change: object): ExchangeOptionsInput => ({
  currencies: [{ ...noted, ...change }, usdt],
  symbols: [symbol],
  accounts: [{ name: 'demo', keys: [{}], balances: { AAA: '100', USDT: '1000' } }],
  buyCrypto: {},
});

describe('the optional members of a currency and its networks', () => {
  test('are sent as the options have them, and read by the typed client', async () => {
    await open(offered({}));
    const { body } = await api('GET public/currency/AAA');
    expect(body).toEqual({
      full_name: 'Aaa',
      crypto: true,
      stable: true,
      payin_enabled: true,
      payout_enabled: true,
      transfer_enabled: true,
      transfer_to_wallet_enabled: true,
      transfer_to_exchange_enabled: true,
      manual_fiat_payin_enabled: true,
      manual_fiat_payout_enabled: true,
      sign: 'a',
      crypto_payment_id_name: 'Memo',
      crypto_explorer: 'https://explorer.example.com/{tx}',
      precision_transfer: '0.00000001',
      account_top_order: 77,
      qr_prefix: 'aaa',
      delisted: false,
      networks: [
        {
          code: 'AAA',
          network_name: 'Bbb',
          network: 'BBB',
          is_ens_available: true,
          protocol: 'TOKEN',
          default: true,
          payin_enabled: true,
          payout_enabled: true,
          precision_payout: '0.001',
          payout_fee: '0.5',
          payout_is_payment_id: true,
          payin_payment_id: true,
          payin_confirmations: 9,
          address_regex: expect.any(String),
          payment_id_regex: expect.any(String),
          low_processing_time: 1,
          high_processing_time: 3,
          avg_processing_time: 2,
          crypto_payment_id_name: 'Memo',
          crypto_explorer: 'https://explorer.example.com/bbb/{tx}',
          contract_address: '0xaaa',
          is_multichain: true,
          asset_id: { issuer: 'iii' },
        },
      ],
    });
    const [read] = decodeV3Currencies((await api('GET public/currency')).body);
    expect(read).toMatchObject({
      accountTopOrder: 77,
      qrPrefix: 'aaa',
      networks: [{ contractAddress: '0xaaa', assetId: { issuer: 'iii' }, avgProcessingTime: 2 }],
    });
    const socket = await RawSocket.open(bench, '/api/2/ws/public');
    const extended = await socket.ask({
      method: 'getCurrency',
      params: { currency: 'AAA', extended: true },
      id: 1,
    });
    expect(extended.result).toMatchObject({
      lowProcessingTime: 1,
      avgProcessingTime: 2,
      cryptoPaymentIdName: 'Memo',
      qrPrefix: 'aaa',
      cryptoExplorer: 'https://explorer.example.com/{tx}',
    });
    socket.close();
  });

  test('stand in the built-in market too', async () => {
    await open();
    const { body } = await api('GET public/currency');
    expect(body.XRP).toMatchObject({ qr_prefix: 'ripple', crypto_payment_id_name: 'Destination tag' });
    expect(body.BTC.crypto_explorer).toContain('{tx}');
    // A client reads them as text where the documents say number.
    expect(body.BTC.networks[0].avg_processing_time).toBeUndefined();
    expect(body.USDT.networks[0].contract_address).toMatch(/^0x/);
    expect(body.USDT.networks[1].asset_id).toEqual({ contract: body.USDT.networks[1].contract_address });
  });
});

describe('a flag that is off', () => {
  const codeOf = (answer: Answer) => [answer.status, answer.body.error?.code];
  const transfer = (source: string, destination: string) =>
    api('POST wallet/transfer', { currency: 'AAA', amount: '1', source, destination });

  test('payin_enabled and payout_enabled: no new address, no withdrawal', async () => {
    await open(offered({ payinEnabled: false, payoutEnabled: false }));
    const { body } = await api('GET public/currency/AAA');
    expect(body).toMatchObject({ payin_enabled: false, payout_enabled: false });
    expect(body.networks).toMatchObject([{ payin_enabled: false, payout_enabled: false }]);
    const address = await api('POST wallet/crypto/address', { currency: 'AAA' });
    expect(codeOf(address)).toEqual([400, 600]);
    expect(address.body.error.description).toBe('Deposits of AAA are off');
    const payout = { currency: 'AAA', amount: '5', address: 'somewhere' };
    expect(codeOf(await api('POST wallet/crypto/withdraw', payout))).toEqual([400, 20018]);
  });

  test('transfer_enabled, or towards one account only', async () => {
    await open(offered({ transferToExchangeEnabled: false }));
    expect((await transfer('spot', 'wallet')).status).toBe(200);
    const refused = await transfer('wallet', 'spot');
    expect([...codeOf(refused), refused.body.error.description]).toEqual([
      400,
      600,
      'Transfers of AAA to the spot account are off',
    ]);
    await bench.close();
    await open(offered({ transferEnabled: false }));
    expect(codeOf(await transfer('spot', 'wallet'))).toEqual([400, 600]);
  });

  test('delisted: nothing is deposited or traded any more', async () => {
    await open(offered({ delisted: true }));
    expect((await api('GET public/currency/AAA')).body).toMatchObject({
      delisted: true,
      payin_enabled: false,
    });
    const two = await rest(bench, 'GET /api/2/public/currency/AAA');
    expect(two.body.delisted).toBe(true);
    expect((await api('GET public/symbol/AAAUSDT')).body.status).toBe('suspended');
    const order = await api('POST spot/order', {
      symbol: 'AAAUSDT',
      side: 'sell',
      price: '10',
      quantity: '1',
    });
    expect(codeOf(order)).toEqual([400, 20010]);
    expect(codeOf(await api('POST wallet/crypto/address', { currency: 'AAA' }))).toEqual([400, 600]);
  });
});
