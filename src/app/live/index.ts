/** A live session: from its configuration to its report. */
export { isOfSession } from './account-now.ts';
export type { TradeMode, TriedStrategy } from './check-trade.ts';
export { checkStrategies, checkTrade } from './check-trade.ts';
export { reportAt } from './journal-report.ts';
export { leftOf } from './left-accounts.ts';
export { LoginRefused } from './market-data.ts';
export { protectionNotes } from './guarded.ts';
export type { ExplainsOrders } from './operated.ts';
export type { LiveParts } from './parts.ts';
export { prepareLive } from './parts.ts';
export { headerOf } from './run-journal.ts';
export { SessionFold } from './session-fold.ts';
export { withChangedParams } from './strategy-acts.ts';
export type { TradeSetting } from './trade.ts';
export { subscriptionsOf } from './subscriptions.ts';
