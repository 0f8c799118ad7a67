import { encodeV2Balance } from '../../venues/hitbtc/wire/balances.ts';
import { formatAmount } from '../../core/base/amount.ts';
import type { Balance } from '../../core/model/market.ts';

/** `{currency,available,reserved}`: wallets are shown alike in both versions. Source: API v3, "Balances". */
export const encodeWalletBalance = encodeV2Balance;

/** The form of one currency, without `currency`. */
export function encodeSingleWalletBalance({ available, reserved }: Balance): object {
  return { available: formatAmount(available), reserved: formatAmount(reserved) };
}
