import { z } from 'zod';
import type { Amount } from '../../../core/base/amount.ts';
import { formatAmount } from '../../../core/base/amount.ts';
import type { Micros } from '../../../core/base/clock.ts';
import { amountField, nameField, parseList, parseWith, timeField } from './fields.ts';
import { printTimeShort } from './formats.ts';

/** A gift that can be claimed once. The shape is ours: sources know the paths only (v3-gaps, sections 6 and 14). */
export interface Airdrop {
  readonly id: number;
  readonly currency: string;
  readonly amount: Amount;
  readonly description: string;
  readonly status: 'available' | 'claimed';
  readonly createdAt: Micros;
  readonly claimedAt: Micros | undefined;
  /** The transaction that paid it out. */
  readonly txId: string | undefined;
}

const members = z
  .object({
    id: z.int().nonnegative(),
    currency: nameField,
    amount: amountField,
    description: z.string().max(2_000).default(''),
    status: z.enum(['available', 'claimed']),
    created_at: timeField,
    claimed_at: timeField.optional(),
    tx_id: z.string().max(80).optional(),
  })
  .transform((row): Airdrop => ({
    id: row.id,
    currency: row.currency,
    amount: row.amount,
    description: row.description,
    status: row.status,
    createdAt: row.created_at,
    claimedAt: row.claimed_at,
    txId: row.tx_id,
  }));

/** Reads one airdrop. Throws `BadInput` naming the member. */
export function decodeAirdrop(json: unknown): Airdrop {
  return parseWith(members, json, 'airdrop');
}

export function decodeAirdrops(json: unknown): readonly Airdrop[] {
  return parseList(json, 'airdrops', decodeAirdrop);
}

export function encodeAirdrop(airdrop: Airdrop): object {
  return {
    id: airdrop.id,
    currency: airdrop.currency,
    amount: formatAmount(airdrop.amount),
    description: airdrop.description,
    status: airdrop.status,
    created_at: printTimeShort(airdrop.createdAt),
    claimed_at: airdrop.claimedAt && printTimeShort(airdrop.claimedAt),
    tx_id: airdrop.txId,
  };
}
