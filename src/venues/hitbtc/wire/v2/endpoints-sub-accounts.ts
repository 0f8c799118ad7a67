import { z } from 'zod';
import { amountParam } from '../amount-param.ts';
import { endpoint } from '../endpoint.ts';
import { booleanParam, codeParam, textParam } from '../param-fields.ts';
import { decodeFlagResult, decodeTransferResult, idListParam } from '../sub-accounts.ts';
import { decodeV2Acls, decodeV2SubAccountAddress } from './sub-accounts.ts';
import { decodeV2SubAccountBalances, decodeV2SubAccounts } from './sub-accounts.ts';

const source = 'API v2, "Sub-accounts"; v2-gaps, section 3';
const get = { method: 'GET', payload: 'query', source } as const;
const post = { method: 'POST', payload: 'form', source } as const;

const idsParams = z.object({ ids: idListParam });
const ofSubAccount = z
  .object({ subAccountUserID: textParam })
  .transform((given) => ({ subAccountId: given.subAccountUserID }));

/** Calls about sub-accounts, v2. Where no source names a right, any key of the account serves. */
export const v2SubAccountEndpoints = {
  subAccounts: endpoint({
    ...get,
    path: '/api/2/sub-acc',
    right: 'key',
    params: z.object({}),
    answer: decodeV2SubAccounts,
  }),
  freezeSubAccounts: endpoint({
    ...post,
    path: '/api/2/sub-acc/freeze',
    right: 'key',
    params: idsParams,
    answer: decodeFlagResult,
  }),
  activateSubAccounts: endpoint({
    ...post,
    path: '/api/2/sub-acc/activate',
    right: 'key',
    params: idsParams,
    answer: decodeFlagResult,
  }),
  subAccountTransfer: endpoint({
    ...post,
    path: '/api/2/sub-acc/transfer',
    right: 'R4',
    params: z.object({
      subAccountId: textParam,
      amount: amountParam,
      currency: codeParam,
      type: z.enum(['deposit', 'withdraw'], { error: 'Parameter must be deposit or withdraw' }),
    }),
    answer: decodeTransferResult,
  }),
  subAccountAcl: endpoint({
    ...get,
    path: '/api/2/sub-acc/acl',
    right: 'R3',
    params: z.object({ subAccountIds: idListParam }),
    answer: decodeV2Acls,
  }),
  changeSubAccountAcl: endpoint({
    ...post,
    method: 'PUT',
    path: '/api/2/sub-acc/acl/{subAccountUserId}',
    right: 'R3',
    params: z
      .object({
        subAccountUserId: textParam,
        isPayoutEnabled: booleanParam,
        description: textParam.optional(),
      })
      .transform(({ subAccountUserId, ...rest }) => ({ subAccountId: subAccountUserId, ...rest })),
    answer: decodeV2Acls,
  }),
  subAccountBalance: endpoint({
    ...get,
    path: '/api/2/sub-acc/balance/{subAccountUserID}',
    right: 'R3',
    params: ofSubAccount,
    answer: decodeV2SubAccountBalances,
  }),
  subAccountDepositAddress: endpoint({
    ...get,
    path: '/api/2/sub-acc/deposit-address/{subAccountUserId}/{currency}',
    right: 'key',
    params: z
      .object({ subAccountUserId: textParam, currency: codeParam, networkCode: codeParam.optional() })
      .transform(({ subAccountUserId, ...rest }) => ({ subAccountId: subAccountUserId, ...rest })),
    answer: decodeV2SubAccountAddress,
  }),
} as const;
