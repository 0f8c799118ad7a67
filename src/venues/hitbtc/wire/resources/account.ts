import { z } from 'zod';
import { zero } from '../../../../core/base/amount.ts';
import type { Amount } from '../../../../core/base/amount.ts';
import type { Balance } from '../../../../core/model/market.ts';
import type { Word } from '../kinds.ts';
import { amountKind, nameKind, plainKind } from '../kinds.ts';
import type { ValueOf } from '../resource.ts';
import { optional, resource } from '../resource.ts';

const held = {
  available: { v3: 'available', v2: 'available', kind: amountKind },
  reserved: { v3: 'reserved', v2: 'reserved', kind: amountKind },
} as const;
const heldOnSpot = {
  ...held,
  reservedMargin: { v3: 'reserved_margin', kind: optional(amountKind) },
  reservedCrossMargin: { v3: 'cross_margin_reserved', kind: optional(amountKind) },
} as const;
const currency = { v3: 'currency', v2: 'currency', kind: nameKind } as const;

/** A balance of a wallet, and of v2. Source: API v3, "Balances"; API v2, "Balances". */
export const walletBalance = resource('balance', { currency, ...held }, { title: 'wallet balance' });
/** A balance whose currency was asked for. */
export const balanceOfCurrency = resource('balance', held, { title: 'wallet balance of currency' });
/** A trading balance of v3. */
export const spotBalance = resource('balance', { currency, ...heldOnSpot }, { title: 'trading balance' });
export const spotBalanceOfCurrency = resource('balance', heldOnSpot, {
  title: 'trading balance of currency',
});

/** A trading balance with what margin holds of it. Source: API v3, "Balances". */
export type V3SpotBalance = ValueOf<typeof spotBalance.fields, 'v3'>;

/** Adds what margin holds, which is printed also where it is nothing. */
export function withMargin<
  Held extends Balance & { readonly reservedMargin?: Amount; readonly reservedCrossMargin?: Amount },
>(given: Held): Held & { readonly reservedMargin: Amount; readonly reservedCrossMargin: Amount } {
  const { reservedMargin = zero, reservedCrossMargin = zero } = given;
  return { ...given, reservedMargin, reservedCrossMargin };
}

const rates = {
  takeRate: { v3: 'take_rate', v2: 'takeLiquidityRate', kind: amountKind },
  makeRate: { v3: 'make_rate', v2: 'provideLiquidityRate', kind: amountKind },
} as const;

/** Fee rates of a symbol. Source: API v3, "Fee rate"; v2-gaps, section 1 (trading/fee/all). */
export const feeRates = resource('fee', { symbol: { v3: 'symbol', v2: 'symbol', kind: nameKind }, ...rates });
/** Fee rates of the symbol asked for; v2 does not repeat which. */
export const feeOfSymbol = resource('fee', rates, { title: 'fee of symbol' });

/** Fee rates of a symbol, in either version. */
export interface FeeRate {
  readonly symbol: string;
  readonly takeRate: Amount;
  readonly makeRate: Amount;
}

const rights = z.array(z.string().min(1).max(80)) as unknown as z.ZodType<
  readonly Word<'R1' | 'R2' | 'R3' | 'R4'>[]
>;

/** One of the caller's keys with its access rights, never its secret. No source knows the shape (v3-gaps, section 14). */
export const apiKeyRow = resource('API key', {
  apiKey: { v3: 'api_key', kind: nameKind },
  rights: { v3: 'access_rights', kind: plainKind(rights) },
});
