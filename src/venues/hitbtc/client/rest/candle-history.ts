import type { Clock } from '../../../../core/base/clock.ts';
import { seconds } from '../../../../core/base/clock.ts';
import { BadInput } from '../../../../core/base/errors.ts';
import type { Logger } from '../../../../core/base/logger.ts';
import type { Instrument } from '../../../../core/model/instrument.ts';
import type { Candle, CandlePeriod } from '../../../../core/model/market.ts';
import type { ApiBudgets } from '../../budgets/api.ts';
import { takeIdleSlot } from '../../budgets/idle-slot.ts';
import { candle } from '../../wire/resources/index.ts';
import type { RestClient } from './rest.ts';
import { encodeFields } from './rest.ts';

export interface CandleHistoryDeps {
  readonly rest: RestClient;
  readonly budgets: ApiBudgets;
  readonly clock: Clock;
  readonly log: Logger;
  readonly signal: AbortSignal;
}

/**
 * The last candles of a symbol, the oldest first, the one under way last. None where the venue refuses the question; `undefined` without an answer that can be read. Source: API
 * v3, GET /api/3/public/candles/{symbol}.
 */
export async function askCandles(
  { rest, budgets, clock, log, signal }: CandleHistoryDeps,
  {
    instrument,
    period,
    count,
  }: {
    readonly instrument: Instrument;
    readonly period: CandlePeriod;
    readonly count: number;
  },
): Promise<readonly Candle[] | undefined> {
  const slot = await takeIdleSlot(budgets, 'restPublic', { clock, lookEvery: seconds(1), signal });
  if (slot < 0) return undefined;
  const query = encodeFields({ period, sort: 'DESC', limit: count });
  const path = `/public/candles/${encodeURIComponent(instrument.symbol)}`;
  const { verdict, body } = await rest.send({ method: 'GET', path, query, signed: false, signal });
  budgets.settle(slot, verdict.outcome === 'limited' ? 'limited' : 'acknowledged');
  // What is refused is refused again.
  if (verdict.outcome === 'refused') return [];
  if (verdict.outcome !== 'acknowledged') return undefined;
  try {
    const rows = candle.v3.decodeList(body);
    return rows.map((row) => ({ ...row, instrument: instrument.id, period })).toReversed();
  } catch (error) {
    if (!(error instanceof BadInput)) throw error;
    log.warn({ symbol: instrument.symbol, why: error.message }, 'candles of the venue cannot be read');
    return undefined;
  }
}
