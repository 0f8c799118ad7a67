import { z } from 'zod';
import { formatAmount } from '../../../core/base/amount.ts';
import type { Micros } from '../../../core/base/clock.ts';
import type { Balance } from '../../../core/model/market.ts';
import { amountField, nameField, parseWith } from './fields.ts';
import { listParam } from './param-fields.ts';

// What both versions know of sub-accounts, in our spelling.

/** Source: API v3, "Sub-account status"; `frozen` is named by its table of transitions. */
export const subAccountStatuses = ['new', 'active', 'disable', 'frozen'] as const;
export type SubAccountStatus = (typeof subAccountStatuses)[number];

/** A sub-account as its super account lists it. `id` is hexadecimal in v3 and a number's digits in v2. */
export interface SubAccount {
  readonly id: string;
  readonly email: string;
  readonly status: SubAccountStatus;
}

/** What a super account lets a sub-account do. Source: API v3, "Sub-account and ACL". */
export interface SubAccountAcl {
  readonly id: string;
  readonly depositAddressGenerationEnabled: boolean;
  readonly withdrawEnabled: boolean;
  readonly description: string;
  readonly createdAt: Micros;
  readonly updatedAt: Micros;
}

/** Balances that are not zero, of both accounts of a sub-account. v2 says main and trading. */
export interface SubAccountBalances {
  readonly wallet: readonly Balance[];
  readonly spot: readonly Balance[];
}

/** A deposit address as sub-account calls show it. */
export interface SubAccountAddress {
  readonly address: string;
  readonly paymentId: string | undefined;
  readonly publicKey: string | undefined;
  readonly networkCode: string | undefined;
}

/** Ids of sub-accounts, at least one. */
export const idListParam = listParam.refine((ids) => ids.length > 0, { error: 'Parameter is required' });

export const statusField = z.enum(subAccountStatuses);

const balanceRows = z.array(z.object({ currency: nameField, available: amountField, reserved: amountField }));
/** Rows of a balance; absent means none. */
export const balancesField = balanceRows.optional().transform((rows): readonly Balance[] => rows ?? []);

const flagResult = z.object({ result: z.boolean() });
const textResult = z.object({ result: z.string().min(1).max(80) });

/** `{result: Boolean}`: whether a freeze or an activation took place. */
export function decodeFlagResult(json: unknown): boolean {
  return parseWith(flagResult, json, 'result').result;
}

/** `{result: String}`: the id of a transfer. */
export function decodeTransferResult(json: unknown): string {
  return parseWith(textResult, json, 'transfer').result;
}

/** `{currency, available, reserved}` rows of those balances that are not zero. */
export function balanceRowsOf(balances: readonly Balance[]): readonly object[] {
  return balances
    .filter(({ available, reserved }) => available !== 0n || reserved !== 0n)
    .map(({ currency, available, reserved }) => ({
      currency,
      available: formatAmount(available),
      reserved: formatAmount(reserved),
    }));
}
