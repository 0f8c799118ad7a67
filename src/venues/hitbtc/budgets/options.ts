import { z } from 'zod';

const share = z.number().gt(0).max(1);

function limit(rate: number, burst: number, what: string) {
  return z
    .strictObject({
      rate: z.int().min(1).default(rate).describe('requests per second'),
      burst: z.int().min(0).default(burst).describe('requests above the rate within one second'),
    })
    .prefault({})
    .describe(what);
}

/**
 * Rate budgets. The defaults are the limits of the documents (API v3, "Limits"): change them only when the venue
 * says so.
 */
export const budgetOptions = z.strictObject({
  mode: z
    .enum(['both', 'window'])
    .default('both')
    .describe('both: the sliding window and the leaky bucket must admit a request; window: only the window'),
  share: share
    .default(1)
    .describe('our part of the limits; other processes on the same address use the rest'),
  guard: z
    .int()
    .min(0)
    .max(200)
    .default(15)
    .describe('safety margin per thousand on the window and the rate, for clocks that drift'),
  reserved: z
    .strictObject({
      cancel: z.number().min(0).max(0.5).default(0.2).describe('part of a limit that only cancels may use'),
      read: z.number().min(0).max(0.4).default(0.1).describe('part that only cancels and reads may use'),
    })
    .prefault({})
    .describe('applies where cancels or reads share a limit with orders'),
  socketCounts: z
    .enum(['connections', 'messages'])
    .default('connections')
    .describe('what the limit per address of the trading socket counts; messages caps orders at 10 a second'),
  orderEntry: limit(
    300,
    200,
    'per account: new orders, lists and replacements of spot, margin and futures together',
  ),
  tradingSocket: limit(10, 10, 'per address: /ws/trading, when socketCounts is messages'),
  publicSocket: limit(10, 10, 'per address: messages on /ws/public'),
  publicV2: limit(100, 0, 'per address: market data of version 2'),
  login: limit(5, 0, 'per account: login'),
  subscribe: limit(5, 0, 'per account: subscriptions on /ws/trading'),
  spotOrderPath: limit(300, 450, 'per address: /spot/order/*'),
  marginPath: limit(300, 450, 'per address: /margin/order/*, /margin/account/*, /margin/position/*'),
  futuresPath: limit(300, 450, 'per address: /futures/order/*, /futures/account/*, /futures/position/*'),
  restDefault: limit(20, 30, 'per address: every path without a limit of its own'),
  restPublic: limit(30, 50, 'per address: /public/*'),
});
export type BudgetOptions = z.infer<typeof budgetOptions>;
export type BudgetOptionsInput = z.input<typeof budgetOptions>;
