import { z } from 'zod';
import type { Amount } from '../../../core/base/amount.ts';
import type { Micros } from '../../../core/base/clock.ts';
import { idBoundParam } from './param-fields.ts';
import { microsOfMillis, readTime } from './formats.ts';

// What both versions know of buying crypto through a provider, in our spelling.

/** Source: API v3, "Buy-crypto order status". */
export const buyOrderStatuses = ['initial', 'in_progress', 'completed', 'failed', 'expired'] as const;
export type BuyOrderStatus = (typeof buyOrderStatuses)[number];

export interface BuyProvider {
  readonly providerId: string;
  readonly providerName: string;
  readonly methods: readonly BuyMethod[];
}

/** One way of paying a provider. */
export interface BuyMethod {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  /** v3 only. */
  readonly methodType: string | undefined;
  readonly logoUrl: string;
  /** `active`; v2 writes it in capitals. */
  readonly status: string;
  readonly type: string;
  readonly supportedSource: readonly BuyCurrency[];
  readonly supportedTarget: readonly BuyCurrency[];
  readonly transactionLimits: readonly BuyLimit[];
}

export interface BuyCurrency {
  readonly code: string;
  readonly displayName: string;
  readonly networkCode: string | undefined;
}

/** How much of a source currency one purchase may cost, both ends included. */
export interface BuyLimit {
  readonly currencyCode: string;
  readonly targetCode: string;
  readonly sourceMin: Amount;
  readonly sourceMax: Amount;
  readonly networkCode: string | undefined;
}

export interface BuyRates {
  /** What one unit of the target costs in source currency, without fees. */
  readonly spotPrice: Amount;
  readonly prices: readonly BuyPrice[];
}

/** What a purchase by one method costs and brings. */
export interface BuyPrice {
  readonly paymentMethodId: string;
  readonly type: string;
  readonly targetCode: string;
  readonly sourceCode: string;
  readonly targetAmount: Amount;
  readonly sourceAmount: Amount;
}

export interface BuyOrder {
  readonly id: string;
  readonly providerId: string;
  readonly orderType: 'buy';
  readonly sourceCode: string;
  readonly targetCode: string;
  /** Where the provider sends the crypto. */
  readonly walletAddress: string;
  readonly checkoutUrl: string;
  readonly status: BuyOrderStatus;
  readonly createdAt: Micros;
  /** In lists of v3 only. */
  readonly operationId: string | undefined;
}

/** Numbers of providers and payment methods. */
export const buyIdParam = idBoundParam;

/**
 * "Unix timestamp": seconds or milliseconds (a number below 10^11 is seconds, until the year 5138), or ISO text.
 */
export const unixTimeParam = z.union([z.string(), z.number()]).transform((given, context): Micros => {
  const time =
    typeof given === 'number' || /^\d{1,15}$/.test(given) ? ofNumber(Number(given)) : readTime(given);
  if (!Number.isNaN(time)) return time;
  context.addIssue({
    code: 'custom',
    message: `Can't parse value from string: ${String(given).slice(0, 40)}`,
  });
  return z.NEVER;
});

function ofNumber(value: number): Micros {
  return microsOfMillis(value < 100_000_000_000 ? value * 1_000 : value);
}
