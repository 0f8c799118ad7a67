import { z } from 'zod';
import { formatAmount } from '../../../../core/base/amount.ts';
import { amountField, nameField, parseWith } from '../fields.ts';
import type { FeeRate } from '../market-rows.ts';

const members = z.object({ symbol: nameField, take_rate: amountField, make_rate: amountField });

/** Fee rates of every symbol. Source: API v3, "Fee rate". */
export function decodeV3Fees(json: unknown): readonly FeeRate[] {
  return parseWith(z.array(members), json, 'v3 fees').map(rateOf);
}

/** Fee rates of one symbol. */
export function decodeV3Fee(json: unknown): FeeRate {
  return rateOf(parseWith(members, json, 'v3 fee'));
}

export function encodeV3Fee(fee: FeeRate): object {
  return {
    symbol: fee.symbol,
    take_rate: formatAmount(fee.takeRate),
    make_rate: formatAmount(fee.makeRate),
  };
}

function rateOf(row: z.output<typeof members>): FeeRate {
  return { symbol: row.symbol, takeRate: row.take_rate, makeRate: row.make_rate };
}
