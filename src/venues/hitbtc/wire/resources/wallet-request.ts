import { z } from 'zod';
import type { Amount } from '../../../../core/base/amount.ts';
import { formatAmount } from '../../../../core/base/amount.ts';
import type { Micros } from '../../../../core/base/clock.ts';
import { amountParam } from '../amount-param.ts';
import { bounds } from '../limits.ts';
import {
  booleanParam,
  codeParam,
  endOfMilli,
  endParam,
  idBoundParam,
  integerParam,
  listParam,
  oneOfParam,
  sortParam,
  textParam,
  textParamUpTo,
  timeParam,
} from '../param-fields.ts';
import { param, paramsOf } from '../request.ts';
import type { RowOf } from '../resource.ts';
import { resource } from '../resource.ts';
import { sentAs } from '../sent.ts';
import { transactionStatuses, transactionSubtypes, transactionTypes } from './wallet.ts';

// What a client asks of the wallet, which v2 calls the account. Source: v3-gaps, section 6; API v2, "Account management".

const currency = { v3: 'currency', v2: 'currency', kind: param(codeParam) } as const;
const amount = {
  v3: 'amount',
  v2: 'amount',
  kind: param(amountParam, (given: Amount) => formatAmount(given)),
} as const;
const networkCode = { v3: 'network_code', v2: 'networkCode', kind: param(codeParam.optional()) } as const;
const paymentId = { v3: 'payment_id', v2: 'paymentId', kind: param(textParam.optional()) } as const;
const address = { v3: 'address', v2: 'address', kind: param(textParam) } as const;

const addressQuery = resource('address', { currency, networkCode });
export const v3AddressParams = paramsOf(addressQuery, 'v3');
export const v2AddressParams = paramsOf(addressQuery, 'v2');
export const v3AddressesParams = paramsOf(
  resource('addresses', { currency: { v3: 'currency', kind: param(codeParam.optional()) }, networkCode }),
  'v3',
);
/** One address, and one thing by its id: spelled alike in both versions. */
export const isMineParams = paramsOf(resource('address', { address }), 'v3');
export const oneIdParams = paramsOf(resource('id', { id: { v3: 'id', kind: param(textParam) } }), 'v3');
export const v3TransactionParams = paramsOf(
  resource('transaction', { txId: { v3: 'tx_id', kind: param(textParam) } }),
  'v3',
);

const offchainWord = sentAs(textParam.clone(), {
  type: 'string',
  enum: ['never', 'optionally', 'required'],
});
const withdrawal = resource('withdrawal', {
  currency,
  amount,
  address,
  networkCode,
  paymentId,
  /** Whether `amount` is all that is spent, the fee with it. */
  includeFee: { v3: 'include_fee', v2: 'includeFee', kind: param(booleanParam.default(false)) },
  autoCommit: { v3: 'auto_commit', v2: 'autoCommit', kind: param(booleanParam.default(true)) },
  useOffchain: { v3: 'use_offchain', kind: param(offchainWord.default('never').transform(readOffchain)) },
  publicComment: {
    v3: 'public_comment',
    v2: 'publicComment',
    kind: param(textParamUpTo(bounds.publicCommentMax).optional()),
  },
});
export type WithdrawParams = RowOf<typeof withdrawal.fields, 'v3'>;
export const v3WithdrawParams = paramsOf(withdrawal, 'v3');
export const v2WithdrawParams = paramsOf(withdrawal, 'v2').transform((given): WithdrawParams => ({
  ...given,
  useOffchain: 'never',
}));

/** Clients misspell `optionally`, so that anything unknown is not refused. Source: v3-gaps, section 6. */
function readOffchain(given: string): 'never' | 'optionally' | 'required' {
  const value = given.toLowerCase();
  if (value.startsWith('optional')) return 'optionally';
  return value === 'required' ? 'required' : 'never';
}

