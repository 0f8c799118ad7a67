import type { Amount } from '../../../../core/base/amount.ts';
import { formatAmount, zero } from '../../../../core/base/amount.ts';
import type { Instruments } from '../../../../core/model/instrument.ts';
import type { MarginChange } from '../../../../core/model/margin.ts';
import { ignoringOthers, pagedParams } from '../paged-params.ts';
import {
  booleanParam,
  codeParam,
  decimalParam,
  idParam,
  listParam,
  modeWord,
  textParam,
} from '../param-fields.ts';
import { param, paramsOf } from '../request.ts';
import type { RowOf } from '../resource.ts';
import { resource } from '../resource.ts';

// What a client asks of margin and futures besides orders. A margin mode is judged where it is used: error 2024, not
// 10001. Margin of v2 is isolated only. Source: API v3, "Margin"; v2-gaps, sections 2 and 6.1.

const modeText = modeWord.transform((text) => text.toLowerCase());
const mode = { v3: 'margin_mode', kind: param(modeText) } as const;
const modeOrIsolated = { v3: 'margin_mode', kind: param(modeText.default('isolated')) } as const;
const symbol = { v3: 'symbol', v2: 'symbol', kind: param(codeParam) } as const;
const optionalSymbol = { v3: 'symbol', kind: param(codeParam.optional()) } as const;
const optionalCurrency = { v3: 'currency', kind: param(codeParam.optional()) } as const;
const strictValidate = {
  v3: 'strict_validate',
  v2: 'strictValidate',
  kind: param(booleanParam.default(false)),
} as const;
const account = {
  marginBalance: { v3: 'margin_balance', v2: 'marginBalance', kind: param(decimalParam) },
  leverage: { v3: 'leverage', kind: param(decimalParam.optional()) },
  strictValidate,
} as const;

/** PUT of an account: `margin_balance` 0 closes it; futures choose their leverage. */
const marginAccountRequest = resource('margin account', {
  marginMode: mode,
  instrument: { v3: 'instrument', v2: 'symbol', kind: param(codeParam) },
  ...account,
});
/** Terms that a margin account is to get. */
export type MarginAccountParams = RowOf<typeof marginAccountRequest.fields, 'v3'>;
export const v3MarginAccountParams = paramsOf(marginAccountRequest, 'v3');
export const v2MarginAccountParams = paramsOf(marginAccountRequest, 'v2').transform(
  (given): MarginAccountParams => ({ ...given, marginMode: 'isolated' }),
);
/** The same over sockets, where a symbol (isolated) or a currency (cross) is named. */
export const v3MarginSetAccountParams = paramsOf(
  resource('margin account', {
    marginMode: modeOrIsolated,
    symbol: optionalSymbol,
    currency: optionalCurrency,
    ...account,
  }),
  'v3',
).transform(({ symbol: named, currency, ...given }): MarginAccountParams => ({
  ...given,
  instrument: named ?? currency ?? '',
}));

/** Encodes the terms that a client asks for an account. `leverage` is that of an isolated account of contracts, which needs one. */
export function encodeMarginChange(
  { mode: marginMode, instrument, currency, balance = zero }: MarginChange,
  instruments: Instruments,
  leverage: Amount | undefined,
): Record<string, unknown> {
  return marginAccountRequest.v3.write({
    marginMode,
    instrument: instrument === undefined ? currency : instruments.at(instrument).symbol,
    marginBalance: formatAmount(balance),
    leverage: leverage === undefined ? undefined : formatAmount(leverage),
    strictValidate: true,
  });
}

/** Closing of one position: at market, or at `price`. */
const closing = resource('closing', {
  marginMode: modeOrIsolated,
  symbol,
  price: { v3: 'price', v2: 'price', kind: param(decimalParam.optional()) },
  strictValidate,
});
export const v3ClosePositionParams = paramsOf(closing, 'v3');
export const v2ClosePositionParams = paramsOf(closing, 'v2');

const target = { marginMode: mode, symbol: optionalSymbol, currency: optionalCurrency } as const;
const flag = param(booleanParam);
/** Source: API v3, "PUT /api/3/futures/margin-settings/amr". */
export const amrParams = paramsOf(resource('AMR', { ...target, amr: { v3: 'amr', kind: flag } }), 'v3');
/** As `amrParams`, for automatic margin management. Source: v3-gaps, section 8 (path); members: docs/assumptions.md. */
export const ammParams = paramsOf(resource('AMM', { ...target, amm: { v3: 'amm', kind: flag } }), 'v3');

/** The leverage of a contract's isolated account. Source: v3-gaps, section 2.5. */
const leverageRequest = resource('leverage', {
  symbol,
  leverage: { v3: 'leverage', kind: param(decimalParam) },
});
export const leverageParams = paramsOf(leverageRequest, 'v3');

export function encodeLeverage(symbolName: string, leverage: Amount): Record<string, unknown> {
  return leverageRequest.v3.write({ symbol: symbolName, leverage: formatAmount(leverage) });
}

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
