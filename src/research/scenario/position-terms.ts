import { z } from 'zod';
import { withoutExponent } from '../../core/base/exponent.ts';
import { duration } from '../../core/config/time.ts';

const signed = z
  .string()
  .overwrite(withoutExponent)
  .regex(/^-?\d{1,20}(\.\d{1,18})?$/, 'expected a decimal as text, such as "0.0001" or "-0.0001"');
const everyMin = 60_000_000;

const every = duration.refine((micros) => micros >= everyMin, 'expected 1m or more');

/** Funding that open positions pay or receive at every multiple of a length of time since the epoch. */
export const fundingTerms = z.strictObject({
  rate: signed.describe('of the notional; above 0 a long position pays, below 0 a short one'),
  every,
});

export type FundingTerms = z.output<typeof fundingTerms>;

/** Rates of funding, each with its time. */
export const fundingFile = z.strictObject({
  file: z
    .string()
    .min(1)
    .max(4_096)
    .describe('a time and a rate a line, or fundingRate of a venue; relative to the scenario file'),
});

const atLeastOne = z
  .string()
  .overwrite(withoutExponent)
  .regex(/^[1-9]\d{0,3}(\.\d{1,8})?$/, 'expected a decimal of "1" or more as text, such as "10"');
const rateOfVolume = z
  .string()
  .overwrite(withoutExponent)
  .regex(/^0(\.\d{1,18})?$/, 'expected a fraction below "1" as text, such as "0.0001"');

/** Rules that margin accounts of an instrument are kept by, as at the exchange. */
export const marginTerms = z.strictObject({
  leverage: atLeastOne
    .optional()
    .describe('the greatest leverage of a position; that of the data, or 10, when left out'),
  call: atLeastOne
    .optional()
    .describe('by how much leverage may grow until a margin call; 1.5, of contracts 1.2, when left out'),
  liquidation: atLeastOne
    .default('2')
    .describe('by how much leverage may grow until positions are liquidated'),
  forceClose: rateOfVolume
    .optional()
    .describe('what a liquidation costs beyond the fee, of its volume; nothing when left out'),
  interest: z
    .strictObject({ rate: rateOfVolume, every })
    .optional()
    .describe(
      'of the volume a position was opened with, at every multiple of a length of time; nothing when left out',
    ),
});

const share = z
  .string()
  .overwrite(withoutExponent)
  .regex(/^(0(\.\d{1,18})?|1(\.0+)?)$/, 'expected a decimal from "0" to "1" as text');

/** When positions are closed by the venue: once equity is at or below a share of the margin that they lock. */
export const liquidationTerms = z.strictObject({ rate: share.describe('share of the locked margin') });
