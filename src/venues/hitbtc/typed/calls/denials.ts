/**
 * Why this client did not send a call, one code per rule of the documents. Source: API v3, "POST /api/3/spot/order"
 * and "POST /api/3/spot/order/list"; docs/errors.md, "The typed client".
 */
export const denialReasons = [
  'PARAMETER_INVALID',
  'CREDENTIALS_MISSING',
  'LIST_CONTINGENCY',
  'LIST_COUNT',
  'LIST_ID_NOT_FIRST',
  'LIST_IDS_NOT_DISTINCT',
  'LIST_SYMBOLS_NOT_DISTINCT',
  'LIST_SYMBOLS_NOT_EQUAL',
  'LIST_TYPE',
  'LIST_TIME_IN_FORCE',
  'LIST_NOT_FOK',
  'ORDER_PRICE_MISSING',
  'ORDER_STOP_PRICE_MISSING',
  'ORDER_EXPIRE_TIME_MISSING',
  'ORDER_TIME_IN_FORCE',
  'ORDER_QUANTITY',
] as const;
export type DenialReason = (typeof denialReasons)[number];
