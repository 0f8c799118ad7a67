import { z } from 'zod';
import { buyOrderStatuses } from './buy-crypto.ts';
import { amountField, idField, nameField, timeField } from './fields.ts';

// Members of the buy-crypto resources as the third version spells them; the second writes the same in camel case, but
// for a few. Source: API v3, "Buy-crypto"; API v2, "Buy-crypto".

export const textMember = z.string().max(2_000);
const optionalCode = nameField.nullish().transform((code) => code ?? undefined);

export const buyCurrencyShape = {
  code: nameField,
  display_name: textMember,
  network_code: optionalCode,
};

export const buyLimitShape = {
  currency_code: nameField,
  target_code: nameField,
  source_min: amountField,
  source_max: amountField,
  network_code: optionalCode,
};

export const buyMethodShape = {
  id: idField,
  name: textMember,
  description: textMember.default(''),
  status: textMember,
  type: textMember,
};

export const buyPriceShape = {
  payment_method_id: idField,
  type: textMember,
  target_code: nameField,
  source_code: nameField,
  target_amount: amountField,
  source_amount: amountField,
};

export const buyOrderShape = {
  id: idField,
  provider_id: idField,
  order_type: z.literal('buy'),
  source_code: nameField,
  target_code: nameField,
  wallet_address: z.string().max(300),
  status: z.enum(buyOrderStatuses),
  created_at: timeField,
};
