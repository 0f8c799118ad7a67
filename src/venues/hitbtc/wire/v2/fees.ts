import { z } from 'zod';
import { formatAmount } from '../../../../core/base/amount.ts';
import { amountField, nameField, parseWith } from '../fields.ts';
import type { FeeRate } from '../market-rows.ts';

const rates = z.object({ takeLiquidityRate: amountField, provideLiquidityRate: amountField });
const rows = z.array(rates.extend({ symbol: nameField }));

/** Fee rates of every symbol. Source: v2-gaps, section 1 (trading/fee/all). */
export function decodeV2Fees(json: unknown): readonly FeeRate[] {
  return parseWith(rows, json, 'v2 fees').map(({ symbol, takeLiquidityRate, provideLiquidityRate }) => ({
    symbol,
    takeRate: takeLiquidityRate,
    makeRate: provideLiquidityRate,
  }));
}

/** Fee rates of one symbol; the answer does not repeat which. Source: v2-gaps, section 1. */
export function decodeV2Fee(json: unknown, symbol: string): FeeRate {
  const row = parseWith(rates, json, `v2 fee of ${symbol.slice(0, 40)}`);
  return { symbol, takeRate: row.takeLiquidityRate, makeRate: row.provideLiquidityRate };
}

/** `{takeLiquidityRate,provideLiquidityRate}`, the answer of one symbol. */
export function encodeV2Fee(fee: FeeRate): object {
  return {
    takeLiquidityRate: formatAmount(fee.takeRate),
    provideLiquidityRate: formatAmount(fee.makeRate),
  };
}

/** A row of the list: the same with its symbol. */
export function encodeV2FeeRow(fee: FeeRate): object {
  return { symbol: fee.symbol, ...encodeV2Fee(fee) };
}
