/** Feather files of others, read as tables. */
export { FlatTable } from './flat-table.ts';
export { feather } from './feather.ts';
