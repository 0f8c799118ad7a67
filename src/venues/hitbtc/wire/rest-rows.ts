import { amountField, timeField } from './fields.ts';

/** The members of a candle that are spelled alike. */
export const candleShape = {
  timestamp: timeField,
  open: amountField,
  close: amountField,
  min: amountField,
  max: amountField,
  volume: amountField,
};
