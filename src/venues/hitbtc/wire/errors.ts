/** An error as both versions put it on the wire. Source: API v3, "Errors"; API v2, "Errors". */
export interface WireError {
  readonly code: number;
  readonly message: string;
  readonly description: string | undefined;
}

/** A row of the error tables. */
export interface ErrorRow {
  readonly code: number;
  /** HTTP status; `socket` when the code is known from sockets only. */
  readonly http: number | 'socket';
  /** Empty where no source gives a text. */
  readonly message: string;
  readonly description: string | undefined;
}

// Source of every row: v3-gaps, section 9, with API v3, "Errors", and API v2, "Errors", where they speak.
const rows: readonly (readonly [number, number | 'socket', string, string?])[] = [
  [1, 'socket', 'Invalid json', 'JSON request is corrupted.'],
  [403, 401, 'Action is forbidden for account'],
  [404, 'socket', 'Unsupported API method'],
  [429, 429, 'Too many requests'],
  [500, 500, 'Internal Server Error'],
  [503, 503, 'Service Unavailable'],
  [504, 504, 'Gateway Timeout', 'The result is unknown, check it later'],
  [600, 400, 'Action not allowed'],
  [800, 400, ''],
  [1001, 401, 'Authorization required'],
  [1002, 401, 'Authorization is required or has been failed'],
  [1003, 403, 'Action is forbidden for this API key', 'Check that the key has the access right'],
  [1004, 401, 'Unsupported authorization method'],
  [1005, 401, ''],
  [2001, 400, 'Symbol not found', 'Try get /public/symbol, to get list of all available symbols.'],
  [2002, 400, 'Currency not found'],
  [2003, 'socket', 'Unknown channel'],
  [2010, 400, 'Quantity not a valid number', 'Quantity not a valid number or not set'],
  [2011, 400, 'Quantity too low'],
  [2012, 400, 'Bad quantity'],
  [2020, 400, 'Price not a valid number', 'Price not a valid number or not set'],
  [2021, 400, 'Price too low'],
  [2022, 400, 'Bad price'],
  [2024, 400, 'Invalid margin mode'],
  [10001, 400, 'Validation error'],
  [10021, 400, 'User disabled'],
  [10022, 400, ''],
  [10025, 400, ''],
  [20001, 400, 'Insufficient funds', 'Check that the funds are sufficient, given commissions'],
  [20002, 400, 'Order not found', ''],
  [20003, 400, 'Limit exceeded'],
  [20004, 400, 'Transaction not found'],
  [20005, 400, 'Payout not found'],
  [20006, 400, 'Payout already committed'],
  [20007, 400, 'Payout already rolled back'],
  [20008, 400, 'Duplicate clientOrderId', 'ClientOrderId must be unique during trading session'],
  [20009, 400, 'Price and quantity not changed'],
  [20010, 400, 'Exchange temporary closed', 'Exchange market for this symbol is temporary closed'],
  [20011, 400, 'Payout address is invalid'],
  [20012, 400, ''],
  [20014, 400, 'Offchain for this payout is unavailable'],
  [20016, 400, ''],
  [20018, 400, 'Withdrawals are unavailable due to the current configuration'],
  [20031, 400, ''],
  [20032, 400, 'Margin account or position not found'],
  [20033, 400, 'Position not changed'],
  [20034, 400, 'Position in close only state'],
  [20040, 400, 'Margin trading forbidden'],
  [20041, 400, ''],
  [20042, 400, ''],
  [20043, 400, ''],
  [20044, 400, ''],
  [20045, 400, 'Fat finger limit exceeded'],
  [20047, 400, 'Order placing exceeds the central counterparty balance limit'],
  [20048, 400, 'Time-in-force invalid, or not allowed for the order type'],
  [20049, 400, 'Invalid order type'],
  [20080, 400, 'Internal order execution deadline exceeded', 'The order was not placed'],
  [21001, 400, 'Subaccount not found'],
  [21003, 400, 'Sub account is already frozen or disabled'],
  [21004, 400, 'Sub account is already frozen or disabled'],
  [22004, 400, 'User not found'],
  [22008, 400, 'Gateway timeout exceeded'],
];

/** Every error code of both documents and of the market data files, ascending. */
export const errorTable: readonly ErrorRow[] = rows.map(([code, http, message, description]) => ({
  code,
  http,
  message,
  description,
}));

const byCode: ReadonlyMap<number, ErrorRow> = new Map(errorTable.map((row) => [row.code, row]));

/** The row of a code, or `undefined` when no source knows it. */
export function findError(code: number): ErrorRow | undefined {
  return byCode.get(code);
}

/** The HTTP status of a code: 400 for those known from sockets only and for codes no source knows. */
export function httpStatusOf(code: number): number {
  const http = byCode.get(code)?.http;
  if (code === 404) return 404;
  return typeof http === 'number' ? http : 400;
}

/** The error of a code with the texts of the table, or those given instead. */
export function wireError(
  code: number,
  texts: { readonly message?: string; readonly description?: string } = {},
): WireError {
  const row = byCode.get(code);
  return {
    code,
    message: texts.message ?? (row?.message || 'Error'),
    description: texts.description ?? row?.description,
  };
}
