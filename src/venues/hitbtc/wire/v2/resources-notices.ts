import { z } from 'zod';
import { candlePeriods } from '../../../../core/model/market.ts';
import type { CandlePeriod } from '../../../../core/model/market.ts';
import { nameField, parseWith } from '../fields.ts';
import type { V2OrderBook } from '../resources/book.ts';
import { orderBook } from '../resources/book.ts';
import { candle, readV2PublicTrades } from '../resources/market.ts';
import type { V2Candle, V2PublicTrade } from '../resources/market.ts';

// Notifications of the v2 sockets for callers without a list of instruments. Source: API v2, "Socket methods".

const dataMembers = z.object({ symbol: nameField, data: z.unknown() });
const candleParams = dataMembers.extend({ period: z.enum(candlePeriods) });
const bookSymbol = z.object({ symbol: nameField, sequence: z.int().nonnegative() });

/** Trades of one symbol. */
export interface V2TradesOf {
  readonly symbol: string;
  readonly data: readonly V2PublicTrade[];
}

/** Candles of one symbol and period. */
export interface V2CandlesOf {
  readonly symbol: string;
  readonly period: CandlePeriod;
  readonly data: readonly V2Candle[];
}

/** A book or a change of one: quantity zero deletes a level, every update is the last sequence plus one. Source: v2-gaps, section 5.1. */
export interface V2BookOf extends V2OrderBook {
  readonly symbol: string;
  readonly sequence: number;
}

export function readV2TradesOf(params: unknown): V2TradesOf {
  const { symbol, data } = parseWith(dataMembers, params, 'v2 trades');
  return { symbol, data: readV2PublicTrades(data) };
}

export function readV2CandlesOf(params: unknown): V2CandlesOf {
  const { symbol, period, data } = parseWith(candleParams, params, 'v2 candles');
  return { symbol, period, data: candle.v2.readList(data) };
}

export function readV2BookOf(params: unknown): V2BookOf {
  const { symbol, sequence } = parseWith(bookSymbol, params, 'v2 order book');
  return { ...orderBook.v2.read(params), symbol, sequence };
}
