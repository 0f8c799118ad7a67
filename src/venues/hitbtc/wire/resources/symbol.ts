import { z } from 'zod';
import type { Amount } from '../../../../core/base/amount.ts';
import type { Micros } from '../../../../core/base/clock.ts';
import { BadInput } from '../../../../core/base/errors.ts';
import type { InstrumentSpec, InstrumentStatus } from '../../../../core/model/instrument.ts';
import { symbolShape } from '../../../../core/model/symbol-table.ts';
import {
  amountField,
  decimalField,
  nameField,
  optionalAmountField,
  timeField,
  unsignedField,
} from '../fields.ts';
import { entriesOf } from '../keyed.ts';
import { nameKind, plainKind, timeKind } from '../kinds.ts';
import type { Kind, ValueOf, WireVersion } from '../resource.ts';
import { resource } from '../resource.ts';
import { reads } from '../sent.ts';

/** A decimal: exact for callers, text for instruments. */
type TextKind = Kind<Amount, string, string>;
const stepKind: TextKind = { value: amountField, row: unsignedField, write: (text) => text };
const rateKind: TextKind = { value: amountField, row: decimalField, write: (text) => text };
const leverageKind: Kind<Amount | undefined, string | null | undefined, string | undefined> = {
  value: optionalAmountField,
  row: unsignedField.nullish(),
  write: (text) => text,
};
const word = z.string().max(40);
const typeKind: Kind<string, string, string> = { ...plainKind(word), row: z.string() };
const statusKind: Kind<string, string, string> = { ...plainKind(word), row: z.string().default('working') };
const currencyKind = plainKind(nameField.nullish());
const marginTradingKind: Kind<boolean, boolean, boolean | undefined> = plainKind(z.boolean().default(false));

// Instruments can do without these two, so a symbol with an unusual one still is an instrument.
const unread = z.undefined().catch(undefined);
const contractKind: Kind<string | null | undefined, undefined, string | undefined> = {
  value: word.nullish(),
  row: unread,
  write: (text) => text,
};
/** Null for perpetual contracts. */
const expiryKind: Kind<Micros | null | undefined, Micros | null | undefined, Micros | null | undefined> = {
  value: timeField.nullish(),
  row: timeField.nullish().catch(undefined),
  write: (time, context) => (typeof time === 'number' ? timeKind.write(time, context) : time),
};

/** A symbol. v3 has it under its code, with null as base currency of futures. Source: API v3, "Symbol"; API v2, "Symbol". */
const symbolRow = resource(
  'symbol',
  {
    symbol: { v2: 'id', kind: nameKind },
    type: { v3: 'type', kind: typeKind },
    contractType: { v3: 'contract_type', kind: contractKind },
    expiry: { v3: 'expiry', kind: expiryKind },
    underlying: { v3: 'underlying', kind: currencyKind },
    spotBase: { v3: 'base_currency', kind: currencyKind },
    baseCurrency: { v2: 'baseCurrency', kind: nameKind },
    quoteCurrency: { v3: 'quote_currency', v2: 'quoteCurrency', kind: nameKind },
    status: { v3: 'status', kind: statusKind },
    quantityIncrement: { v3: 'quantity_increment', v2: 'quantityIncrement', kind: stepKind },
    tickSize: { v3: 'tick_size', v2: 'tickSize', kind: stepKind },
    takeRate: { v3: 'take_rate', v2: 'takeLiquidityRate', kind: rateKind },
    makeRate: { v3: 'make_rate', v2: 'provideLiquidityRate', kind: rateKind },
    feeCurrency: { v3: 'fee_currency', v2: 'feeCurrency', kind: nameKind },
    marginTrading: { v3: 'margin_trading', v2: 'marginTrading', kind: marginTradingKind },
    maxInitialLeverage: { v3: 'max_initial_leverage', v2: 'maxInitialLeverage', kind: leverageKind },
  },
  { spare: ['contractType', 'expiry', 'underlying', 'marginTrading', 'maxInitialLeverage'] },
);

/** A symbol of v3: steps, rates and leverage are exact, `expiry` is null for perpetual contracts. Source: API v3, "Symbol". */
export type V3Symbol = { readonly symbol: string } & ValueOf<typeof symbolRow.fields, 'v3'>;
/** Source: API v2, "Symbol". */
export type V2Symbol = ValueOf<typeof symbolRow.fields, 'v2'>;

export const readV3Symbol = reads(
  (json: unknown, symbol: string): V3Symbol => ({ symbol, ...symbolRow.v3.readAs(called(symbol), json) }),
  () => symbolRow.members.v3.sent,
);

export const readV2Symbol = symbolRow.v2.read;
export const readV2Symbols = symbolRow.v2.readList;

