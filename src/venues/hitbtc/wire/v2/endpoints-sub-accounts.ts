import { z } from 'zod';
import { amountParam } from '../amount-param.ts';
import { endpoint } from '../endpoint.ts';
import { booleanParam, codeParam, idListParam, textParam } from '../param-fields.ts';
import { readFlag, readResultId, resultOf } from '../answers.ts';
import * as resources from '../resources/sub-accounts.ts';

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
    answer: resultOf(resources.subAccount.v2.decodeList),
  }),
  freezeSubAccounts: endpoint({
    ...post,
    path: '/api/2/sub-acc/freeze',
    right: 'key',
    params: idsParams,
    answer: readFlag,
  }),
  activateSubAccounts: endpoint({
    ...post,
    path: '/api/2/sub-acc/activate',
    right: 'key',
    params: idsParams,
    answer: readFlag,
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
    answer: readResultId,
  }),
  subAccountAcl: endpoint({
    ...get,
    path: '/api/2/sub-acc/acl',
    right: 'R3',
    params: z.object({ subAccountIds: idListParam }),
    answer: resultOf(resources.subAccountAcl.v2.decodeList),
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
    answer: resultOf(resources.subAccountAcl.v2.decodeList),
  }),
  subAccountBalance: endpoint({
    ...get,
    path: '/api/2/sub-acc/balance/{subAccountUserID}',
    right: 'R3',
    params: ofSubAccount,
    answer: resultOf(resources.readBalances('v2')),
  }),
  subAccountDepositAddress: endpoint({
    ...get,
    path: '/api/2/sub-acc/deposit-address/{subAccountUserId}/{currency}',
    right: 'key',
    params: z
      .object({ subAccountUserId: textParam, currency: codeParam, networkCode: codeParam.optional() })
      .transform(({ subAccountUserId, ...rest }) => ({ subAccountId: subAccountUserId, ...rest })),
    answer: resultOf(resources.subAccountAddress.v2.decode),
  }),
} as const;
