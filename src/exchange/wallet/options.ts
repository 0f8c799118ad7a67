import { z } from 'zod';
import { code, positiveText } from '../base/options.ts';

const accountName = z.string().regex(/^[a-z0-9-]{1,40}$/);
const milliseconds = z.int().min(0).max(86_400_000);

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
