import { z } from 'zod';
import { idField, nameField, parseWith } from '../fields.ts';
import type { SubAccount, SubAccountAcl, SubAccountAddress, SubAccountBalances } from '../sub-accounts.ts';
import { balanceRowsOf, balancesField, statusField } from '../sub-accounts.ts';

/** What v2 shows of the rights of a sub-account. Source: API v2, "Sub-account". */
export interface SubAccountPayoutAcl {
  readonly id: string;
  readonly isPayoutEnabled: boolean;
  readonly description: string;
}

const accounts = z.object({
  result: z.array(z.object({ id: idField, email: z.string().max(200), status: statusField })),
});
const acls = z.object({
  result: z.array(
    z.object({
      subAccountId: idField,
      isPayoutEnabled: z.boolean(),
      description: z.string().max(2_000).default(''),
    }),
  ),
});
const balances = z.object({ result: z.object({ main: balancesField, trading: balancesField }) });
const optionalText = nameField.nullish().transform((text) => text ?? undefined);
const address = z.object({
  result: z.object({
    address: z.string().min(1).max(300),
    paymentId: optionalText,
    publicKey: optionalText,
    networkCode: optionalText,
  }),
});

/** `{result: [{id, email, status}]}`. Source: v2-gaps, section 3. */
export function decodeV2SubAccounts(json: unknown): readonly SubAccount[] {
  return parseWith(accounts, json, 'v2 sub-accounts').result;
}

export function encodeV2SubAccounts(list: readonly SubAccount[]): object {
  return { result: list.map(({ id, email, status }) => ({ id: Number(id), email, status })) };
}

/** `{result: [{subAccountId, isPayoutEnabled, description}]}`. Source: API v2, "Sub-accounts". */
export function decodeV2Acls(json: unknown): readonly SubAccountPayoutAcl[] {
  return parseWith(acls, json, 'v2 sub-account rights').result.map(({ subAccountId, ...rest }) => ({
    id: subAccountId,
    ...rest,
  }));
}

export function encodeV2Acls(list: readonly SubAccountAcl[]): object {
  return {
    result: list.map((acl) => ({
      subAccountId: Number(acl.id),
      isPayoutEnabled: acl.withdrawEnabled,
      description: acl.description,
    })),
  };
}

/** `{result: {main, trading}}`: main is the wallet, trading the spot account. Source: API v2, "Sub-account". */
export function decodeV2SubAccountBalances(json: unknown): SubAccountBalances {
  const { result } = parseWith(balances, json, 'v2 sub-account balance');
  return { wallet: result.main, spot: result.trading };
}

export function encodeV2SubAccountBalances({ wallet, spot }: SubAccountBalances): object {
  return { result: { main: balanceRowsOf(wallet), trading: balanceRowsOf(spot) } };
}

/** `{result: Deposit address}`. Source: API v2, "Deposit address". */
export function decodeV2SubAccountAddress(json: unknown): SubAccountAddress {
  return parseWith(address, json, 'v2 sub-account address').result;
}

export function encodeV2SubAccountAddress(given: SubAccountAddress): object {
  const { address, paymentId, publicKey, networkCode } = given;
  return {
    result: {
      address,
      ...(paymentId !== undefined && { paymentId }),
      ...(publicKey !== undefined && { publicKey }),
      ...(networkCode !== undefined && { networkCode }),
    },
  };
}