const statuses: readonly string[] = ['working', 'suspended', 'clearing', 'expired'];

/**
 * Symbols keyed by code, in the order of the answer. Types other than spot and futures and codes with
 * unusual characters are passed over; a status no source knows reads as `suspended`. Throws `BadInput` naming the symbol. Source: API v3, "Symbol"; v3-gaps, section 4.6.
 * `refused` takes the codes with unusual characters, where there are any.
 */
export function decodeV3Symbols(json: unknown, refused?: RefusedCodes): readonly InstrumentSpec[] {
  const entries = entriesOf(json, 'v3 symbols');
  tellRefused(
    entries.map(([symbol]) => symbol),
    refused,
  );
  return entries.flatMap(([symbol, value]) =>
    symbolShape.test(symbol) ? (specOf(symbol, value) ?? []) : [],
  );
}

/** Takes the codes of a list that are passed over for their characters. */
export type RefusedCodes = (codes: readonly string[]) => void;

function tellRefused(codes: readonly string[], refused: RefusedCodes | undefined): void {
  if (refused === undefined) return;
  const odd = codes.filter((code) => !symbolShape.test(code));
  if (odd.length > 0) refused(odd);
}

function specOf(symbol: string, json: unknown): InstrumentSpec | undefined {
  const { type, underlying, spotBase, status, ...row } = symbolRow.v3.decodeAs(called(symbol), json);
  if (type !== 'spot' && type !== 'futures') return undefined;
  const baseCurrency = spotBase ?? underlying;
  if (baseCurrency === undefined || baseCurrency === null) {
    throw new BadInput(`symbol ${symbol}: member base_currency: expected a currency, found none`);
  }
  const known = statuses.includes(status) ? (status as InstrumentStatus) : 'suspended';
  return spec({ ...row, symbol, type, baseCurrency }, known);
}

/** Symbols as a list; codes with unusual characters are passed over, and `refused` takes them. What v2 lists counts as working, and as spot. Throws `BadInput` naming the member. Source: API v2, "Symbol". */
export function decodeV2Symbols(json: unknown, refused?: RefusedCodes): readonly InstrumentSpec[] {
  const rows = symbolRow.v2.decodeList(json);
  tellRefused(
    rows.map(({ symbol }) => symbol),
    refused,
  );
  return rows
    .filter(({ symbol }) => symbolShape.test(symbol))
    .map((row) => spec({ ...row, type: 'spot' }, 'working'));
}

type SpecRow = Omit<InstrumentSpec, 'status' | 'maxInitialLeverage' | 'expiry'> & {
  readonly expiry?: Micros | null | undefined;
  readonly maxInitialLeverage?: string | null | undefined;
};

function spec(row: SpecRow, status: InstrumentStatus): InstrumentSpec {
  const { maxInitialLeverage, expiry } = row;
  return {
    symbol: row.symbol,
    type: row.type,
    baseCurrency: row.baseCurrency,
    quoteCurrency: row.quoteCurrency,
    feeCurrency: row.feeCurrency,
    tickSize: row.tickSize,
    quantityIncrement: row.quantityIncrement,
    takeRate: row.takeRate,
    makeRate: row.makeRate,
    status,
    marginTrading: row.marginTrading,
    ...(typeof maxInitialLeverage === 'string' && { maxInitialLeverage }),
    ...(typeof expiry === 'number' && row.type === 'futures' && { expiry }),
  };
}

function called(symbol: string): string {
  return `symbol ${symbol.slice(0, 40)}`;
}

/** A symbol as the replies show it; v2 has margin members on margin symbols only. Source: API v3, "Symbol"; v2-gaps, section 5.2. */
export function encodeSymbol(version: WireVersion, symbol: InstrumentSpec): object {
  const { baseCurrency, marginTrading, maxInitialLeverage } = symbol;
  if (version === 'v2') {
    return symbolRow.v2.write({
      ...symbol,
      marginTrading: marginTrading || undefined,
      maxInitialLeverage: marginTrading ? maxInitialLeverage : undefined,
    });
  }
  if (symbol.type === 'spot') return symbolRow.v3.write({ ...symbol, spotBase: baseCurrency });
  return symbolRow.v3.write({
    ...symbol,
    contractType: contractTypeOf(symbol),
    expiry: symbol.expiry ?? null,
    underlying: baseCurrency,
    spotBase: null,
  });
}

/** Name that the documents give a contract: one that expires is settled in cash. Source: API v3, "Symbol". */
export function contractTypeOf({ expiry }: InstrumentSpec): 'perpetual' | 'cash_settled' {
  return expiry === undefined ? 'perpetual' : 'cash_settled';
}
