import { z } from 'zod';
import type { Amount } from '../../../../core/base/amount.ts';
import { formatAmountFixed } from '../../../../core/base/amount.ts';
import type { Micros } from '../../../../core/base/clock.ts';
import type { Instrument } from '../../../../core/model/instrument.ts';
import { amountField, nameField, parseWith, timeField } from '../fields.ts';
import { amountText, priceAmountText, printTime, volumeText } from '../formats.ts';
import { entriesOf } from './symbols.ts';

/** Kinds of candles of a contract, as paths spell them. Source: v3-gaps, section 4.5. */
export const futuresSeries = ['index_price', 'mark_price', 'premium_index', 'open_interest'] as const;
export type FuturesSeries = (typeof futuresSeries)[number];

/** What a contract shows of itself. Rates are fractions per eight hours. Source: v3-gaps, section 4.5. */
export interface FuturesState {
  readonly contractType: string;
  readonly markPrice: Amount;
  readonly indexPrice: Amount;
  /** The last settled one. */
  readonly fundingRate: Amount;
  /** In units of the underlying. */
  readonly openInterest: Amount;
  readonly nextFundingTime: Micros;
  /** The coming one, as it stands. */
  readonly indicativeFundingRate: Amount;
  readonly premiumIndex: Amount;
  readonly avgPremiumIndex: Amount;
  readonly interestRate: Amount;
  readonly time: Micros;
}

/** One settlement. */
export interface FundingRow {
  readonly time: Micros;
  readonly fundingRate: Amount;
  readonly avgPremiumIndex: Amount;
  readonly nextFundingTime: Micros;
  readonly interestRate: Amount;
}

/** A candle of a value that is not traded. Source: API v3, "Futures candle". */
export interface FuturesCandle {
  readonly time: Micros;
  readonly open: Amount;
  readonly close: Amount;
  readonly min: Amount;
  readonly max: Amount;
}

/** Something of one contract. */
export interface OfContract<Value> {
  readonly symbol: string;
  readonly value: Value;
}

const stateMembers = z.object({
  contract_type: nameField,
  mark_price: amountField,
  index_price: amountField,
  funding_rate: amountField,
  open_interest: amountField,
  next_funding_time: timeField,
  indicative_funding_rate: amountField,
  premium_index: amountField,
  avg_premium_index: amountField,
  interest_rate: amountField,
  timestamp: timeField,
});
const fundingRows = z.array(
  z.object({
    timestamp: timeField,
    funding_rate: amountField,
    avg_premium_index: amountField,
    next_funding_time: timeField,
    interest_rate: amountField,
  }),
);
const candleRows = z.array(
  z.object({
    timestamp: timeField,
    open: amountField,
    close: amountField,
    min: amountField,
    max: amountField,
  }),
);

/** One contract. Throws `BadInput` naming the member. */
export function decodeV3FuturesState(json: unknown, symbol: string): FuturesState {
  const row = parseWith(stateMembers, json, `futures info of ${symbol.slice(0, 40)}`);
  return {
    contractType: row.contract_type,
    markPrice: row.mark_price,
    indexPrice: row.index_price,
    fundingRate: row.funding_rate,
    openInterest: row.open_interest,
    nextFundingTime: row.next_funding_time,
    indicativeFundingRate: row.indicative_funding_rate,
    premiumIndex: row.premium_index,
    avgPremiumIndex: row.avg_premium_index,
    interestRate: row.interest_rate,
    time: row.timestamp,
  };
}

/** Contracts keyed by symbol, in the order of the answer. */
export function decodeV3FuturesStates(json: unknown): readonly OfContract<FuturesState>[] {
  return keyed(json, 'v3 futures info', decodeV3FuturesState);
}

/** Settlements of one contract. */
export function decodeV3Funding(json: unknown, symbol: string): readonly FundingRow[] {
  return parseWith(fundingRows, json, `funding of ${symbol.slice(0, 40)}`).map((row) => ({
    time: row.timestamp,
    fundingRate: row.funding_rate,
    avgPremiumIndex: row.avg_premium_index,
    nextFundingTime: row.next_funding_time,
    interestRate: row.interest_rate,
  }));
}

/** Settlements keyed by symbol. */
export function decodeV3FundingBySymbol(json: unknown): readonly OfContract<readonly FundingRow[]>[] {
  return keyed(json, 'v3 funding', decodeV3Funding);
}

/** Candles of one contract; the answer repeats neither series nor period. */
export function decodeV3FuturesCandles(json: unknown, symbol: string): readonly FuturesCandle[] {
  return parseWith(candleRows, json, `futures candles of ${symbol.slice(0, 40)}`).map(
    ({ timestamp, ...values }) => ({ time: timestamp, ...values }),
  );
}

/** Candles keyed by symbol. */
export function decodeV3FuturesCandlesBySymbol(
  json: unknown,
): readonly OfContract<readonly FuturesCandle[]>[] {
  return keyed(json, 'v3 futures candles', decodeV3FuturesCandles);
}

/** Source: v3-gaps, section 4.5. */
export function encodeV3FuturesState(instrument: Instrument, state: FuturesState): object {
  return {
    contract_type: state.contractType,
    mark_price: priceAmountText(instrument, state.markPrice),
    index_price: priceAmountText(instrument, state.indexPrice),
    funding_rate: fundingText(state.fundingRate),
    open_interest: volumeText(instrument, state.openInterest),
    next_funding_time: printTime(state.nextFundingTime),
    indicative_funding_rate: fundingText(state.indicativeFundingRate),
    premium_index: fundingText(state.premiumIndex),
    avg_premium_index: fundingText(state.avgPremiumIndex),
    interest_rate: fundingText(state.interestRate),
    timestamp: printTime(state.time),
  };
}

/** Source: v3-gaps, section 4.5. */
export function encodeV3Funding(row: FundingRow): object {
  return {
    timestamp: printTime(row.time),
    funding_rate: fundingText(row.fundingRate),
    avg_premium_index: fundingText(row.avgPremiumIndex),
    next_funding_time: printTime(row.nextFundingTime),
    interest_rate: fundingText(row.interestRate),
  };
}

/** A candle, each value in the form of its series. Source: API v3, "Futures candle". */
export function encodeV3FuturesCandle(
  instrument: Instrument,
  series: FuturesSeries,
  candle: FuturesCandle,
): object {
  const text = (value: Amount) => seriesText(instrument, series, value);
  return {
    timestamp: printTime(candle.time),
    open: text(candle.open),
    close: text(candle.close),
    min: text(candle.min),
    max: text(candle.max),
  };
}

function seriesText(instrument: Instrument, series: FuturesSeries, value: Amount): string {
  if (series === 'premium_index') return fundingText(value);
  if (series === 'open_interest') return volumeText(instrument, value);
  return amountText(value, instrument.priceDecimals);
}

/** A rate as the wire prints it: up to 18 decimals, `"0"` when zero. Source: v3-gaps, section 11. */
export function fundingText(rate: Amount): string {
  const text = formatAmountFixed(rate, 18).replace(/\.?0+$/, '');
  return /[1-9]/.test(text) ? text : '0';
}

function keyed<Value>(
  json: unknown,
  what: string,
  read: (value: unknown, symbol: string) => Value,
): readonly OfContract<Value>[] {
  return entriesOf(json, what).map(([symbol, value]) => ({ symbol, value: read(value, symbol) }));
}
