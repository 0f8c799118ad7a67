import { z } from 'zod';
import { codeShape, positiveText } from '../base/options.ts';
import { withoutExponent } from '../../core/base/exponent.ts';

const fractionText = z
  .string()
  .overwrite(withoutExponent)
  .regex(/^0(\.\d{1,18})?$/, 'expected a fraction such as "0.05"');
const code = z.string().regex(codeShape, 'expected a code such as "BTCUSDT"');

const ruleMembers = {
  callMultiplier: positiveText.describe('by how much leverage may grow until a margin call is sent'),
  liquidationMultiplier: positiveText.describe(
    'by how much leverage may grow until positions are liquidated',
  ),
  forceCloseFee: fractionText.describe(
    'what a liquidation costs beyond the fee, as a fraction of its volume',
  ),
  limitBase: positiveText.describe('the greatest volume of a position at the greatest leverage'),
  limitPower: positiveText.describe('how fast that limit grows as leverage falls'),
  unlimitedThreshold: positiveText.describe('up to this leverage positions have no limit'),
};

/** Demands of margin on symbols, or on contracts. Defaults are those of live hosts: v3-gaps, section 8 ("Shapes"). */
const spotRule = z.strictObject({
  callMultiplier: ruleMembers.callMultiplier.default('1.5'),
  liquidationMultiplier: ruleMembers.liquidationMultiplier.default('2'),
  forceCloseFee: ruleMembers.forceCloseFee.default('0.05'),
  limitBase: ruleMembers.limitBase.default('50000.00'),
  limitPower: ruleMembers.limitPower.default('2.2'),
  unlimitedThreshold: ruleMembers.unlimitedThreshold.default('10.0'),
});
const futuresRule = spotRule.extend({
  callMultiplier: ruleMembers.callMultiplier.default('1.2'),
  forceCloseFee: ruleMembers.forceCloseFee.default('0.001'),
});

export const marginOptions = z.strictObject({
  spot: spotRule.default(() => spotRule.parse({})).describe('rules of symbols with marginTrading'),
  futures: futuresRule.default(() => futuresRule.parse({})).describe('rules of contracts'),
  symbols: z
    .record(code, z.strictObject(ruleMembers).partial())
    .default({})
    .describe('rules of single symbols or contracts, where they differ'),
  interestRate: fractionText
    .default('0.00002')
    .describe('interest on the volume a position was opened with, per interestMinutes; symbols only'),
  interestMinutes: z.int().min(1).max(1_440).default(60).describe('interest is taken at every full multiple'),
});

export type MarginOptions = z.infer<typeof marginOptions>;
export type MarginRuleOptions = z.infer<typeof spotRule>;
