import { z } from 'zod';
import { amountParam } from '../amount-param.ts';
import { booleanParam, codeParam, integerParam, textParam } from '../param-fields.ts';
import type {
  ConvertParams,
  InternalWithdrawParams,
  TransactionsParams,
  TransferParams,
  WithdrawParams,
} from '../wallet-params.ts';
import { publicCommentParam, readEnd } from '../v3/wallet-params.ts';

// Parameters of the v2 account endpoints as a server reads them. Source: API v2, "Account management".

export const addressParams = z.object({ currency: codeParam, networkCode: codeParam.optional() });
export const isMineParams = z.object({ address: textParam });
export const accountIdParams = z.object({ id: textParam });

export const withdrawParams = z
  .object({
    currency: codeParam,
    amount: amountParam,
    address: textParam,
    networkCode: codeParam.optional(),
    paymentId: textParam.optional(),
    includeFee: booleanParam.default(false),
    autoCommit: booleanParam.default(true),
    publicComment: publicCommentParam,
  })
  .transform((given): WithdrawParams => ({
    ...given,
    networkCode: given.networkCode,
    paymentId: given.paymentId,
    publicComment: given.publicComment,
    useOffchain: 'never',
  }));

export const convertParams = z
  .object({ fromCurrency: codeParam, toCurrency: codeParam, amount: amountParam })
  .transform((given): ConvertParams => ({ ...given, idempotencyKey: undefined }));

export const estimateParams = z.object({
  currency: codeParam,
  amount: amountParam,
  networkCode: codeParam.optional(),
});
export const estimateLevelsParams = z.object({ currency: codeParam, amount: amountParam });

/** The account of v2 is the wallet, its trading account the spot one. */
export const transferParams = z
  .object({
    currency: codeParam,
    amount: amountParam,
    type: z.enum(['bankToExchange', 'exchangeToBank'], {
      error: 'Parameter must be bankToExchange or exchangeToBank',
    }),
  })
  .transform(({ currency, amount, type }): TransferParams => {
    const out = type === 'bankToExchange';
    return { currency, amount, source: out ? 'wallet' : 'spot', destination: out ? 'spot' : 'wallet' };
  });

export const internalParams: z.ZodType<InternalWithdrawParams> = z.object({
  currency: codeParam,
  amount: amountParam,
  by: z.enum(['email', 'username'], { error: 'Parameter must be email or username' }),
  identifier: textParam,
});

const end = z.union([z.string(), z.number()]).optional();

/** Parameters of `GET account/transactions` and of the socket's queries. */
export const transactionsParams = z
  .object({
    currency: codeParam.optional(),
    sort: z
      .string()
      .toUpperCase()
      .pipe(z.enum(['ASC', 'DESC'], { error: 'Parameter must be ASC or DESC' }))
      .default('DESC'),
    by: z
      .enum(['timestamp', 'index'], { error: 'Parameter must be timestamp or index' })
      .default('timestamp'),
    from: end,
    till: end,
    limit: integerParam(0, 1_000).default(100),
    offset: integerParam(0, 100_000).default(0),
    showSenders: booleanParam.default(false),
  })
  .transform((given, context): TransactionsParams & { readonly showSenders: boolean } => {
    const byIndex = given.by === 'index';
    return {
      txIds: undefined,
      types: undefined,
      subtypes: undefined,
      statuses: undefined,
      currencies: given.currency === undefined ? undefined : [given.currency],
      networks: undefined,
      orderBy: byIndex ? 'index' : 'createdAt',
      from: readEnd(given.from, byIndex, 'from', context),
      till: readEnd(given.till, byIndex, 'till', context),
      idFrom: undefined,
      idTill: undefined,
      sort: given.sort,
      limit: given.limit,
      offset: given.offset,
      groupTransactions: false,
      showSenders: given.showSenders,
    };
  });
