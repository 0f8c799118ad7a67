/** Parts that readers of foreign formats share. */
export type { Row, RowSource } from './bars-rows.ts';
export { csvCells, csvSource, delimiterOf, placeOf } from './bars-rows.ts';
export type { ExportRow } from './export-rows.ts';
export { exportColumns, rowsOfEvent } from './export-rows.ts';
export type { FileHead, Format, OpenOptions, SeriesFormat } from './format.ts';
export { refuseBarOptions, refuseRounding, refuseSkipping } from './format.ts';
export type { Anomaly, AnomalyName, ImportedRecording } from './grade-anomaly.ts';
export { counted, countsAnomalies } from './grade-anomaly.ts';
export { readHead } from './opened-file.ts';
export { PartialRecording, isPartialFinding } from './partial-recording.ts';
export { assumedRates } from './symbol-survey.ts';
export { sortedRecords } from './table-records.ts';
