import { z } from 'zod';
import type { Instrument } from '../../../../core/model/instrument.ts';
import { amountField, millisField, nameField, parseWith } from '../fields.ts';
import { millisOfMicros, priceAmountText, volumeText } from '../formats.ts';
import type { FuturesState } from './futures-rows.ts';
import { fundingText } from './futures-rows.ts';

// The channel `futures/info` of the v3 public socket. Source: v3-gaps, section 1.3.

const members = z.object({
  c: nameField,
  t: millisField,
  m: amountField,
  i: amountField,
  p: amountField,
  P: amountField,
  o: amountField,
  r: amountField,
  R: amountField,
  T: millisField,
  I: amountField,
});

/** The payload of one contract: `{c,t,m,i,p,P,o,r,R,T,I}`. */
export function encodeV3FuturesNotice(instrument: Instrument, state: FuturesState): string {
  return JSON.stringify({
    c: state.contractType,
    t: millisOfMicros(state.time),
    m: priceAmountText(instrument, state.markPrice),
    i: priceAmountText(instrument, state.indexPrice),
    p: fundingText(state.premiumIndex),
    P: fundingText(state.avgPremiumIndex),
    o: volumeText(instrument, state.openInterest),
    r: fundingText(state.fundingRate),
    R: fundingText(state.indicativeFundingRate),
    T: millisOfMicros(state.nextFundingTime),
    I: fundingText(state.interestRate),
  });
}

/** The payload of one contract. Throws `BadInput` naming the member. */
export function decodeV3FuturesNotice(json: unknown, symbol: string): FuturesState {
  const row = parseWith(members, json, `futures info of ${symbol.slice(0, 40)}`);
  return {
    contractType: row.c,
    time: row.t,
    markPrice: row.m,
    indexPrice: row.i,
    premiumIndex: row.p,
    avgPremiumIndex: row.P,
    openInterest: row.o,
    fundingRate: row.r,
    indicativeFundingRate: row.R,
    nextFundingTime: row.T,
    interestRate: row.I,
  };
}
