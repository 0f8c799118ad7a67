/**
 * Why we refused an intent. One code per rule; every code has a row in `docs/errors.md`.
 * Our refusals are *denials*; the venue's are *rejections*.
 */
export const denialCodes = [
  // Identity and form.
  'ID_MALFORMED',
  'ID_REUSED',
  'SYMBOL_NOT_ALLOWED',
  'SYMBOL_NOT_WORKING',
  'ORDER_KIND_UNKNOWN',
  'QUANTITY_NOT_POSITIVE',
  'PRICE_MISSING',
  'PRICE_NOT_ALLOWED',
  'PRICE_NOT_POSITIVE',
  'STOP_PRICE_MISSING',
  'STOP_PRICE_NOT_ALLOWED',
  'EXPIRE_TIME_MISSING',
  'EXPIRE_TIME_NOT_ALLOWED',
  'EXPIRE_TIME_PAST',
  'TIME_IN_FORCE_NOT_ALLOWED',
  'POST_ONLY_NOT_ALLOWED',
  'OFF_GRID',
  // Limits and controls.
  'QUANTITY_MAX',
  'NOTIONAL_MAX',
  'NOTIONAL_MIN',
  'PRICE_COLLAR',
  'REFERENCE_PRICE_MISSING',
  'MARKET_ORDERS_OFF',
  'MARKET_SPREAD_MAX',
  'FUNDS',
  'OPEN_ORDERS_STRATEGY',
  'OPEN_ORDERS_SYMBOL',
  'OPEN_ORDERS_ACCOUNT',
  'POSITION_MAX',
  'EXPOSURE_MAX',
  'MESSAGE_THROTTLE',
  'EXECUTION_THROTTLE',
  'DUPLICATE_ORDER',
  'SELF_TRADE',
  'INPUT_STALE',
  // Margin and futures.
  'PRODUCT_NOT_OFFERED',
  'PRODUCT_NOT_DECLARED',
  'PRODUCT_SYMBOL',
  'MARGIN_MODE_UNKNOWN',
  'CLOSE_POSITION',
  'MARGIN_ACCOUNT_MISSING',
  'MARGIN_FUNDS',
  'MARGIN_CALL',
  'REDUCE_ONLY',
  'LEVERAGE_MAX',
  'LIQUIDATION_DISTANCE',
  'MARGIN_CHANGE_FORM',
  'MARGIN_CHANGE_UNDER_WAY',
  'MARGIN_UNCHANGED',
  'LEVERAGE_RANGE',
  'LEVERAGE_FIXED',
  'PRODUCT_HALTED',
  // Orders that are placed as one.
  'LIST_NOT_OFFERED',
  'LIST_CONTINGENCY',
  'LIST_COUNT',
  'LIST_ID_NOT_FIRST',
  'LIST_IDS_NOT_DISTINCT',
  'LIST_SYMBOLS_NOT_DISTINCT',
  'LIST_SYMBOLS_NOT_EQUAL',
  'LIST_PRODUCTS',
  'LIST_TYPE',
  'LIST_TIME_IN_FORCE',
  'LIST_NOT_FOK',
  'LIST_ORDER_DENIED',
  // State.
  'MODE_REDUCING',
  'MODE_HALTED',
  'LOSS_LIMIT',
  'PAUSED',
  'NOT_RECONCILED',
  'UNANSWERED_ORDERS',
  'POSITION_IN_DOUBT',
  'STRATEGY_STOPPED',
  'SESSION_DOWN',
  'ORDER_NOT_FOUND',
  'ORDER_NOT_OWN',
  'ORDER_NOT_LIVE',
  'CANCEL_UNDER_WAY',
  'REPLACE_UNDER_WAY',
  'REPLACE_NOT_OFFERED',
  // The gate.
  'CANCELED_UNSENT',
  'BUDGET_DEADLINE',
  'GATE_OVERFLOW',
  'COMPARATOR',
  'JOURNAL_FAILED',
] as const;

export type DenialCode = (typeof denialCodes)[number];

/** A refusal of ours: the rule's code and one sentence with what was expected and what was found. */
export interface Denial {
  readonly code: DenialCode;
  readonly why: string;
}
