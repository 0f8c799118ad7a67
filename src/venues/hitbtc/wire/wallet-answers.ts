import { z } from 'zod';
import type { Amount } from '../../../core/base/amount.ts';
import { formatAmount } from '../../../core/base/amount.ts';
import { BadInput } from '../../../core/base/errors.ts';
import type { DepositAddress } from './deposit-address.ts';
import { decodeV3Address } from './deposit-address.ts';
import { amountField, nameField, optionalAmountField, parseList, parseWith } from './fields.ts';

// Small answers of the wallet, of either version. Source: v3-gaps, section 6; API v2, "Account management".

const id = z.string().min(1).max(80);
const flag = z.object({ result: z.boolean() });
const made = z.object({ id });
const one = z.object({ result: id });
const many = z.object({ result: z.array(id).max(100) });
const fee = z.object({ fee: amountField });
const estimate = z.object({
  fee: amountField,
  network_fee: optionalAmountField,
  amount: amountField,
  currency: nameField,
});
const hash = z.object({ hash: z.string().min(1).max(200) });
const listed = z.object({
  address: z.string().min(1).max(500),
  currency: nameField,
  name: z.string().max(200).default(''),
  network: z.string().max(80),
});

/** `{result: Boolean}`: whether it is so, or was done. */
export function decodeFlag(json: unknown): boolean {
  return parseWith(flag, json, 'result').result;
}

/** `{id}`: what was made. */
export function decodeMadeId(json: unknown): string {
  return parseWith(made, json, 'id').id;
}

/** `{result: String}`: the id of a transaction. */
export function decodeResultId(json: unknown): string {
  return parseWith(one, json, 'result').result;
}

/** `{result: []String}`: ids of transactions. */
export function decodeResultIds(json: unknown): readonly string[] {
  return parseWith(many, json, 'result').result;
}

/** The id of a transfer: a list with one id, or `{id}`; live hosts send the former. Source: v3-gaps, section 6. */
export function decodeTransferId(json: unknown): string {
  if (!Array.isArray(json)) return decodeMadeId(json);
  if (json.length === 1 && typeof json[0] === 'string') return json[0];
  throw new BadInput('transfer: expected a list with one id');
}

/** `{fee}`: what a withdrawal would cost. */
export function decodeFee(json: unknown): Amount {
  return parseWith(fee, json, 'fee').fee;
}

/** The fee of one withdrawal among several. */
export interface FeeEstimate {
  readonly currency: string;
  readonly amount: Amount;
  readonly fee: Amount;
  /** The part of the fee that the network takes. */
  readonly networkFee: Amount | undefined;
}

export function decodeFeeEstimates(json: unknown): readonly FeeEstimate[] {
  return parseList(json, 'fee estimates', (row) => {
    const read = parseWith(estimate, row, 'fee estimate');
    return { currency: read.currency, amount: read.amount, fee: read.fee, networkFee: read.network_fee };
  });
}

export function encodeFeeEstimate(given: FeeEstimate): object {
  return {
    fee: formatAmount(given.fee),
    network_fee: given.networkFee === undefined ? undefined : formatAmount(given.networkFee),
    amount: formatAmount(given.amount),
    currency: given.currency,
  };
}

/** `{hash}`: changes when any withdrawal fee does. */
export function decodeFeesHash(json: unknown): string {
  return parseWith(hash, json, 'fees hash').hash;
}

export function decodeV3Addresses(json: unknown): readonly DepositAddress[] {
  return parseList(json, 'v3 addresses', decodeV3Address);
}

/** An address that withdrawals may go to without further questions. */
export interface WhiteListEntry {
  readonly address: string;
  readonly currency: string;
  readonly name: string;
  readonly network: string;
}

export function decodeWhiteList(json: unknown): readonly WhiteListEntry[] {
  return parseList(json, 'white list', (row) => parseWith(listed, row, 'white-listed address'));
}
