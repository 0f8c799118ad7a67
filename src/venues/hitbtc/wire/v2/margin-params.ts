import { z } from 'zod';
import type { MarginAccountParams, MarginOrderParams } from '../v3/margin-params.ts';
import { booleanParam, codeParam, decimalParam } from '../param-fields.ts';
import { toOrderParams, v2ClientOrderId, v2OrderMembers } from './order-params.ts';

// Margin of v2 is isolated only. Source: v2-gaps, sections 2 and 6.1.

const members = v2OrderMembers.extend({ closePosition: booleanParam.default(false) });

/** A new margin order over REST. */
export const v2MarginOrderParams = members
  .extend({ clientOrderId: v2ClientOrderId.optional() })
  .transform(isolated);
/** One whose id is required: over the socket, and in the path of PUT. */
export const v2MarginPutOrderParams = members.extend({ clientOrderId: v2ClientOrderId }).transform(isolated);

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

function isolated(
  given: z.output<typeof members> & { readonly clientOrderId?: string | undefined },
): MarginOrderParams {
  return {
    ...toOrderParams(given),
    marginMode: 'isolated',
    reduceOnly: false,
    closePosition: given.closePosition,
    marginAuto: false,
  };
}
