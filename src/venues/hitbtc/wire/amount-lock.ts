import { z } from 'zod';
import type { Amount } from '../../../core/base/amount.ts';
import { formatAmount } from '../../../core/base/amount.ts';
import type { Micros } from '../../../core/base/clock.ts';
import { amountField, nameField, parseList, parseWith, timeField } from './fields.ts';
import { printTimeShort } from './formats.ts';

/** An amount that may not be withdrawn for a time. Source: v3-gaps, section 6. */
export interface AmountLock {
  readonly id: number;
  readonly currency: string;
  readonly amount: Amount;
  readonly dateEnd: Micros;
  readonly description: string;
  readonly cancelled: boolean;
  readonly cancelledAt: Micros | undefined;
  readonly cancelDescription: string | undefined;
  readonly createdAt: Micros;
}

const members = z
  .object({
    id: z.int().nonnegative(),
    currency: nameField,
    amount: amountField,
    date_end: timeField,
    description: z.string().max(2_000).default(''),
    cancelled: z.boolean().default(false),
    cancelled_at: timeField.optional(),
    cancel_description: z.string().max(2_000).optional(),
    created_at: timeField,
  })
  .transform((row): AmountLock => ({
    id: row.id,
    currency: row.currency,
    amount: row.amount,
    dateEnd: row.date_end,
    description: row.description,
    cancelled: row.cancelled,
    cancelledAt: row.cancelled_at,
    cancelDescription: row.cancel_description,
    createdAt: row.created_at,
  }));

/** Reads the list of `GET wallet/amount-locks`. Throws `BadInput` naming the member. */
export function decodeAmountLocks(json: unknown): readonly AmountLock[] {
  return parseList(json, 'amount locks', (row) => parseWith(members, row, 'amount lock'));
}

/** A lock as `GET wallet/amount-locks` shows it. */
export function encodeAmountLock(lock: AmountLock): object {
  return {
    id: lock.id,
    currency: lock.currency,
    amount: formatAmount(lock.amount),
    date_end: printTimeShort(lock.dateEnd),
    description: lock.description,
    cancelled: lock.cancelled,
    cancelled_at: lock.cancelledAt && printTimeShort(lock.cancelledAt),
    cancel_description: lock.cancelDescription,
    created_at: printTimeShort(lock.createdAt),
  };
}
