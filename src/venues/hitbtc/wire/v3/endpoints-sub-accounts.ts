import { z } from 'zod';
import { amountParam } from '../amount-param.ts';
import { camelKeys } from '../camel.ts';
import { endpoint } from '../endpoint.ts';
import { booleanParam, codeParam, idListParam, textParam, noParams } from '../param-fields.ts';
import { readFlag, readResultId, resultOf } from '../answers.ts';
import * as resources from '../resources/sub-accounts.ts';

const source = 'API v3, "Sub-accounts"';
const get = { method: 'GET', payload: 'query', source } as const;
const post = { method: 'POST', payload: 'form', source } as const;

const idsParams = z.object({ sub_account_ids: idListParam }).transform((given) => camelKeys(given));
const transferMembers = { amount: amountParam, currency: codeParam };
/** The sub-account's hexadecimal id; its number (as v2 spells it) is taken too, because the documents say Number. */
const subAccountId = textParam;

/** Calls about sub-accounts. Where the documents name no right, any key of the account serves. */
export const subAccountEndpoints = {
  subAccounts: endpoint({
    ...get,
    path: '/api/3/sub-account',
    right: 'key',
    params: noParams,
    // The documents say a list; a client of the venue expects it wrapped (v3-gaps, section 7).
    answer: (json) =>
      Array.isArray(json)
        ? resources.subAccount.v3.decodeList(json)
        : resultOf(resources.subAccount.v3.decodeList)(json),
  }),
  freezeSubAccounts: endpoint({
    ...post,
    path: '/api/3/sub-account/freeze',
    right: 'key',
    params: idsParams,
    answer: readFlag,
  }),
  activateSubAccounts: endpoint({
    ...post,
    path: '/api/3/sub-account/activate',
    right: 'key',
    params: idsParams,
    answer: readFlag,
  }),
  subAccountTransfer: endpoint({
    ...post,
    path: '/api/3/sub-account/transfer',
    right: 'R4',
    params: z
      .object({
        sub_account_id: subAccountId,
        ...transferMembers,
        type: z.enum(['to_sub_account', 'from_sub_account'], {
          error: 'Parameter must be to_sub_account or from_sub_account',
        }),
      })
      .transform(({ sub_account_id, ...rest }) => ({ subAccountId: sub_account_id, ...rest })),
    answer: readResultId,
  }),
  subAccountTransferToSuper: endpoint({
    ...post,
    path: '/api/3/sub-account/transfer/sub-to-super',
    right: 'R4',
    params: z.object(transferMembers),
    answer: readResultId,
  }),
  subAccountTransferToSub: endpoint({
    ...post,
    path: '/api/3/sub-account/transfer/sub-to-sub',
    right: 'R4',
    params: z
      .object({ sub_account_id: subAccountId, ...transferMembers })
      .transform(({ sub_account_id, ...rest }) => ({ subAccountId: sub_account_id, ...rest })),
    answer: readResultId,
  }),
  subAccountAcl: endpoint({
    ...get,
    path: '/api/3/sub-account/acl',
    right: 'R3',
    params: z.object({ sub_account_ids: idListParam.optional() }).transform((given) => camelKeys(given)),
    answer: resultOf(resources.subAccountAcl.v3.decodeList),
  }),
  changeSubAccountAcl: endpoint({
    ...post,
    path: '/api/3/sub-account/acl',
    right: 'R3',
    params: z
      .object({
        sub_account_ids: idListParam,
        deposit_address_generation_enabled: booleanParam.optional(),
        withdraw_enabled: booleanParam.optional(),
        description: textParam.optional(),
      })
      .transform((given) => camelKeys(given)),
    answer: resultOf(resources.subAccountAcl.v3.decodeList),
  }),
  subAccountBalance: endpoint({
    ...get,
    path: '/api/3/sub-account/balance/{sub_acc_id}',
    right: 'R3',
    params: z.object({ sub_acc_id: subAccountId }).transform((given) => ({ subAccountId: given.sub_acc_id })),
    answer: resultOf(resources.readBalances('v3')),
  }),
  subAccountCryptoAddress: endpoint({
    ...get,
    path: '/api/3/sub-account/crypto/address/{sub_acc_id}/{currency}',
    right: 'R3',
    params: z
      .object({ sub_acc_id: subAccountId, currency: codeParam, network_code: codeParam.optional() })
      .transform((given) => ({
        subAccountId: given.sub_acc_id,
        currency: given.currency,
        networkCode: given.network_code,
      })),
    answer: resultOf(resources.subAccountAddress.v3.decode),
  }),
} as const;
