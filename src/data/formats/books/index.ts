/** Books of foreign formats. */
export { bookShapeOf } from './columns.ts';
export { binanceBookTicker, binanceDepth, booksCsv, readTable, tableOfBooks } from './formats.ts';
export type { BookItem } from './rows.ts';
export { firstBooksNote } from './rows.ts';
