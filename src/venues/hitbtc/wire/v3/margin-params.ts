import { z } from 'zod';
import { ignoringOthers, pagedParams } from '../paged-params.ts';
import { booleanParam, codeParam, decimalParam, idParam, listParam, textParam } from '../param-fields.ts';

// Parameters of margin and futures trading. A margin mode is judged where it is used: error 2024, not 10001.

const mode = textParam.transform((text) => text.toLowerCase());

/** PUT of an account: `margin_balance` 0 closes it; futures choose their leverage. */
export const marginAccountParams = z
  .object({
    margin_mode: mode,
    instrument: codeParam,
    margin_balance: decimalParam,
    leverage: decimalParam.optional(),
    strict_validate: booleanParam.default(false),
  })
  .transform(accountOf);

/** The same over sockets, where a symbol (isolated) or a currency (cross) is named. */
export const marginSetAccountParams = z
  .object({
    margin_mode: mode.default('isolated'),
    symbol: codeParam.optional(),
    currency: codeParam.optional(),
    margin_balance: decimalParam,
    leverage: decimalParam.optional(),
    strict_validate: booleanParam.default(false),
  })
  .transform((given) => accountOf({ ...given, instrument: given.symbol ?? given.currency ?? '' }));

/** What a margin account is to become. */
export interface MarginAccountParams {
  readonly marginMode: string;
  readonly instrument: string;
  readonly marginBalance: string;
  readonly leverage: string | undefined;
  readonly strictValidate: boolean;
}

function accountOf(given: {
  readonly margin_mode: string;
  readonly instrument: string;
  readonly margin_balance: string;
  readonly leverage?: string | undefined;
  readonly strict_validate: boolean;
}): MarginAccountParams {
  return {
    marginMode: given.margin_mode,
    instrument: given.instrument,
    marginBalance: given.margin_balance,
    leverage: given.leverage,
    strictValidate: given.strict_validate,
  };
}

/** Closing of one position: at market, or at `price`. */
export const closePositionParams = z
  .object({
    margin_mode: mode.default('isolated'),
    symbol: codeParam,
    price: decimalParam.optional(),
    strict_validate: booleanParam.default(false),
  })
  .transform((given) => ({
    marginMode: given.margin_mode,
    symbol: given.symbol,
    price: given.price,
    strictValidate: given.strict_validate,
  }));

/** Source: API v3, "PUT /api/3/futures/margin-settings/amr". */
export const amrParams = z
  .object({
    margin_mode: mode,
    symbol: codeParam.optional(),
    currency: codeParam.optional(),
    amr: booleanParam,
  })
  .transform((given) => ({
    marginMode: given.margin_mode,
    symbol: given.symbol,
    currency: given.currency,
    amr: given.amr,
  }));

/** As `amrParams`, for automatic margin management. Source: v3-gaps, section 8 (path); members: docs/assumptions.md. */
export const ammParams = z
  .object({
    margin_mode: mode,
    symbol: codeParam.optional(),
    currency: codeParam.optional(),
    amm: booleanParam,
  })
  .transform((given) => ({
    marginMode: given.margin_mode,
    symbol: given.symbol,
    currency: given.currency,
    amm: given.amm,
  }));

/** The leverage of a contract's isolated account. Source: v3-gaps, section 2.5. */
export const leverageParams = z.object({ symbol: codeParam, leverage: decimalParam });

const page = { sort: 'DESC', by: 'id', limit: 100, limitMin: 1 } as const;

/** Histories of margin and futures: as those of spot. Source: v3-gaps, section 8. */
export const marginOrderHistoryParams = ignoringOthers(
  'client_order_id',
  pagedParams({ client_order_id: textParam.optional(), symbol: listParam.optional() }, page),
);
export const marginTradeHistoryParams = pagedParams(
  { order_id: idParam.optional(), position_id: idParam.optional(), symbol: listParam.optional() },
  page,
);
export const positionHistoryParams = pagedParams({ symbol: listParam.optional() }, page);
