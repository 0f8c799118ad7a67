/** Parquet files, read and written. */
export { parquet } from './parquet.ts';
export { openParquetFile, parquetSource } from './source.ts';
export type { ParquetTable } from './table.ts';
export { parquetKey } from './table.ts';
export { writeParquet } from './write.ts';
