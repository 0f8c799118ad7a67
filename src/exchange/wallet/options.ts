import { z } from 'zod';
import { codeShape } from '../base/code-shape.ts';
import { withoutExponent } from '../../core/base/exponent.ts';

const code = z.string().regex(codeShape, 'expected a code such as "BTC"');
const positiveText = z
  .string()
  .overwrite(withoutExponent)
  .regex(/^\d{1,30}(\.\d{1,18})?$/, 'expected a plain positive decimal');
const accountName = z.string().regex(/^[a-z0-9-]{1,40}$/);
const milliseconds = z.int().min(0).max(86_400_000);

/** What addresses of a network look like: those made here, and those accepted for withdrawals. */
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
export type NetworkOptions = z.infer<typeof networkOptions>;

export const depositOptions = z.strictObject({
  account: accountName,
  currency: code,
  amount: positiveText,
  network: code.optional(),
  incoming: z.boolean().default(false).describe('still without confirmations when the exchange opens'),
});

const airdropOptions = z.strictObject({
  account: accountName,
  currency: code,
  amount: positiveText,
  description: z.string().max(200).default(''),
});

const lockOptions = z.strictObject({
  account: accountName,
  currency: code,
  amount: positiveText,
  forMs: z.int().min(1).max(31_536_000_000).describe('how long from the opening of the exchange'),
  description: z.string().max(200).default(''),
  cancelAfterMs: z.int().min(1).max(31_536_000_000).optional(),
  cancelDescription: z.string().max(200).default(''),
});

const whiteListOptions = z.strictObject({
  account: accountName,
  currency: code,
  network: code,
  address: z.string().min(1).max(200),
  name: z.string().max(80).default(''),
});

/** Options of the wallet. `{}` gives a complete wallet. */
export const walletOptions = z.strictObject({
  deposits: z
    .array(depositOptions)
    .max(10_000)
    .optional()
    .describe('deposits made before the exchange opens; when missing, the demo accounts have some'),
  airdrops: z.array(airdropOptions).max(10_000).default([]),
  locks: z
    .array(lockOptions)
    .max(10_000)
    .default([])
    .describe('amounts that may not be withdrawn for a time'),
  whiteList: z.array(whiteListOptions).max(10_000).default([]),
  chainWithdrawals: z.boolean().default(true).describe('whether withdrawals to networks are on'),
  internalWithdrawals: z.boolean().default(true).describe('whether withdrawals to other users are on'),
  offchain: z.boolean().default(true).describe('whether withdrawals to own addresses may stay inside'),
  dailyLimits: z
    .record(code, positiveText)
    .default({})
    .describe('how much of a currency an account may withdraw in 24 hours'),
  failureShare: z
    .number()
    .min(0)
    .max(1)
    .default(0)
    .describe('part of the withdrawals that the network fails'),
  commitWithinMs: milliseconds.default(3_600_000).describe('an uncommitted withdrawal is then rolled back'),
  acceptMs: z
    .tuple([milliseconds, milliseconds])
    .default([300, 2_000])
    .describe('from commit to the network'),
  processMs: z
    .tuple([milliseconds, milliseconds])
    .default([2_000, 15_000])
    .describe('from the network to success or failure'),
  transactionsMax: z.int().min(100).max(1_000_000).default(20_000).describe('kept per account'),
  addressesMax: z
    .int()
    .min(1)
    .max(10_000)
    .default(200)
    .describe('deposit addresses per account and currency'),
  pendingMax: z.int().min(1).max(100_000).default(1_000).describe('unfinished transactions per account'),
});

export type WalletOptions = z.infer<typeof walletOptions>;
