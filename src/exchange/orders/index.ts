/** Orders of spot accounts, over REST and sockets. */
export { Reports } from './reports.ts';
export { ownTradeRow, v2HistoryRoutes, v3HistoryRoutes } from './rest-history.ts';
export { v2SpotRoutes, v3SpotRoutes, v3UserRoutes } from './rest.ts';
export { OrderService, answerOf } from './service.ts';
export { v2TradingSocketMethods } from './socket-v2.ts';
export { v3BalanceMethods } from './socket-v3-balances.ts';
export { v3TradingMethods } from './socket-v3.ts';
