/** Formats of tables, one reader each. */
export { apiCandles } from './api-candles.ts';
export type { ColumnField, Columns } from './bars-columns.ts';
export { findColumns, headerAt, headerWord, lackingIn, readColumnMap } from './bars-columns.ts';
export { plainDecimal, withoutBinaryNoise } from './bars-decimal.ts';
export {
  barsCsv,
  binanceKlines,
  cryptoDataDownload,
  fixed,
  freqtradeBars,
  isPremiumIndex,
  krakenOhlcvt,
} from './bars-formats.ts';
export { barsJson } from './bars-json.ts';
export { surveyBars } from './bars-import.ts';
export type { BarPeriod } from './bars-period.ts';
export { parsePeriod, periodOfCandle, periodsBetween } from './bars-period.ts';
export { openBars } from './bars-recording.ts';
export type { SymbolGuess } from './bars-symbol.ts';
export { quoteNote, refuseNoSymbol, stepOf, symbolOfPath, symbolOfText } from './bars-symbol.ts';
export type { TimeForm } from './bars-time.ts';
export { readTableTime, timeFormOf } from './bars-time.ts';
export type { BarTable } from './bars.ts';
export { BarReader, barFields } from './bars.ts';
export { CellReader, shownCell } from './cell-reader.ts';
export { openNamedColumns, tableKindOf } from './named-columns.ts';
export { GridSurvey, gridLots, gridTicks } from './grid-survey.ts';
export { headRows } from './sheet.ts';
export { SideOrder } from './side-order.ts';
export { binanceTrades, freqtradeTrades, tradesCsv } from './trades-formats.ts';
export { openTrades } from './trades-recording.ts';
export { tradeFields } from './trades.ts';
export { gateTrades, krakenTrades, okxTrades, polygonTrades, tradesJson } from './venue-trades.ts';
