import { z } from 'zod';
import { codeShape } from '../base/code-shape.ts';
import { withoutExponent } from '../../core/base/exponent.ts';
import { futuresOptions } from '../futures/options.ts';
import { marginOptions } from '../margin/options.ts';
import { buyCryptoOptions } from '../buy-crypto/options.ts';
import { subAccountOptions } from '../sub-accounts/options.ts';
import { explorer, networkOptions, walletOptions } from '../wallet/options.ts';

const rateText = z
  .string()
  .overwrite(withoutExponent)
  .regex(/^-?0{1,30}(\.\d{1,18})?$/, 'expected a rate between -1 and 1, such as "0.001" for 0.1 %');
const positiveText = z
  .string()
  .overwrite(withoutExponent)
  .regex(/^\d{1,30}(\.\d{1,18})?$/, 'expected a plain positive decimal');
const code = z.string().regex(codeShape, 'expected a code such as "BTC"');

/** Rights of an API key. R1: books, history, balance. R2: orders. R3: payment. R4: withdrawals. Source: API v3, "Endpoints". */
export const rightNames = ['R1', 'R2', 'R3', 'R4'] as const;
export type KeyRight = (typeof rightNames)[number];

const symbolMembers = z.strictObject({
  symbol: code,
  baseCurrency: code,
  quoteCurrency: code,
  feeCurrency: code
    .optional()
    .describe('in which fees are taken: the base or the quote currency; the latter when missing'),
  tickSize: positiveText,
  quantityIncrement: positiveText,
  takeRate: rateText.default('0.001'),
  makeRate: rateText.default('-0.0001'),
  marginTrading: z.boolean().default(false),
  maxInitialLeverage: positiveText.optional(),
  status: z.enum(['working', 'suspended', 'clearing', 'expired']).default('working'),
});

export const symbolOptions = symbolMembers
  .refine(
    ({ feeCurrency, ...one }) => [undefined, one.baseCurrency, one.quoteCurrency].includes(feeCurrency),
    {
      path: ['feeCurrency'],
      error: 'expected the base or the quote currency of the symbol',
    },
  )
  .refine(
    ({ feeCurrency, ...one }) => !one.marginTrading || [undefined, one.quoteCurrency].includes(feeCurrency),
    {
      path: ['feeCurrency'],
      error: 'expected the quote currency, which margin and its fees are in, for a symbol with marginTrading',
    },
  );

export const currencyOptions = z.strictObject({
  code,
  fullName: z.string().min(1).max(80),
  crypto: z.boolean().default(true),
  stable: z.boolean().default(false),
  sign: z.string().max(8).default(''),
  transferPrecision: positiveText.default('0.00000001').describe('smallest transferable amount'),
  price: positiveText.describe('value in units of account at which the seeded market starts'),
  payinEnabled: z
    .boolean()
    .optional()
    .describe('deposit addresses can be made; a cryptocurrency when missing'),
  payoutEnabled: z.boolean().optional().describe('withdrawals are possible; a cryptocurrency when missing'),
  transferEnabled: z.boolean().default(true).describe('moves between wallet and trading are possible'),
  transferToWalletEnabled: z.boolean().default(true),
  transferToExchangeEnabled: z.boolean().default(true),
  manualFiatPayinEnabled: z.boolean().default(false),
  manualFiatPayoutEnabled: z.boolean().default(false),
  delisted: z.boolean().default(false).describe('neither deposited nor traded any more'),
  cryptoPaymentIdName: z
    .string()
    .max(80)
    .optional()
    .describe('what the extra identifier of deposits is called'),
  cryptoExplorer: explorer.optional(),
  qrPrefix: z.string().max(80).optional(),
  accountTopOrder: z.int().min(0).max(1_000_000).optional().describe('its place in the list when missing'),
  networks: z.array(networkOptions).min(1).max(20).optional().describe('the first is the default one'),
});

