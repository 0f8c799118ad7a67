import { z } from 'zod';
import type { Amount } from '../../../../core/base/amount.ts';
import type { Micros } from '../../../../core/base/clock.ts';
import { amountField, idField, millisField, nameField, optionalAmountField, parseWith } from '../fields.ts';
import { sequenceField, sideField } from '../fields.ts';
import { readKeyed } from '../keyed.ts';
import type { V3Candle, V3PublicTrade } from '../resources/market.ts';

// Payloads of the v3 public channels for callers without a list of instruments: one letter on the wire, words here.

const tradeRows = z.array(
  z.object({ t: millisField, i: idField, p: amountField, q: amountField, s: sideField }),
);
const candleRows = z.array(
  z.object({
    t: millisField,
    o: amountField,
    c: amountField,
    h: amountField,
    l: amountField,
    v: amountField,
    q: amountField,
  }),
);
const tickerMembers = z.object({
  t: millisField,
  a: optionalAmountField,
  A: optionalAmountField,
  b: optionalAmountField,
  B: optionalAmountField,
  o: optionalAmountField,
  c: optionalAmountField,
  h: optionalAmountField,
  l: optionalAmountField,
  v: optionalAmountField,
  q: optionalAmountField,
  p: optionalAmountField,
  /** Not rounded by the service: kept as text. */
  P: z.union([z.string().max(80), z.number().transform(String)]).nullish(),
  L: idField.nullish(),
});
const level = z.tuple([amountField, amountField]).transform(([price, quantity]) => ({ price, quantity }));
const bookMembers = z.object({ t: millisField, s: sequenceField, a: z.array(level), b: z.array(level) });
const topMembers = z.object({
  t: millisField,
  a: optionalAmountField,
  A: optionalAmountField,
  b: optionalAmountField,
  B: optionalAmountField,
});
const rateMembers = z.object({ t: millisField, r: amountField });
const notice = z.object({
  ch: nameField,
  target_currency: nameField.optional(),
  snapshot: z.unknown().optional(),
  update: z.unknown().optional(),
  data: z.unknown().optional(),
});

/** A ticker of the socket; `lastTradeId` and the change since the open stand beside it. Source: v3-gaps, section 1.3. */
export interface V3ChannelTicker {
  readonly timestamp: Micros;
  readonly ask: Amount | undefined;
  readonly askQuantity: Amount | undefined;
  readonly bid: Amount | undefined;
  readonly bidQuantity: Amount | undefined;
  readonly open: Amount | undefined;
  readonly last: Amount | undefined;
  readonly high: Amount | undefined;
  readonly low: Amount | undefined;
  readonly volume: Amount | undefined;
  readonly volumeQuote: Amount | undefined;
  readonly change: Amount | undefined;
  /** In percent, unrounded. */
  readonly changePercent: string | undefined;
  readonly lastTradeId: string | undefined;
}

/** A book or a change of one: quantity zero deletes a level. Source: v3-gaps, section 1.4. */
export interface V3ChannelBook {
  readonly timestamp: Micros;
  readonly sequence: number;
  readonly ask: readonly { readonly price: Amount; readonly quantity: Amount }[];
  readonly bid: readonly { readonly price: Amount; readonly quantity: Amount }[];
}

/** Best prices and what stands there. */
export type V3ChannelTop = Pick<V3ChannelTicker, 'timestamp' | 'ask' | 'askQuantity' | 'bid' | 'bidQuantity'>;

export function readV3ChannelTrades(json: unknown): readonly V3PublicTrade[] {
  return parseWith(tradeRows, json, 'v3 trades').map((row) => ({
    id: row.i,
    price: row.p,
    quantity: row.q,
    side: row.s,
    timestamp: row.t,
  }));
}

export function readV3ChannelCandles(json: unknown): readonly V3Candle[] {
  return parseWith(candleRows, json, 'v3 candles').map((row) => ({
    timestamp: row.t,
    open: row.o,
    close: row.c,
    max: row.h,
    min: row.l,
    volume: row.v,
    volumeQuote: row.q,
  }));
}

export function readV3ChannelTicker(json: unknown): V3ChannelTicker {
  const row = parseWith(tickerMembers, json, 'v3 ticker');
  return {
    ...topOf(row),
    open: row.o,
    last: row.c,
    high: row.h,
    low: row.l,
    volume: row.v,
    volumeQuote: row.q,
    change: row.p,
    changePercent: row.P ?? undefined,
    lastTradeId: row.L ?? undefined,
  };
}

export function readV3ChannelBook(json: unknown): V3ChannelBook {
  const row = parseWith(bookMembers, json, 'v3 order book');
  return { timestamp: row.t, sequence: row.s, ask: row.a, bid: row.b };
}

export function readV3ChannelTop(json: unknown): V3ChannelTop {
  return topOf(parseWith(topMembers, json, 'v3 top of book'));
}

export function readV3ChannelRate(json: unknown): { readonly timestamp: Micros; readonly rate: Amount } {
  const row = parseWith(rateMembers, json, 'v3 rate');
  return { timestamp: row.t, rate: row.r };
}

/** A frame of a channel: what kind, and a payload for each symbol or currency. Source: v3-gaps, section 1.2. */
export interface V3ChannelNotice<Payload> {
  readonly kind: 'snapshot' | 'update' | 'data';
  readonly payloads: ReadonlyMap<string, Payload>;
  readonly targetCurrency: string | undefined;
}

/** Reads a frame of a channel, each payload by `read`. Throws `BadInput` naming the member. */
export function readV3ChannelNotice<Payload>(
  frame: unknown,
  read: (payload: unknown, key: string) => Payload,
): V3ChannelNotice<Payload> {
  const row = parseWith(notice, frame, 'v3 channel frame');
  const kind = row.snapshot !== undefined ? 'snapshot' : row.update !== undefined ? 'update' : 'data';
  const payloads = readKeyed(row[kind], `v3 ${row.ch}`, read);
  return { kind, payloads, targetCurrency: row.target_currency };
}

const subscribed = z.object({ subscriptions: z.array(nameField) });

/** The names active on a channel of this connection. Source: v3-gaps, section 1.1. */
export function readV3Subscriptions(result: unknown): readonly string[] {
  return parseWith(subscribed, result, 'v3 subscription').subscriptions;
}

function topOf(row: z.output<typeof topMembers>): V3ChannelTop {
  return { timestamp: row.t, ask: row.a, askQuantity: row.A, bid: row.b, bidQuantity: row.B };
}
