/** Sessions of market data, and the watch over their books. */
export { marketProtocolV2, marketProtocolV3 } from './protocol.ts';
export { MarketSession } from './session.ts';
