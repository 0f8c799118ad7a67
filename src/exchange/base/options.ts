import { z } from 'zod';
import { withoutExponent } from '../../core/base/exponent.ts';

/**
 * The code of a currency or symbol: capitals, digits and `_`, and letters of any script that has no capitals. Requests may write a
 * code in small letters, so each must be its own capitals.
 */
export const codeShape =
  /^(?=.{2,20}$)(?:[A-Z0-9_]|(?!\p{Default_Ignorable_Code_Point})[\p{Lu}\p{Lo}\p{Nd}]){2,20}$/u;

/** A currency or a symbol, by its code. */
export const code = z.string().regex(codeShape, 'expected a code such as "BTC"');
/** A decimal that is not negative, without an exponent. */
export const positiveText = z
  .string()
  .overwrite(withoutExponent)
  .regex(/^\d{1,30}(\.\d{1,18})?$/, 'expected a plain positive decimal');
const rateText = z
  .string()
  .overwrite(withoutExponent)
  .regex(/^-?0{1,30}(\.\d{1,18})?$/, 'expected a rate between -1 and 1, such as "0.001" for 0.1 %');

/** Rights of an API key. R1: books, history, balance. R2: orders. R3: payment. R4: withdrawals. Source: API v3, "Endpoints". */
export const rightNames = ['R1', 'R2', 'R3', 'R4'] as const;
export type KeyRight = (typeof rightNames)[number];

const symbolMembers = z.strictObject({
  symbol: code,
  baseCurrency: code,
  quoteCurrency: code,
  feeCurrency: code.optional().describe('in which fees are taken; the quote currency when missing'),
  tickSize: positiveText,
  quantityIncrement: positiveText,
  takeRate: rateText.default('0.001'),
  makeRate: rateText.default('-0.0001'),
  marginTrading: z.boolean().default(false),
  maxInitialLeverage: positiveText.optional(),
  status: z.enum(['working', 'suspended', 'clearing', 'expired']).default('working'),
});

export const symbolOptions = symbolMembers.refine(
  ({ feeCurrency, ...one }) => !one.marginTrading || [undefined, one.quoteCurrency].includes(feeCurrency),
  {
    path: ['feeCurrency'],
    error: 'expected the quote currency, which margin and its fees are in, for a symbol with marginTrading',
  },
);

/** Forms of the addresses of a network: those made here, and those accepted for withdrawals. */
export const addressForms = ['bech32', 'litecoin', 'hex', 'ripple', 'tron', 'plain'] as const;
export type AddressForm = (typeof addressForms)[number];

/** A link to a transaction. Source: API v3, "Currency", crypto_explorer. */
export const explorer = z
  .string()
  .max(200)
  .regex(/\{tx\}/, 'expected a link with {tx} where the hash stands');
const processingSeconds = z.int().min(0).max(31_536_000).optional();

export const networkOptions = z.strictObject({
  network: code.describe('code of the network'),
  networkName: z.string().min(1).max(80).optional(),
  protocol: z.string().max(20).optional().describe('TOKEN on a foreign network; the code itself when native'),
  form: z.enum(addressForms).default('plain'),
  payinEnabled: z.boolean().default(true).describe('deposit addresses can be made'),
  payoutEnabled: z.boolean().default(true).describe('withdrawals are possible'),
  isEnsAvailable: z.boolean().default(false),
  isMultichain: z.boolean().default(false),
  cryptoPaymentIdName: z.string().max(80).optional(),
  cryptoExplorer: explorer.optional(),
  contractAddress: z.string().max(200).optional(),
  assetId: z.record(z.string().max(80), z.string().max(200)).optional().describe('depends on the network'),
  lowProcessingTime: processingSeconds.describe('of a deposit; not sent when missing'),
  avgProcessingTime: processingSeconds,
  highProcessingTime: processingSeconds,
  payoutFee: positiveText.describe('what a withdrawal costs'),
  payoutMinimum: positiveText.describe('smallest withdrawal; its decimals are those the network carries'),
  paymentId: z.boolean().default(false).describe('deposits carry an extra identifier'),
  confirmations: z.int().min(1).max(1_000).default(2).describe('until a deposit is credited'),
  blockMs: z.int().min(1).max(86_400_000).default(2_000).describe('mean time of a confirmation'),
});

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

/** Options of a sub-account: its parent, and how it begins. Source: API v3, "Sub-account and ACL". */
export const subAccountOptions = z.strictObject({
  parent: z
    .string()
    .regex(/^[a-z0-9-]{1,40}$/)
    .describe('the super account, by name'),
  status: z.enum(['new', 'active', 'disable', 'frozen']).default('active'),
  depositAddressGenerationEnabled: z.boolean().default(true),
  withdrawEnabled: z.boolean().default(false),
  description: z.string().max(200).default(''),
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

export const historyOptions = z.strictObject({
  ordersMax: z.int().min(100).max(1_000_000).default(100_000).describe('kept per account'),
  tradesMax: z.int().min(100).max(1_000_000).default(100_000).describe('own trades kept per account'),
  publicTradesMax: z.int().min(1_000).max(1_000_000).default(20_000).describe('kept per symbol'),
  candlesMax: z.int().min(1_000).max(100_000).default(2_000).describe('kept per symbol and period'),
});

export type SymbolOptions = z.infer<typeof symbolOptions>;
export type NetworkOptions = z.infer<typeof networkOptions>;
export type CurrencyOptions = z.infer<typeof currencyOptions>;
export type SubAccountOptions = z.infer<typeof subAccountOptions>;
export type AccountOptions = z.infer<typeof accountOptions>;
export type HistoryOptions = z.infer<typeof historyOptions>;
