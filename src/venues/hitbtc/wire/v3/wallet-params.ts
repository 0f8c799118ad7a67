import { z } from 'zod';
import type { Micros } from '../../../../core/base/clock.ts';
import { amountParam } from '../amount-param.ts';
import { bounds } from '../limits.ts';
import {
  booleanParam,
  codeParam,
  endOfMilli,
  idBoundParam,
  integerParam,
  listParam,
  textParam,
  textParamUpTo,
  timeParam,
} from '../param-fields.ts';
import type {
  AmountLocksParams,
  ConvertParams,
  InternalWithdrawParams,
  TransactionsParams,
  TransferParams,
  WithdrawParams,
} from '../wallet-params.ts';
import { transferPlaces } from '../wallet-params.ts';
import { transactionStatuses, transactionSubtypes, transactionTypes } from '../resources/wallet.ts';

// Parameters of the v3 wallet endpoints as a server reads them. Source: v3-gaps, section 6.

const networkCode = { network_code: codeParam.optional() };

export const addressParams = z
  .object({ currency: codeParam, ...networkCode })
  .transform((given) => ({ currency: given.currency, networkCode: given.network_code }));
export const addressesParams = z
  .object({ currency: codeParam.optional(), ...networkCode })
  .transform((given) => ({ currency: given.currency, networkCode: given.network_code }));
export const checkMineParams = z.object({ address: textParam });
export const walletIdParams = z.object({ id: textParam });
export const transactionParams = z.object({ tx_id: textParam }).transform((given) => ({ txId: given.tx_id }));

export const publicCommentParam = textParamUpTo(bounds.publicCommentMax).optional();

export const withdrawParams = z
  .object({
    currency: codeParam,
    amount: amountParam,
    address: textParam,
    ...networkCode,
    payment_id: textParam.optional(),
    include_fee: booleanParam.default(false),
    auto_commit: booleanParam.default(true),
    use_offchain: textParam.default('never'),
    public_comment: publicCommentParam,
  })
  .transform((given): WithdrawParams => ({
    currency: given.currency,
    amount: given.amount,
    address: given.address,
    networkCode: given.network_code,
    paymentId: given.payment_id,
    includeFee: given.include_fee,
    autoCommit: given.auto_commit,
    useOffchain: readOffchain(given.use_offchain),
    publicComment: given.public_comment,
  }));

const estimate = z
  .object({ currency: codeParam, amount: amountParam, ...networkCode })
  .transform((given) => ({
    currency: given.currency,
    amount: given.amount,
    networkCode: given.network_code,
  }));
export const estimateParams = estimate;
/** The items of a body that is a list. */
export const estimatesParams = z.object({
  items: z.array(estimate, { error: 'Parameters must be a list' }).max(1_000),
});

export const convertParams = z
  .object({
    from_currency: codeParam,
    to_currency: codeParam,
    amount: amountParam,
    idempotency_key: textParam.optional(),
  })
  .transform((given): ConvertParams => ({
    fromCurrency: given.from_currency,
    toCurrency: given.to_currency,
    amount: given.amount,
    idempotencyKey: given.idempotency_key,
  }));

const place = z.enum(transferPlaces, { error: `Parameter must be one of ${transferPlaces.join(', ')}` });
export const transferParams: z.ZodType<TransferParams> = z.object({
  currency: codeParam,
  amount: amountParam,
  source: place,
  destination: place,
});

export const internalWithdrawParams: z.ZodType<InternalWithdrawParams> = z.object({
  currency: codeParam,
  amount: amountParam,
  by: z.enum(['email', 'username'], { error: 'Parameter must be email or username' }),
  identifier: textParam,
});

export const offchainParams = z
  .object({ currency: codeParam, address: textParam, payment_id: textParam.optional() })
  .transform((given) => ({
    currency: given.currency,
    address: given.address,
    paymentId: given.payment_id,
  }));

