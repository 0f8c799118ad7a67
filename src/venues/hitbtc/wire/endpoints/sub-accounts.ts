import { z } from 'zod';
import { amountParam } from '../amount-param.ts';
import { readFlag, readResultId, resultOf } from '../answers.ts';
import { camelKeys } from '../camel.ts';
import { get, post, put } from '../endpoint.ts';
import { booleanParam, codeParam, idListParam, noParams, textParam } from '../param-fields.ts';
import { reads, sentTo } from '../sent.ts';
import { apiKeyRow, readBalances, subAccount, subAccountAcl, subAccountAddress } from '../resources/index.ts';

/** Members of a v3 call, renamed to our spelling. */
function camelParams<Shape extends z.ZodRawShape>(shape: Shape) {
  return z.object(shape).transform((given) => camelKeys(given));
}

const v3IdsParams = camelParams({ sub_account_ids: idListParam });
const transferMembers = { amount: amountParam, currency: codeParam };
/** The sub-account's hexadecimal id; its number (as v2 spells it) is taken too, because the documents say Number. */
const subAccountId = textParam;
const v3TransferParams = camelParams({
  sub_account_id: subAccountId,
  ...transferMembers,
  type: z.enum(['to_sub_account', 'from_sub_account'], {
    error: 'Parameter must be to_sub_account or from_sub_account',
  }),
});
const transferToSuperParams = z.object(transferMembers);
const transferToSubParams = camelParams({ sub_account_id: subAccountId, ...transferMembers });
const v3AclParams = camelParams({ sub_account_ids: idListParam.optional() });
const v3ChangeAclParams = camelParams({
  sub_account_ids: idListParam,
  deposit_address_generation_enabled: booleanParam.optional(),
  withdraw_enabled: booleanParam.optional(),
  description: textParam.optional(),
});
const v3BalanceParams = z
  .object({ sub_acc_id: subAccountId })
  .transform((given) => ({ subAccountId: given.sub_acc_id }));
const v3AddressParams = z
  .object({ sub_acc_id: subAccountId, currency: codeParam, network_code: codeParam.optional() })
  .transform((given) => ({
    subAccountId: given.sub_acc_id,
    currency: given.currency,
    networkCode: given.network_code,
  }));

const v3Acl = resultOf(subAccountAcl.v3.decodeList);
const v3List = subAccount.v3.decodeList;
/** The documents say a list; a client of the venue expects it wrapped. Source: v3-gaps, section 7. */
const v3SubAccounts = reads(
  (json: unknown) => (Array.isArray(json) ? v3List(json) : resultOf(v3List)(json)),
  () => sentTo(v3List),
);

/**
 * Calls about sub-accounts. Where the documents name no right, any key of the account serves.
 * Source: API v3, "Sub-accounts".
 */
export const subAccountEndpoints = {
  subAccounts: get('/api/3/sub-account', 'key', noParams, v3SubAccounts),
  freezeSubAccounts: post('/api/3/sub-account/freeze', 'key', v3IdsParams, readFlag),
  activateSubAccounts: post('/api/3/sub-account/activate', 'key', v3IdsParams, readFlag),
  subAccountTransfer: post('/api/3/sub-account/transfer', 'R4', v3TransferParams, readResultId),
  subAccountTransferToSuper: post(
    '/api/3/sub-account/transfer/sub-to-super',
    'R4',
    transferToSuperParams,
    readResultId,
  ),
  subAccountTransferToSub: post(
    '/api/3/sub-account/transfer/sub-to-sub',
    'R4',
    transferToSubParams,
    readResultId,
  ),
  subAccountAcl: get('/api/3/sub-account/acl', 'R3', v3AclParams, v3Acl),
  changeSubAccountAcl: post('/api/3/sub-account/acl', 'R3', v3ChangeAclParams, v3Acl),
  subAccountBalance: get(
    '/api/3/sub-account/balance/{sub_acc_id}',
    'R3',
    v3BalanceParams,
    resultOf(readBalances('v3')),
  ),
  subAccountCryptoAddress: get(
    '/api/3/sub-account/crypto/address/{sub_acc_id}/{currency}',
    'R3',
    v3AddressParams,
    resultOf(subAccountAddress.v3.decode),
  ),
} as const;

/** Calls about the user behind a key. Source: v3-gaps, section 8 ("Also GET user/api-keys"). */
export const userEndpoints = {
  userApiKeys: get('/api/3/user/api-keys', 'key', noParams, apiKeyRow.v3.decodeList),
} as const;

const v2IdsParams = z.object({ ids: idListParam });
const v2TransferParams = z.object({
  subAccountId: textParam,
  ...transferMembers,
  type: z.enum(['deposit', 'withdraw'], { error: 'Parameter must be deposit or withdraw' }),
});
const v2AclParams = z.object({ subAccountIds: idListParam });
const v2ChangeAclParams = z
  .object({ subAccountUserId: textParam, isPayoutEnabled: booleanParam, description: textParam.optional() })
  .transform(({ subAccountUserId, ...rest }) => ({ subAccountId: subAccountUserId, ...rest }));
const v2BalanceParams = z
  .object({ subAccountUserID: textParam })
  .transform((given) => ({ subAccountId: given.subAccountUserID }));
const v2AddressParams = z
  .object({ subAccountUserId: textParam, currency: codeParam, networkCode: codeParam.optional() })
  .transform(({ subAccountUserId, ...rest }) => ({ subAccountId: subAccountUserId, ...rest }));

const v2Acl = resultOf(subAccountAcl.v2.decodeList);

/**
 * Calls about sub-accounts, v2. Where no source names a right, any key of the account serves.
 * Source: API v2, "Sub-accounts"; v2-gaps, section 3.
 */
export const v2SubAccountEndpoints = {
  subAccounts: get('/api/2/sub-acc', 'key', noParams, resultOf(subAccount.v2.decodeList)),
  freezeSubAccounts: post('/api/2/sub-acc/freeze', 'key', v2IdsParams, readFlag),
  activateSubAccounts: post('/api/2/sub-acc/activate', 'key', v2IdsParams, readFlag),
  subAccountTransfer: post('/api/2/sub-acc/transfer', 'R4', v2TransferParams, readResultId),
  subAccountAcl: get('/api/2/sub-acc/acl', 'R3', v2AclParams, v2Acl),
  changeSubAccountAcl: put('/api/2/sub-acc/acl/{subAccountUserId}', 'R3', v2ChangeAclParams, v2Acl),
  subAccountBalance: get(
    '/api/2/sub-acc/balance/{subAccountUserID}',
    'R3',
    v2BalanceParams,
    resultOf(readBalances('v2')),
  ),
  subAccountDepositAddress: get(
    '/api/2/sub-acc/deposit-address/{subAccountUserId}/{currency}',
    'key',
    v2AddressParams,
    resultOf(subAccountAddress.v2.decode),
  ),
} as const;
