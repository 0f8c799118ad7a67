import { z } from 'zod';
import { idField, nameField, parseWith, timeField } from '../fields.ts';
import { printTimeShort } from '../formats.ts';
import type { SubAccount, SubAccountAcl, SubAccountAddress, SubAccountBalances } from '../sub-accounts.ts';
import { balanceRowsOf, balancesField, statusField } from '../sub-accounts.ts';

const accountRow = z.object({ sub_account_id: idField, email: z.string().max(200), status: statusField });
const accountRows = z.array(accountRow);
// The documents say a list; a client of the venue expects it wrapped (v3-gaps, section 7).
const accountList = z.union([accountRows, z.object({ result: accountRows }).transform((row) => row.result)]);
const aclRows = z.object({
  result: z.array(
    z.object({
      sub_account_id: idField,
      deposit_address_generation_enabled: z.boolean(),
      withdraw_enabled: z.boolean(),
      description: z.string().max(2_000).default(''),
      created_at: timeField,
      updated_at: timeField,
    }),
  ),
});
const balances = z.object({ result: z.object({ wallet: balancesField, spot: balancesField }) });
const optionalText = nameField.nullish().transform((text) => text ?? undefined);
const address = z.object({
  result: z.object({
    address: z.string().min(1).max(300),
    payment_id: optionalText,
    public_key: optionalText,
  }),
});

/** Sub-accounts of the caller, as a list or as `{result: list}`. Source: API v3, "Sub-account and ACL". */
export function decodeV3SubAccounts(json: unknown): readonly SubAccount[] {
  return parseWith(accountList, json, 'v3 sub-accounts').map((row) => ({
    id: row.sub_account_id,
    email: row.email,
    status: row.status,
  }));
}

/** A row of the list. */
export function encodeV3SubAccount({ id, email, status }: SubAccount): object {
  return { sub_account_id: id, email, status };
}

/** `{result: []ACL}`. Source: API v3, "Sub-account and ACL". */
export function decodeV3Acls(json: unknown): readonly SubAccountAcl[] {
  return parseWith(aclRows, json, 'v3 sub-account rights').result.map((row) => ({
    id: row.sub_account_id,
    depositAddressGenerationEnabled: row.deposit_address_generation_enabled,
    withdrawEnabled: row.withdraw_enabled,
    description: row.description,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  }));
}

export function encodeV3Acls(acls: readonly SubAccountAcl[]): object {
  return {
    result: acls.map((acl) => ({
      sub_account_id: acl.id,
      deposit_address_generation_enabled: acl.depositAddressGenerationEnabled,
      withdraw_enabled: acl.withdrawEnabled,
      description: acl.description,
      created_at: printTimeShort(acl.createdAt),
      updated_at: printTimeShort(acl.updatedAt),
    })),
  };
}

/** `{result: {wallet, spot}}`; a member that is absent has no balance. */
export function decodeV3SubAccountBalances(json: unknown): SubAccountBalances {
  return parseWith(balances, json, 'v3 sub-account balance').result;
}

/** Each account appears only when it has a balance that is not zero. Source: API v3, "Sub-account and ACL". */
export function encodeV3SubAccountBalances({ wallet, spot }: SubAccountBalances): object {
  const walletRows = balanceRowsOf(wallet);
  const spotRows = balanceRowsOf(spot);
  return {
    result: {
      ...(walletRows.length > 0 && { wallet: walletRows }),
      ...(spotRows.length > 0 && { spot: spotRows }),
    },
  };
}

/** `{result: {address, payment_id, public_key}}`. Source: API v3, "Sub-accounts". */
export function decodeV3SubAccountAddress(json: unknown): SubAccountAddress {
  const { result } = parseWith(address, json, 'v3 sub-account address');
  return {
    address: result.address,
    paymentId: result.payment_id,
    publicKey: result.public_key,
    networkCode: undefined,
  };
}

export function encodeV3SubAccountAddress({ address, paymentId, publicKey }: SubAccountAddress): object {
  return {
    result: {
      address,
      ...(paymentId !== undefined && { payment_id: paymentId }),
      ...(publicKey !== undefined && { public_key: publicKey }),
    },
  };
}
