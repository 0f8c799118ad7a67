import type { RefusalCode } from './outcome.ts';

/** The numbers with which a venue refuses. Source: v3-gaps, section 9. An exceeded order limit has no documented number. */
export const refusalNumbers: Readonly<Record<RefusalCode, number>> = {
  INSUFFICIENT_FUNDS: 20_001,
  POSITION_LIMIT: 20_001,
  ORDER_NOT_FOUND: 20_002,
  DUPLICATE_CLIENT_ORDER_ID: 20_008,
  NOT_CHANGED: 20_009,
  SYMBOL_NOT_WORKING: 20_010,
  FAT_FINGER: 20_045,
  TIME_IN_FORCE_INVALID: 20_048,
  ORDER_TYPE_INVALID: 20_049,
  BAD_QUANTITY: 2_012,
  BAD_PRICE: 2_022,
  EXPIRE_TIME_INVALID: 10_001,
  LIST_INVALID: 10_001,
  LIST_BOUND: 600,
  ORDER_LIMIT: 600,
  MARGIN_NOT_FOUND: 20_032,
  MARGIN_NOT_CHANGED: 20_033,
  CLOSE_ONLY: 20_034,
  MARGIN_FORBIDDEN: 20_040,
  AMR_WITHOUT_ACCOUNT: 10_025,
};