const orderings = {
  created_at: 'createdAt',
  updated_at: 'updatedAt',
  last_activity_at: 'lastActivityAt',
  id: 'id',
} as const;
const end = z.union([z.string(), z.number()]).optional();
const anyId = idBoundParam.optional();
const sort = z
  .string()
  .toUpperCase()
  .pipe(z.enum(['ASC', 'DESC'], { error: 'Parameter must be ASC or DESC' }))
  .default('DESC');
const page = { limit: integerParam(1, 1_000).default(100), offset: integerParam(0, 100_000).default(0) };

/** Parameters of `GET wallet/transactions` and of the socket's query. `from` and `till` are as `order_by` says. */
export const transactionsParams = z
  .object({
    tx_ids: listParam.optional(),
    types: listOf(transactionTypes),
    subtypes: listOf(transactionSubtypes),
    statuses: listOf(transactionStatuses),
    currencies: listParam.optional(),
    networks: listParam.optional(),
    order_by: z
      .string()
      .toLowerCase()
      .pipe(
        z.enum(['created_at', 'updated_at', 'last_activity_at', 'id'], {
          error: `Parameter must be one of ${Object.keys(orderings).join(', ')}`,
        }),
      )
      .default('created_at'),
    from: end,
    till: end,
    id_from: anyId,
    id_till: anyId,
    sort,
    ...page,
    group_transactions: booleanParam.default(false),
  })
  .transform((given, context): TransactionsParams => {
    const orderBy = orderings[given.order_by];
    const read = (name: 'from' | 'till') => readEnd(given[name], orderBy === 'id', name, context);
    return {
      txIds: given.tx_ids,
      types: given.types,
      subtypes: given.subtypes,
      statuses: given.statuses,
      currencies: given.currencies,
      networks: given.networks,
      orderBy,
      from: read('from'),
      till: read('till'),
      idFrom: given.id_from,
      idTill: given.id_till,
      sort: given.sort,
      limit: given.limit,
      offset: given.offset,
      groupTransactions: given.group_transactions,
    };
  });

export const amountLocksParams = z
  .object({
    currency: codeParam.optional(),
    active: booleanParam.optional(),
    from: timeParam.optional(),
    till: timeParam.transform(endOfMilli).optional(),
    ...page,
  })
  .transform((given): AmountLocksParams => ({
    currency: given.currency,
    active: given.active,
    from: given.from,
    till: given.till,
    limit: given.limit,
    offset: given.offset,
  }));

/** One end of an interval: a number when ordered by one, else a time. An issue names the parameter. */
export function readEnd(
  given: string | number | undefined,
  byNumber: boolean,
  name: string,
  context: z.core.$RefinementCtx,
): number | undefined {
  if (given === undefined) return undefined;
  const schema: z.ZodType<number | Micros> = byNumber ? idBoundParam : timeParam;
  const result = schema.safeParse(given);
  if (result.success) return name === 'till' && !byNumber ? endOfMilli(result.data as Micros) : result.data;
  context.addIssue({
    code: 'custom',
    path: [name],
    message: result.error.issues[0]?.message ?? 'not as expected',
  });
  return undefined;
}

/** Values of an enumeration with commas between them, or as an array, in any case. */
function listOf<const Value extends string>(values: readonly Value[]) {
  const known = new Set<string>(values);
  return listParam
    .transform((items, context): readonly Value[] => {
      const upper = items.map((item) => item.toUpperCase());
      const wrong = upper.find((item) => !known.has(item));
      if (wrong === undefined) return upper as string[] as Value[];
      context.addIssue({ code: 'custom', message: `Parameter must be among ${values.join(', ')}` });
      return z.NEVER;
    })
    .optional();
}

/** Clients misspell `optionally`, so that anything unknown is not refused. Source: v3-gaps, section 6. */
function readOffchain(given: string): WithdrawParams['useOffchain'] {
  const value = given.toLowerCase();
  if (value.startsWith('optional')) return 'optionally';
  return value === 'required' ? 'required' : 'never';
}
