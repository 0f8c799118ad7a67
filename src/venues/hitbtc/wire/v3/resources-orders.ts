import { z } from 'zod';
import type { CamelKeys } from '../camel.ts';
import { camelKeys } from '../camel.ts';
import { amountField, nameField, optionalAmountField, parseList, parseWith } from '../fields.ts';

const balanceShape = {
  available: amountField,
  reserved: amountField,
  reserved_margin: optionalAmountField,
  cross_margin_reserved: optionalAmountField,
};
const balanceMembers = z.object({ currency: nameField, ...balanceShape });

/** A trading balance with what margin holds of it. Source: API v3, "Balances". */
export type V3SpotBalance = CamelKeys<z.output<typeof balanceMembers>>;

export function readV3SpotBalance(json: unknown): V3SpotBalance {
  return camelKeys(parseWith(balanceMembers, json, 'v3 balance'));
}

export function readV3SpotBalances(json: unknown): readonly V3SpotBalance[] {
  return parseList(json, 'v3 balances', readV3SpotBalance);
}

/** The form of one currency, without `currency`. */
export function readV3SpotBalanceOf(json: unknown, currency: string): V3SpotBalance {
  return { currency, ...camelKeys(parseWith(z.object(balanceShape), json, `balance of ${currency}`)) };
}
