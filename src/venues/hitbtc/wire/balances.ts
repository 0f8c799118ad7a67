import { z } from 'zod';
import { formatAmount, zero } from '../../../core/base/amount.ts';
import type { Amount } from '../../../core/base/amount.ts';
import type { Balance } from '../../../core/model/market.ts';
import { amountField, nameField, parseWith } from './fields.ts';

const members = z.object({ currency: nameField, available: amountField, reserved: amountField });
const single = members.omit({ currency: true });
const list = z.array(members);

/** A list of trading balances, of either version. Throws `BadInput` naming the member. Source: API v3, "Balances". */
export function decodeBalances(value: unknown): readonly Balance[] {
  return parseWith(list, value, 'balances');
}

/** The balance of one currency: the form without `currency`, or with it. */
export function decodeBalance(value: unknown, currency: string): Balance {
  return { currency, ...parseWith(single, value, `balance of ${currency}`) };
}

/** A v3 balance: `{currency,available,reserved,reserved_margin,cross_margin_reserved}`. */
export function encodeV3Balance(balance: Balance): object {
  return { currency: balance.currency, ...encodeV3SingleBalance(balance) };
}

/** The form of one currency, without `currency`. Source: API v3, "Balances". */
export function encodeV3SingleBalance(balance: {
  readonly available: Amount;
  readonly reserved: Amount;
  readonly reservedMargin?: Amount;
  readonly reservedCrossMargin?: Amount;
}): object {
  return {
    available: formatAmount(balance.available),
    reserved: formatAmount(balance.reserved),
    reserved_margin: formatAmount(balance.reservedMargin ?? zero),
    cross_margin_reserved: formatAmount(balance.reservedCrossMargin ?? zero),
  };
}

/** A v2 balance: `{currency,available,reserved}`. Source: API v2, "Balances". */
export function encodeV2Balance(balance: Balance): object {
  return {
    currency: balance.currency,
    available: formatAmount(balance.available),
    reserved: formatAmount(balance.reserved),
  };
}
