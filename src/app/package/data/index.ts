/** The public entry for data: `import { openData } from 'godwit/data'`. */
import type { OpenDataOptions, OpenedData } from './opened.ts';

export { BadInput } from '../../../core/base/errors.ts';
export type { GodwitError } from '../../../core/base/errors.ts';
export type { Amount } from '../../../core/base/amount.ts';
export type { Micros } from '../../../core/base/clock.ts';
export type { Decimal } from '../../../core/base/decimal.ts';
export type {
  BookSnapshot,
  BookStale,
  BookUpdate,
  CandlesChanged,
  ContractInfo,
  EventTimes,
  FlatLevels,
  MarketEvent,
  TickerChanged,
  TradesPrinted,
} from '../../../core/model/event.ts';
export type {
  Brand,
  Contract,
  ContractTerms,
  Instrument,
  InstrumentId,
  InstrumentSpec,
  InstrumentStatus,
  Lots,
  Rounding,
  Ticks,
} from '../../../core/model/instrument.ts';
export type {
  BarSpec,
  Candle,
  CandlePeriod,
  MarketTrade,
  OwnBar,
  StaleReason,
  Ticker,
} from '../../../core/model/market.ts';
export type { Side } from '../../../core/model/order.ts';
export type {
  BarRow,
  BookRow,
  OpenDataOptions,
  OpenedData,
  OrderChangeRow,
  PriceLevel,
  ReceivedRow,
  SeriesDataRow,
  SeriesOptions,
  TickerRow,
  TradeRow,
} from './opened.ts';
export { openTyped as openData };

/**
 * Opens recorded data of any format that `godwit data import` reads, found by the content: one file, or several that are one recording.
 * Throws `BadInput` in one sentence when there is no such file, it is of no known format, or it does not say what an option has to.
 *
 * The readers are loaded with the first call.
 */
async function openTyped(
  paths: string | readonly string[],
  options: OpenDataOptions = {},
): Promise<OpenedData> {
  const { readTyped } = await import('./reader.ts');
  return await readTyped(typeof paths === 'string' ? [paths] : paths, options);
}
