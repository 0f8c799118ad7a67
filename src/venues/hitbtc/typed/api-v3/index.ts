/** Groups of calls of version 3. */
export { V3Futures, V3Margin } from './derivatives.ts';
export { V3FuturesMarketData } from './futures-markets.ts';
export type { Contingency, OrderList } from './order-list.ts';
export { listFault } from './order-list.ts';
export { V3Pages } from './pages.ts';
export { V3SubAccounts } from './sub-accounts.ts';
export { V3Wallet } from './wallet.ts';
