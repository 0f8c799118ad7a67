import { z } from 'zod';
import type { MarginAccountParams } from '../v3/margin-params.ts';
import { booleanParam, codeParam, decimalParam } from '../param-fields.ts';

// Margin of v2 is isolated only. Source: v2-gaps, sections 2 and 6.1.

export const v2MarginAccountParams = z
  .object({
    symbol: codeParam,
    marginBalance: decimalParam,
    strictValidate: booleanParam.default(false),
  })
  .transform((given): MarginAccountParams => ({
    marginMode: 'isolated',
    instrument: given.symbol,
    marginBalance: given.marginBalance,
    leverage: undefined,
    strictValidate: given.strictValidate,
  }));

export const v2ClosePositionParams = z.object({
  symbol: codeParam,
  price: decimalParam.optional(),
  strictValidate: booleanParam.default(false),
});
