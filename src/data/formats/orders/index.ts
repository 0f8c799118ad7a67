/** Formats of single orders, one reader each. */
export { bitstampLog } from './bitstamp.ts';
export { databento } from './databento.ts';
export { lobster } from './lobster.ts';
