import { z } from 'zod';
import type { Amount } from '../../../core/base/amount.ts';
import { amountDecimals, parseAmount } from '../../../core/base/amount.ts';
import { decimalParam } from './param-fields.ts';

const shape = new RegExp(`^\\d{1,30}(?:\\.\\d{1,${amountDecimals}})?$`);

/** An exact amount above zero, as text or JSON number. Source: API v3, "Endpoints" (numbers are decimal strings). */
export const amountParam = decimalParam.transform((text, context): Amount => {
  if (!shape.test(text)) {
    context.addIssue({ code: 'custom', message: `Can't parse value from string: ${text.slice(0, 40)}` });
    return z.NEVER;
  }
  const amount = parseAmount(text);
  if (amount > 0n) return amount;
  context.addIssue({ code: 'custom', message: 'Parameter must be above zero' });
  return z.NEVER;
});
