import { z } from 'zod';
import {
  amountKind,
  flagKind,
  idKind,
  nameKind,
  openRowWord,
  plainKind,
  textKind,
  timeKind,
  withDefault,
} from '../kinds.ts';
import type { RowOf, WireVersion } from '../resource.ts';
import { resource } from '../resource.ts';
import { reads, sentTo } from '../sent.ts';
import { addressFields } from './wallet.ts';

// Sub-accounts of both versions. Values are read under the names of these tables. Source: API v3, "Sub-accounts"; API v2, "Sub-accounts".

/** Source: API v3, "Sub-account status"; `frozen` is named by its table of transitions. */
export const subAccountStatuses = ['new', 'active', 'disable', 'frozen'] as const;
export type SubAccountStatus = (typeof subAccountStatuses)[number];

/** A sub-account as its super account lists it. `id` is hexadecimal in v3 and a number's digits in v2. */
export const subAccount = resource('sub-account', {
  id: { v3: 'sub_account_id', v2: 'id', kind: idKind },
  email: { v3: 'email', v2: 'email', kind: plainKind(z.string().max(200)) },
  status: { v3: 'status', v2: 'status', kind: openRowWord(subAccountStatuses) },
});
export type SubAccount = RowOf<typeof subAccount.fields, 'v3'>;

/** Rights that a super account gives a sub-account. Source: API v3, "Sub-account and ACL"; API v2, "Sub-account". */
export const subAccountAcl = resource(
  'sub-account right',
  {
    id: { v3: 'sub_account_id', v2: 'subAccountId', kind: idKind },
    depositAddressGenerationEnabled: { v3: 'deposit_address_generation_enabled', kind: flagKind },
    withdrawEnabled: { v3: 'withdraw_enabled', kind: flagKind },
    isPayoutEnabled: { v2: 'isPayoutEnabled', kind: flagKind },
    description: { v3: 'description', v2: 'description', kind: withDefault(textKind, '') },
    createdAt: { v3: 'created_at', kind: timeKind },
    updatedAt: { v3: 'updated_at', kind: timeKind },
  },
  { spare: 'optional' },
);
export type SubAccountAcl = RowOf<typeof subAccountAcl.fields, 'v3'>;

const balanceRow = resource(
  'balance',
  {
    currency: { v3: 'currency', v2: 'currency', kind: nameKind },
    available: { v3: 'available', v2: 'available', kind: amountKind },
    reserved: { v3: 'reserved', v2: 'reserved', kind: amountKind },
  },
  { title: 'sub-account holding' },
);
/** Balances that are not zero, of both accounts of a sub-account: main and trading of v2; absent means none. */
export const subAccountBalances = resource('sub-account balance', {
  wallet: { v3: 'wallet', v2: 'main', rows: balanceRow },
  spot: { v3: 'spot', v2: 'trading', rows: balanceRow },
});
export interface SubAccountBalances {
  readonly wallet: readonly RowOf<typeof balanceRow.fields, 'v3'>[];
  readonly spot: readonly RowOf<typeof balanceRow.fields, 'v3'>[];
}

/** A deposit address as sub-account calls show it. */
export const subAccountAddress = resource('sub-account address', addressFields, { spare: 'optional' });
export type SubAccountAddress = RowOf<typeof subAccountAddress.fields, 'v2'>;

/** Reads the balances of a sub-account; a list that is absent has none. */
export function readBalances(version: WireVersion): (json: unknown) => SubAccountBalances {
  const { decode } = subAccountBalances[version];
  return reads(
    (json: unknown) => {
      const { wallet = [], spot = [] } = decode(json);
      return { wallet, spot };
    },
    () => sentTo(decode),
  );
}
