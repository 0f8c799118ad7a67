import type { ExchangeOptionsInput } from '../../../src/exchange/server/options.ts';

/** Wallets with round numbers, of which some are limited, locked or listed. */
export const walletOptions: ExchangeOptionsInput['wallet'] = {
  deposits: [
    { account: 'demo', currency: 'BTC', amount: '2' },
    { account: 'demo', currency: 'USDT', amount: '1000' },
    { account: 'demo', currency: 'XRP', amount: '500' },
    { account: 'demo-two', currency: 'USDT', amount: '100' },
  ],
  whiteList: [
    {
      account: 'demo',
      currency: 'BTC',
      network: 'BTC',
      address: 'bc1qqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqq',
      name: 'cold',
    },
  ],
  dailyLimits: { BTC: '0.7' },
  addressesMax: 20,
};

/** The usual currencies, and one that is no cryptocurrency. */
export const walletCurrencies: ExchangeOptionsInput['currencies'] = [
  { code: 'BTC', fullName: 'Bitcoin', price: '64000' },
  { code: 'ETH', fullName: 'Ethereum', price: '3200' },
  { code: 'LTC', fullName: 'Litecoin', price: '84' },
  { code: 'XRP', fullName: 'XRP', price: '0.55', transferPrecision: '0.000001' },
  { code: 'USDT', fullName: 'Tether', stable: true, price: '1', transferPrecision: '0.000001' },
  { code: 'EUR', fullName: 'Euro', crypto: false, price: '1.1', transferPrecision: '0.01' },
];
