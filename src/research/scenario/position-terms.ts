import { z } from 'zod';
import { duration } from './time.ts';

const signed = z
  .string()
  .regex(/^-?\d{1,20}(\.\d{1,18})?$/, 'expected a decimal as text, such as "0.0001" or "-0.0001"');
const everyMin = 60_000_000;

/** What open positions pay or receive at every multiple of a length of time since the epoch. */
export const fundingTerms = z.strictObject({
  rate: signed.describe('of the notional; above 0 a long position pays, below 0 a short one'),
  every: duration.refine((micros) => micros >= everyMin, 'expected 1m or more'),
});

export type FundingTerms = z.output<typeof fundingTerms>;

const share = z.string().regex(/^(0(\.\d{1,18})?|1(\.0+)?)$/, 'expected a decimal from "0" to "1" as text');

/** When positions are closed by the venue: once equity is at or below a share of the margin that they lock. */
export const liquidationTerms = z.strictObject({ rate: share.describe('share of the locked margin') });
