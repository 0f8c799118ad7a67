/** Feather files of others, read as tables. */
export { feather } from './feather.ts';