export const keyOptions = z.strictObject({
  apiKey: z
    .string()
    .regex(/^[\w-]{8,64}$/)
    .optional()
    .describe('made from the seed when missing'),
  rights: z.array(z.enum(rightNames)).default(['R1', 'R2', 'R3', 'R4']),
});

export const accountOptions = z.strictObject({
  name: z.string().regex(/^[a-z0-9-]{1,40}$/),
  keys: z.array(keyOptions).max(20).default([]),
  balances: z.record(code, positiveText).default({}).describe('opening trading balances by currency'),
  derivatives: z.record(code, positiveText).default({}).describe('opening derivatives balances by currency'),
  subAccount: subAccountOptions.optional().describe('what makes it a sub-account'),
});

export const flowOptions = z.strictObject({
  enabled: z.boolean().default(true),
  eventsPerSecond: z.number().min(0.1).max(2_000).default(30).describe('orders and cancels, per symbol'),
  ordersMax: z.int().min(10).max(1_900).default(400).describe('resting orders of the market, per symbol'),
  takerShare: z.number().min(0).max(0.9).default(0.06).describe('part of the events that take liquidity'),
  volatility: z.number().min(0).max(5).default(0.6).describe('yearly deviation of a currency, as a fraction'),
  spreadBps: z
    .number()
    .min(0.01)
    .max(1_000)
    .default(1.5)
    .describe('half spread aimed at, in 1/10000 of the price'),
  depthBps: z.number().min(0.1).max(5_000).default(30).describe('mean distance of a far quote, in 1/10000'),
  orderValue: positiveText
    .default('1000')
    .describe('median value of a taker or of a quote at the touch, in units of account'),
  basisBps: z
    .number()
    .min(0)
    .max(1_000)
    .default(20)
    .describe(
      'how far a contract is away from its spot price as a rule, in 1/10000; half is gone in ten minutes',
    ),
  informationLagMs: z
    .int()
    .min(0)
    .max(600_000)
    .default(10_000)
    .describe('by how much what makers know lags behind what informed takers know; 0: makers know as much'),
});

export const limitOptions = z.strictObject({
  enabled: z.boolean().default(true).describe('whether the documented request limits apply'),
  socketsCount: z
    .enum(['messagesButOrders', 'connections', 'messages'])
    .default('messagesButOrders')
    .describe(
      'what the limit per address on sockets counts; messagesButOrders: connections on /ws/trading, messages elsewhere',
    ),
  connectionsPerAddress: z.int().min(1).max(10_000).default(100),
  messageBytesMax: z.int().min(1_024).max(16_777_216).default(1_048_576),
  bufferedBytesMax: z.int().min(65_536).max(268_435_456).default(8_388_608).describe('slow consumers'),
  subscriptionsMax: z.int().min(10).max(100_000).default(10_000).describe('per connection'),
});

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

export const publishOptions = z.strictObject({
  bookMs: z
    .int()
    .min(1)
    .max(10_000)
    .default(100)
    .describe('cadence of full book updates, trades and candles'),
  balanceBatchMs: z.int().min(10).max(60_000).default(1_000).describe('cadence of balance batches'),
});

export const historyOptions = z.strictObject({
  ordersMax: z.int().min(100).max(1_000_000).default(100_000).describe('kept per account'),
  tradesMax: z.int().min(100).max(1_000_000).default(100_000).describe('own trades kept per account'),
  publicTradesMax: z.int().min(1_000).max(1_000_000).default(20_000).describe('kept per symbol'),
  candlesMax: z.int().min(1_000).max(100_000).default(2_000).describe('kept per symbol and period'),
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
export type SymbolOptions = z.infer<typeof symbolOptions>;
export type CurrencyOptions = z.infer<typeof currencyOptions>;
export type AccountOptions = z.infer<typeof accountOptions>;
export type FlowOptions = z.infer<typeof flowOptions>;
export type LimitOptions = z.infer<typeof limitOptions>;
export type PublishOptions = z.infer<typeof publishOptions>;
export type HistoryOptions = z.infer<typeof historyOptions>;

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
