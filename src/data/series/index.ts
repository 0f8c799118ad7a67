/** Series of the user by timestamp: tables that are no market data. */
export { csvCells } from '../formats/index.ts';
export { openSeriesSource, readSeries, rowsBehindHeader } from './files.ts';
export type { SeriesFile, SeriesSource, SeriesTable } from './table.ts';
export { SeriesReader } from './table.ts';
export { SeriesCells, staleLimitOf } from './values.ts';
