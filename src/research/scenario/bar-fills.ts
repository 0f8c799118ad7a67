import { z } from 'zod';
import { withoutExponent } from '../../core/base/exponent.ts';
import { parseAmount } from '../../core/base/amount.ts';
import type { BarRules } from '../../sim/fill-models/bars/rules.ts';
import { barMarketRules, barPaths } from '../../sim/fill-models/bars/rules.ts';
import { fundingTerms, liquidationTerms } from './position-terms.ts';

const decimal = z
  .string()
  .overwrite(withoutExponent)
  .regex(/^\d{1,20}(\.\d{1,18})?$/, 'expected a decimal not below 0 as text, such as "0.001"');
const share = z
  .string()
  .regex(
    /^0{1,20}(\.\d{1,18})?$/,
    'expected a rate of 0 or more, below 1, as text, such as "0.001" for 0.1 %',
  );
const positive = z
  .string()
  .overwrite(withoutExponent)
  .regex(/^(?!0+(\.0+)?$)\d{1,20}(\.\d{1,18})?$/, 'expected a decimal above 0 as text');

const spotAccount = z.strictObject({ kind: z.literal('spot') });
const marginAccount = z.strictObject({
  kind: z.literal('margin'),
  perLot: positive
    .optional()
    .describe('margin locked per open lot; without it: entry notional times rate over leverage'),
  rate: decimal.default('1').describe('share of the notional that is asked for before leverage'),
  leverage: positive.default('1'),
  lotsMax: z.int().min(1).max(1_000_000_000).default(1_000_000_000).describe('largest position either way'),
  liquidation: liquidationTerms
    .optional()
    .describe('positions are closed when equity is at or below a share of the locked margin'),
  funding: fundingTerms
    .optional()
    .describe('what open positions pay or receive at every multiple of a length of time since the epoch'),
});

/** Bars (or trades) alone, and a stated rule for what executes when. See docs/bars.md. */
const bars = z.strictObject({
  model: z.literal('bars'),
  market: z
    .enum(barMarketRules)
    .default('nextOpen')
    .describe(
      'market orders on a closed bar fill at the next open, which they have not seen; at the open they were told; at its own close',
    ),
  missing: z
    .enum(['leave', 'flat'])
    .default('leave')
    .describe('periods without a bar are left out, or come as flat candles that are marked'),
  path: z
    .enum(barPaths)
    .default('nearest')
    .describe(
      'which extreme of a bar comes first: the one nearer to the open, the high, the low, what hurts most',
    ),
  limits: z
    .enum(['reach', 'through'])
    .default('reach')
    .describe('limit orders fill when the price reaches theirs, or only when it goes beyond'),
  points: z.boolean().default(false).describe('whether the four points of a path are published as tickers'),
  quotes: z
    .enum(['each', 'first'])
    .default('each')
    .describe('first: only the first price comes with a quote; faster, and controls know no later price'),
  slippage: z
    .strictObject({ rate: share.default('0'), on: z.enum(['all', 'entries']).default('all') })
    .prefault({})
    .describe('share of the price by which market and stop orders fill worse, to the next tick'),
  fees: z
    .strictObject({
      rate: share.optional().describe("of the notional; the instrument's own rates when left out"),
      fixed: decimal.default('0').describe('per execution'),
      perLot: decimal.default('0').describe('per lot, the smallest step of a quantity'),
    })
    .prefault({}),
  account: z.discriminatedUnion('kind', [spotAccount, marginAccount]).prefault({ kind: 'spot' }),
});

/** Fill models for scenarios that are driven by bars or by trades alone: members of the union `fills`, by `model`. */
export const barFills = [bars] as const;

export type BarFills = z.output<typeof bars>;
/** Fills on bars as the bar venue takes them. */
export function barRulesOf(fills: BarFills): BarRules {
  const { market, missing, path, limits, points, quotes, slippage, fees, account } = fills;
  return {
    market,
    missing,
    path,
    limits,
    points,
    quotes,
    slippage: parseAmount(slippage.rate),
    slippageOn: slippage.on,
    fees: {
      rate: fees.rate === undefined ? undefined : parseAmount(fees.rate),
      fixed: parseAmount(fees.fixed),
      perLot: parseAmount(fees.perLot),
    },
    account: account.kind === 'spot' ? account : marginRulesOf(account),
  };
}

function marginRulesOf(account: z.output<typeof marginAccount>): BarRules['account'] {
  const { perLot, rate, leverage, lotsMax, liquidation, funding } = account;
  return {
    kind: 'margin',
    perLot: perLot === undefined ? undefined : parseAmount(perLot),
    rate: parseAmount(rate),
    leverage: parseAmount(leverage),
    lotsMax,
    liquidation: liquidation === undefined ? undefined : { rate: parseAmount(liquidation.rate) },
    funding: funding === undefined ? undefined : { rate: parseAmount(funding.rate), every: funding.every },
  };
}
