/** Recordings of Binance's streams and archives. */
export { DiffMemory, OrphanUpdates, isOrphanNote } from './baseless-updates.ts';
export { inverseNotes } from './inverse-contracts.ts';
export type { BinanceDepth, BinanceLevels, BinanceSnapshot, BinanceTrade, LocalTime } from './line.ts';
export { badLine, jsonOf, latencyNanos, looksLikeBinance, readLocalTime } from './line.ts';
export { LeftOut, isOfBook, messageOf } from './message.ts';
export { openBinanceRecording, withOthers } from './recording.ts';
export { surveyBinance } from './survey.ts';
