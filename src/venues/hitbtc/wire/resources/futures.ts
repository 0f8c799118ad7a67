import { withoutZeros } from '../../../../core/base/number-text.ts';
import { z } from 'zod';
import type { Amount } from '../../../../core/base/amount.ts';
import { formatAmountFixed } from '../../../../core/base/amount.ts';
import type { Instrument } from '../../../../core/model/instrument.ts';
import { amountField, parseWith } from '../fields.ts';
import { wireAmount, priceAmountText, volumeText } from '../formats.ts';
import type { GridKind } from '../kinds.ts';
import { gridOf, timeKind, nameKind, printedAmountKind } from '../kinds.ts';
import type { Kind, RowOf } from '../resource.ts';
import { optionalFields, resource } from '../resource.ts';
import { reads } from '../sent.ts';

// Public data of the futures contracts of v3. Values are read under the names of these tables. Source: v3-gaps, section 4.5.

/** Kinds of candles of a contract, as paths spell them. */
export const futuresSeries = ['index_price', 'mark_price', 'premium_index', 'open_interest'] as const;
export type FuturesSeries = (typeof futuresSeries)[number];

/** A rate, a fraction per eight hours: up to 18 decimals, `"0"` when zero. Source: v3-gaps, section 11. */
const rateKind: Kind<Amount, Amount, Amount> = { value: amountField, row: amountField, write: fundingText };
/** A price that need not be on the tick. */
const markKind: GridKind<Amount, Amount> = {
  value: amountField,
  row: amountField,
  onGrid: true,
  write: (amount, context) => priceAmountText(gridOf(context), amount),
};
/** A volume in units of the underlying. */
const volumeKind: typeof markKind = {
  ...markKind,
  write: (amount, context) => volumeText(gridOf(context), amount),
};
const state = {
  contractType: { v3: 'contract_type', channel: 'c', kind: nameKind },
  markPrice: { v3: 'mark_price', channel: 'm', kind: markKind },
  indexPrice: { v3: 'index_price', channel: 'i', kind: markKind },
  fundingRate: { v3: 'funding_rate', channel: 'r', kind: rateKind },
  openInterest: { v3: 'open_interest', channel: 'o', kind: volumeKind },
  nextFundingTime: { v3: 'next_funding_time', channel: 'T', kind: timeKind },
  indicativeFundingRate: { v3: 'indicative_funding_rate', channel: 'R', kind: rateKind },
  premiumIndex: { v3: 'premium_index', channel: 'p', kind: rateKind },
  avgPremiumIndex: { v3: 'avg_premium_index', channel: 'P', kind: rateKind },
  interestRate: { v3: 'interest_rate', channel: 'I', kind: rateKind },
  time: { v3: 'timestamp', channel: 't', kind: timeKind },
} as const;

/**
 * Figures that a contract shows of itself, by one letter a member on the channel `futures/info`. `fundingRate` is the last settled
 * one, `indicativeFundingRate` the coming one as it stands. Source: v3-gaps, sections 1.3 and 4.5.
 */
export const futuresState = resource('futures info', state, {
  channel: [
    'contractType',
    'time',
    'markPrice',
    'indexPrice',
    'premiumIndex',
    'avgPremiumIndex',
    'openInterest',
    'fundingRate',
    'indicativeFundingRate',
    'nextFundingTime',
    'interestRate',
  ],
});
export type FuturesState = RowOf<typeof state, 'v3'>;
/** As the market-data handler looks at it, which only checks what is there. */
export const futuresGlance = resource('futures info', { ...optionalFields(state), time: state.time });

/** One settlement. */
export const fundingRow = resource('funding', {
  time: state.time,
  fundingRate: state.fundingRate,
  avgPremiumIndex: state.avgPremiumIndex,
  nextFundingTime: state.nextFundingTime,
  interestRate: state.interestRate,
});
export type FundingRow = RowOf<typeof fundingRow.fields, 'v3'>;

/** A candle of a value that is not traded, each value in the form of its series. Source: API v3, "Futures candle". */
export const futuresCandle = resource('futures candle', {
  time: state.time,
  open: { v3: 'open', kind: printedAmountKind },
  close: { v3: 'close', kind: printedAmountKind },
  min: { v3: 'min', kind: printedAmountKind },
  max: { v3: 'max', kind: printedAmountKind },
});

export type FuturesCandle = RowOf<typeof futuresCandle.fields, 'v3'>;

/** Reads something of one contract; what is wrong with it names the contract. */
function ofContract<Value>(
  what: string,
  schema: z.ZodType<Value>,
  sent: () => z.ZodType,
): (json: unknown, symbol: string) => Value {
  return reads(
    (json: unknown, symbol: string) => parseWith(schema, json, `${what} of ${symbol.slice(0, 40)}`),
    sent,
  );
}

const rows = {
  state: futuresState.members.v3.row as z.ZodType<FuturesState>,
  notice: futuresState.members.channel.row as z.ZodType<FuturesState>,
  funding: fundingRow.members.v3.row as z.ZodType<FundingRow>,
  candle: futuresCandle.members.v3.row as z.ZodType<FuturesCandle>,
};
export const readFuturesState = ofContract('futures info', rows.state, () => futuresState.members.v3.sent);
export const readFuturesNotice = ofContract(
  'futures info',
  rows.notice,
  () => futuresState.members.channel.sent,
);
export const readFunding = ofContract<readonly FundingRow[]>('funding', z.array(rows.funding), () =>
  z.array(fundingRow.members.v3.sent),
);
export const readFuturesCandles = ofContract<readonly FuturesCandle[]>(
  'futures candles',
  z.array(rows.candle),
  () => z.array(futuresCandle.members.v3.sent),
);

/** The candle that a server prints. */
export function futuresCandleObject(
  instrument: Instrument,
  series: FuturesSeries,
  { time, open, close, min, max }: FuturesCandle,
): object {
  const text = (value: Amount) => seriesText(instrument, series, value);
  return futuresCandle.v3.write({
    time,
    open: text(open),
    close: text(close),
    min: text(min),
    max: text(max),
  });
}

function seriesText(instrument: Instrument, series: FuturesSeries, value: Amount): string {
  if (series === 'premium_index') return fundingText(value);
  if (series === 'open_interest') return volumeText(instrument, value);
  return wireAmount(value, instrument.priceDecimals);
}

function fundingText(rate: Amount): string {
  const text = withoutZeros(formatAmountFixed(rate, 18));
  return /[1-9]/.test(text) ? text : '0';
}