const estimate = resource('estimate', { currency, amount, networkCode });
export type EstimateParams = RowOf<typeof estimate.fields, 'v3'>;
export const v3EstimateParams = paramsOf(estimate, 'v3');
export const v2EstimateParams = paramsOf(estimate, 'v2');
/** The items of a body that is a list. */
export const v3EstimatesParams = z.object({
  items: z.array(v3EstimateParams, { error: 'Parameters must be a list' }).max(1_000),
});
export const v2EstimateLevelsParams = paramsOf(resource('estimate', { currency, amount }), 'v2');

const conversion = resource('conversion', {
  fromCurrency: { v3: 'from_currency', v2: 'fromCurrency', kind: param(codeParam) },
  toCurrency: { v3: 'to_currency', v2: 'toCurrency', kind: param(codeParam) },
  amount,
  idempotencyKey: { v3: 'idempotency_key', kind: param(textParam.optional()) },
});
export type ConvertParams = RowOf<typeof conversion.fields, 'v3'>;
export const v3ConvertParams = paramsOf(conversion, 'v3');
export const v2ConvertParams = paramsOf(conversion, 'v2');

const transferPlaces = ['wallet', 'spot', 'derivatives'] as const;
export type TransferPlace = (typeof transferPlaces)[number];
const transfer = resource('transfer', {
  currency,
  amount,
  source: { v3: 'source', kind: param(oneOfParam(transferPlaces)) },
  destination: { v3: 'destination', kind: param(oneOfParam(transferPlaces)) },
});
export type TransferParams = RowOf<typeof transfer.fields, 'v3'>;
export const v3TransferParams = paramsOf(transfer, 'v3');
const direction = z.enum(['bankToExchange', 'exchangeToBank'], {
  error: 'Parameter must be bankToExchange or exchangeToBank',
});
/** The account of v2 is the wallet, its trading account the spot one. */
export const v2TransferParams = paramsOf(
  resource('transfer', { currency, amount, direction: { v2: 'type', kind: param(direction) } }),
  'v2',
).transform(({ direction: given, ...rest }): TransferParams => {
  const out = given === 'bankToExchange';
  return { ...rest, source: out ? 'wallet' : 'spot', destination: out ? 'spot' : 'wallet' };
});

const byWhom = z.enum(['email', 'username'], { error: 'Parameter must be email or username' });
/** Spelled alike in both versions. */
const internalWithdrawal = resource('internal withdrawal', {
  currency,
  amount,
  by: { v3: 'by', kind: param(byWhom) },
  identifier: { v3: 'identifier', kind: param(textParam) },
});
export type InternalWithdrawParams = RowOf<typeof internalWithdrawal.fields, 'v3'>;
export const internalWithdrawParams = paramsOf(internalWithdrawal, 'v3');

export const v3OffchainParams = paramsOf(
  resource('off-chain address', { currency, address, paymentId }),
  'v3',
);

type OrderBy = 'createdAt' | 'updatedAt' | 'lastActivityAt' | 'id' | 'index';
const orderings = {
  created_at: 'createdAt',
  updated_at: 'updatedAt',
  last_activity_at: 'lastActivityAt',
  id: 'id',
} as const;
const v3OrderWords = ['created_at', 'updated_at', 'last_activity_at', 'id'] as const;
const v3OrderBy = sentAs(z.string().toLowerCase(), { type: 'string', enum: v3OrderWords })
  .pipe(oneOfParam(v3OrderWords))
  .default('created_at')
  .transform((given): OrderBy => orderings[given]);
const v2OrderBy = z
  .enum(['timestamp', 'index'], { error: 'Parameter must be timestamp or index' })
  .default('timestamp')
  .transform((given): OrderBy => (given === 'index' ? 'index' : 'createdAt'));
const end = param(endParam);
const anyId = param(idBoundParam.optional());
const codes = param(
  listParam.optional(),
  undefined,
  codeParam.optional().transform((code) => (code === undefined ? undefined : [code])),
);
const pageFields = {
  limit: {
    v3: 'limit',
    v2: 'limit',
    kind: param(integerParam(1, 1_000).default(100), undefined, integerParam(0, 1_000).default(100)),
  },
  offset: { v3: 'offset', v2: 'offset', kind: param(integerParam(0, 100_000).default(0)) },
} as const;

