/** Arrays of numpy. */
export { hftbacktest } from './hftbacktest.ts';
export { jesseCandles } from './jesse.ts';
