import { z } from 'zod';

const code = z.string().regex(/^[A-Z0-9_]{2,20}$/, 'expected a code such as "BTC"');
const positiveText = z.string().regex(/^\d{1,30}(\.\d{1,18})?$/, 'expected a plain positive decimal');
const decimalText = z.string().regex(/^-?\d{1,30}(\.\d{1,18})?$/, 'expected a plain decimal such as "0.01"');

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
  status: z.enum(['working', 'suspended', 'clearing', 'expired']).default('working'),
});

export const futuresOptions = z.strictObject({
  contracts: z
    .array(contractOptions)
    .max(500)
    .optional()
    .describe(
      'perpetual contracts; BTCUSDT_PERP and ETHUSDT_PERP when missing and their underlying is traded',
    ),
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
  fundingRowsMax: z.int().min(10).max(100_000).default(2_000).describe('settlements kept per contract'),
});

export type ContractOptions = z.infer<typeof contractOptions>;
export type FuturesOptions = z.infer<typeof futuresOptions>;

/** The contracts listed when none are named. */
export function defaultContracts(): readonly ContractOptions[] {
  return [perpetual('BTC', '0.01', '0.0001'), perpetual('ETH', '0.01', '0.001')];
}

function perpetual(underlying: string, tickSize: string, quantityIncrement: string): ContractOptions {
  return contractOptions.parse({
    symbol: `${underlying}USDT_PERP`,
    underlying,
    quoteCurrency: 'USDT',
    tickSize,
    quantityIncrement,
  });
}
