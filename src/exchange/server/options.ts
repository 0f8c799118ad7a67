import { z } from 'zod';
import { accountOptions, currencyOptions, historyOptions, symbolOptions } from '../base/options.ts';
import { buyCryptoOptions } from '../buy-crypto/options.ts';
import { futuresOptions } from '../futures/options.ts';
import { marginOptions } from '../margin/options.ts';
import { flowOptions } from '../market/options.ts';
import { limitOptions, publishOptions } from '../sockets/options.ts';
import { walletOptions } from '../wallet/options.ts';

export const orderRuleOptions = z.strictObject({
  perSymbolMax: z
    .int()
    .min(1)
    .max(100_000)
    .default(2_000)
    .describe('active and suspended on spot and margin, per user'),
  perAccountMax: z
    .int()
    .min(1)
    .max(1_000_000)
    .default(25_000)
    .describe('active and suspended, all symbols, per user'),
  fatFingerFraction: z
    .number()
    .min(0.001)
    .max(100)
    .optional()
    .describe('a price worse than the last one by more is refused (20045); off when missing'),
});

const defaultCurrencies: z.input<typeof currencyOptions>[] = [
  { code: 'BTC', fullName: 'Bitcoin', sign: '₿', price: '64000', ...shown('BTC', 'bitcoin') },
  { code: 'ETH', fullName: 'Ethereum', sign: 'E', price: '3200', ...shown('ETH', 'ethereum') },
  { code: 'LTC', fullName: 'Litecoin', sign: 'Ł', price: '84', ...shown('LTC', 'litecoin') },
  {
    ...shown('XRP', 'ripple'),
    code: 'XRP',
    fullName: 'XRP',
    price: '0.55',
    transferPrecision: '0.000001',
    cryptoPaymentIdName: 'Destination tag',
  },
  { code: 'USDT', fullName: 'Tether', sign: '₮', stable: true, price: '1', transferPrecision: '0.000001' },
];

/** Where its transactions are looked up, and how its QR codes begin. */
function shown(code: string, qrPrefix: string) {
  return { cryptoExplorer: `https://explorer.example.com/${code.toLowerCase()}/{tx}`, qrPrefix };
}

const tenfold = { marginTrading: true, maxInitialLeverage: '10.00' };

const defaultSymbols: z.input<typeof symbolOptions>[] = [
  { ...spot('BTC', 'USDT', '0.01', '0.00001'), ...tenfold },
  { ...spot('ETH', 'USDT', '0.01', '0.0001'), ...tenfold },
  spot('ETH', 'BTC', '0.000001', '0.0001'),
  spot('LTC', 'USDT', '0.001', '0.001'),
  spot('LTC', 'BTC', '0.0000001', '0.001'),
  spot('XRP', 'USDT', '0.00001', '0.1'),
];

const demoDerivatives = { USDT: '200000' };
const demoBalances = { USDT: '1000000', BTC: '20', ETH: '400', LTC: '5000', XRP: '500000' };

const defaultAccounts: z.input<typeof accountOptions>[] = [
  {
    name: 'demo',
    keys: [{ rights: ['R1', 'R2', 'R3', 'R4'] }, { rights: ['R1'] }, { rights: ['R1', 'R2'] }],
    balances: demoBalances,
    derivatives: demoDerivatives,
  },
  {
    name: 'demo-two',
    keys: [{ rights: ['R1', 'R2', 'R3', 'R4'] }],
    balances: demoBalances,
    derivatives: demoDerivatives,
  },
  { name: 'demo-three', keys: [{ rights: ['R1', 'R2', 'R3'] }], balances: {} },
  { name: 'demo-sub-one', keys: [{}], balances: { USDT: '10000', BTC: '1' }, subAccount: { parent: 'demo' } },
  { name: 'demo-sub-two', keys: [{}], subAccount: { parent: 'demo', withdrawEnabled: true } },
];

/** All options of the embedded exchange. `{}` gives a complete exchange with a moving market. */
export const exchangeOptions = z.strictObject({
  currencies: z
    .array(currencyOptions)
    .min(1)
    .max(1_000)
    .default(() => parsed(currencyOptions, defaultCurrencies)),
  symbols: z
    .array(symbolOptions)
    .min(1)
    .max(2_000)
    .default(() => parsed(symbolOptions, defaultSymbols)),
  accounts: z
    .array(accountOptions)
    .max(10_000)
    .default(() => parsed(accountOptions, defaultAccounts)),
  flow: flowOptions.default(() => flowOptions.parse({})),
  limits: limitOptions.default(() => limitOptions.parse({})),
  orders: orderRuleOptions.default(() => orderRuleOptions.parse({})),
  publish: publishOptions.default(() => publishOptions.parse({})),
  history: historyOptions.default(() => historyOptions.parse({})),
  futures: futuresOptions.default(() => futuresOptions.parse({})),
  margin: marginOptions.default(() => marginOptions.parse({})),
  wallet: walletOptions.default(() => walletOptions.parse({})),
  buyCrypto: buyCryptoOptions.default(() => buyCryptoOptions.parse({})),
});

export type ExchangeOptions = z.infer<typeof exchangeOptions>;
export type ExchangeOptionsInput = z.input<typeof exchangeOptions>;

function spot(
  base: string,
  quote: string,
  tickSize: string,
  quantityIncrement: string,
): z.input<typeof symbolOptions> {
  return { symbol: `${base}${quote}`, baseCurrency: base, quoteCurrency: quote, tickSize, quantityIncrement };
}

function parsed<Schema extends z.ZodType>(
  schema: Schema,
  items: readonly z.input<Schema>[],
): z.output<Schema>[] {
  return items.map((item) => schema.parse(item));
}
