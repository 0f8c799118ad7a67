/** Parquet files, read and written. */
export { parquet } from './parquet.ts';
export type { ParquetTable } from './table.ts';
export { writeParquet } from './write.ts';
