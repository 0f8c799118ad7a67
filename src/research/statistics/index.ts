/** Ratios of equity and trades, each with its definition. */
export type { Calendar } from './calendar.ts';
export { calendarOf } from './calendar.ts';
export { EquitySeries, dailyValues, dayEnds, dayMicros, dayOf, simpleReturns } from './equity.ts';
export type { Figure } from './figure.ts';
export { figure } from './figure.ts';
export type { FigureOptions } from './options.ts';
export { defaultFigures, figureOptions } from './options.ts';
export { sharpeRatio } from './returns.ts';
export type { ExactTrip, RoundTrip } from './round-trips.ts';
export { RoundTrips } from './round-trips.ts';
export type { RunSeries, Statistics, TrialSpread } from './statistics.ts';
export { dailyAgainst, dailyStatistics, daysPerYearOf, perDay, statisticsOf } from './statistics.ts';
export type { TradeStatistics } from './trades.ts';
export { tradeStatistics } from './trades.ts';
