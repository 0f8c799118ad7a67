/** Market data frames to events. */
export { MarketDataHandler } from './handler.ts';
