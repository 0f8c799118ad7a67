/** A run as tables. */
export type { ExportedRun } from './collector.ts';
export { RunExport } from './collector.ts';
export type { ExportCell, ExportColumns } from './columns.ts';
export { trialColumns } from './columns.ts';
export { writeTable } from './table-files.ts';
