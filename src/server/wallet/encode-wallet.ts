import { encodeV2Balance } from '../../wire/balances.ts';
import { formatAmount } from '../../base/amount.ts';
import type { Balance } from '../../model/market.ts';

/** `{currency,available,reserved}`: wallets are shown alike in both versions. Source: API v3, "Balances". */
export const encodeWalletBalance = encodeV2Balance;

/** The form of one currency, without `currency`. */
export function encodeSingleWalletBalance({ available, reserved }: Balance): object {
  return { available: formatAmount(available), reserved: formatAmount(reserved) };
}