/** Which transactions are asked for: REST and sockets of both versions. `from` and `till` are as the order says. */
const transactionsQuery = resource(
  'transactions',
  {
    txIds: { v3: 'tx_ids', kind: param(listParam.optional()) },
    types: { v3: 'types', kind: param(listOf(transactionTypes)) },
    subtypes: { v3: 'subtypes', kind: param(listOf(transactionSubtypes)) },
    statuses: { v3: 'statuses', kind: param(listOf(transactionStatuses)) },
    currencies: { v3: 'currencies', v2: 'currency', kind: codes },
    networks: { v3: 'networks', kind: param(listParam.optional()) },
    orderBy: { v3: 'order_by', v2: 'by', kind: param(v3OrderBy, undefined, v2OrderBy) },
    from: { v3: 'from', v2: 'from', kind: end },
    till: { v3: 'till', v2: 'till', kind: end },
    idFrom: { v3: 'id_from', kind: anyId },
    idTill: { v3: 'id_till', kind: anyId },
    sort: { v3: 'sort', v2: 'sort', kind: param(sortParam('DESC')) },
    ...pageFields,
    /** Whether the transactions of one operation stand together. */
    groupTransactions: { v3: 'group_transactions', kind: param(booleanParam.default(false)) },
    showSenders: { v2: 'showSenders', kind: param(booleanParam.default(false)) },
  },
  { v2: ['currencies', 'sort'] },
);
type Asked = RowOf<typeof transactionsQuery.fields, 'v3'>;
/** `from` and `till` are `Micros` or numbers, as `orderBy` says. */
export type TransactionsParams = Omit<Asked, 'from' | 'till'> & {
  readonly from: number | undefined;
  readonly till: number | undefined;
};
export const v3TransactionsParams = paramsOf(transactionsQuery, 'v3').transform(withEnds);
export const v2TransactionsParams = paramsOf(transactionsQuery, 'v2').transform((given, context) =>
  withEnds({ ...given, groupTransactions: false }, context),
);

export const v3AmountLocksParams = paramsOf(
  resource('amount locks', {
    currency: { v3: 'currency', kind: param(codeParam.optional()) },
    active: { v3: 'active', kind: param(booleanParam.optional()) },
    from: { v3: 'from', kind: param(timeParam.optional()) },
    till: { v3: 'till', kind: param(timeParam.transform(endOfMilli).optional()) },
    ...pageFields,
  }),
  'v3',
);
export type AmountLocksParams = z.output<typeof v3AmountLocksParams>;

/** With both ends of the interval read: numbers when ordered by one, else times. An issue names the parameter. */
function withEnds<Given extends Pick<Asked, 'orderBy' | 'from' | 'till'>>(
  given: Given,
  context: z.core.$RefinementCtx,
) {
  const byNumber = given.orderBy === 'id' || given.orderBy === 'index';
  const read = (name: 'from' | 'till'): number | undefined => {
    if (given[name] === undefined) return undefined;
    const schema: z.ZodType<number | Micros> = byNumber ? idBoundParam : timeParam;
    const result = schema.safeParse(given[name]);
    if (result.success) return name === 'till' && !byNumber ? endOfMilli(result.data as Micros) : result.data;
    const message = result.error.issues[0]?.message ?? 'not as expected';
    context.addIssue({ code: 'custom', path: [name], message });
    return undefined;
  };
  return { ...given, from: read('from'), till: read('till') };
}

/** Values of an enumeration with commas between them, or as an array, in any case. */
function listOf<const Value extends string>(values: readonly Value[]) {
  const known = new Set<string>(values);
  return sentAs(listParam.clone(), { type: 'array', items: { type: 'string', enum: values } })
    .transform((items, context): readonly Value[] => {
      const upper = items.map((item) => item.toUpperCase());
      const wrong = upper.find((item) => !known.has(item));
      if (wrong === undefined) return upper as string[] as Value[];
      context.addIssue({ code: 'custom', message: `Parameter must be among ${values.join(', ')}` });
      return z.NEVER;
    })
    .optional();
}
