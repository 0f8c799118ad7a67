/** What an operator sees of the time before: candles and days, and where it is kept over a restart. */
export { ChartHistory, chartPeriods } from './candles.ts';
export { fillCharts } from './fill-charts.ts';
export type { Day } from './days.ts';
export { Days, sumsOf } from './days.ts';
export type { LineKeeping, KeptHistory, KeptLines, KeptRows, RowKeeping } from './kept.ts';
