import { z } from 'zod';
import { code, positiveText } from '../base/options.ts';
import { withoutExponent } from '../../core/base/exponent.ts';
import type { Micros } from '../../core/base/clock.ts';
import { seconds } from '../../core/base/clock.ts';

const week = seconds(7 * 86_400);

const decimalText = z
  .string()
  .overwrite(withoutExponent)
  .regex(/^-?\d{1,30}(\.\d{1,18})?$/, 'expected a plain decimal such as "0.01"');

export const contractOptions = z.strictObject({
  symbol: code,
  underlying: code.describe('the currency whose price is followed'),
  quoteCurrency: code.describe('the currency of prices, margins and fees'),
  tickSize: positiveText,
  quantityIncrement: positiveText,
  takeRate: decimalText.default('0.0005'),
  makeRate: decimalText.default('0.0002'),
  maxInitialLeverage: positiveText.default('100.00'),
  interestRate: decimalText.default('0.0001').describe('part of the funding rate, per eight hours'),
  fundingRateMin: decimalText.optional().describe('floor of the funding rate, such as "-0.003"'),
  expiry: z.iso
    .datetime()
    .optional()
    .describe('when it is settled in cash, such as "2030-03-29T08:00:00Z"; a perpetual contract has none'),
  status: z.enum(['working', 'suspended', 'clearing', 'expired']).default('working'),
});

export const futuresOptions = z.strictObject({
  contracts: z
    .array(contractOptions)
    .max(500)
    .optional()
    .describe('contracts; when missing, and if their underlying is traded, BTCUSDT_PERP and ETHUSDT_PERP'),
  quarterly: z
    .boolean()
    .default(false)
    .describe('whether a contract of BTC that expires at the end of a quarter is listed beside those two'),
  sampleMs: z
    .int()
    .min(100)
    .max(60_000)
    .default(3_000)
    .describe('how often prices and rates of contracts are refreshed'),
  fundingMinutes: z
    .int()
    .min(1)
    .max(1_440)
    .optional()
    .describe('a funding period, settled at its full multiples; 480 when missing, and 1 in the demo'),
  clearingSeconds: z
    .int()
    .min(0)
    .max(86_400)
    .default(60)
    .describe('from the expiry of a contract, when trading ends, to the settlement of its positions'),
  fundingRowsMax: z.int().min(10).max(100_000).default(2_000).describe('settlements kept per contract'),
});

export type ContractOptions = z.infer<typeof contractOptions>;
export type FuturesOptions = z.infer<typeof futuresOptions>;

/**
 * The contracts listed when none are named: two perpetual ones, and on demand one of this or the next quarter. Some clients
 * read no contract that expires: they are not met by one that was not asked for.
 */
export function defaultContracts(
  now: Micros,
  { quarterly }: { readonly quarterly: boolean },
): readonly ContractOptions[] {
  const perpetual = [contract('BTCUSDT_PERP', 'BTC', '0.0001'), contract('ETHUSDT_PERP', 'ETH', '0.001')];
  if (!quarterly) return perpetual;
  const expiry = quarterEnd(now);
  return [
    ...perpetual,
    contract(`BTCUSDT_${expiry.slice(2, 10).replaceAll('-', '')}`, 'BTC', '0.0001', expiry),
  ];
}

function contract(
  symbol: string,
  underlying: string,
  quantityIncrement: string,
  expiry?: string,
): ContractOptions {
  const own = { symbol, underlying, quoteCurrency: 'USDT', tickSize: '0.01', quantityIncrement };
  return contractOptions.parse({ ...own, ...(expiry !== undefined && { expiry }) });
}

/** 08:00 UTC of the last Friday of a quarter, a week away at least: when other venues let contracts of a quarter expire. */
function quarterEnd(now: Micros): string {
  const least = new Date((now + week) / 1_000);
  for (let quarter = Math.floor(least.getUTCMonth() / 3); ; quarter++) {
    const last = new Date(Date.UTC(least.getUTCFullYear(), 3 * quarter + 3, 0, 8));
    last.setUTCDate(last.getUTCDate() - ((last.getUTCDay() + 2) % 7));
    if (last >= least) return last.toISOString();
  }
}
