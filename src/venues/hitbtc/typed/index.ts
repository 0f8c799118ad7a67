/** The public entry `godwit/client`: the connections to a venue, for those who want them without the trader. */
export { ApiBudgets } from '../budgets/api.ts';
export type { Scope } from '../budgets/api.ts';
export type { LaneUsage } from '../../../core/budgets/lanes.ts';
export { budgetOptions } from '../budgets/options.ts';
export type { BudgetOptions } from '../budgets/options.ts';
export { PrivateStreamHandler, RestFailed, LiveVenue, loadInstruments, RestClient } from '../client/index.ts';
export type {
  AccountCounters,
  PrivateStreamDeps,
  LiveVenueDeps,
  CallOutcome,
  CallVerdict,
  CallGate,
  ApiCall,
  RestReply,
  RestDeps,
} from '../client/index.ts';
export { AddressRefused } from '../../address.ts';
export type { MarketSubscription } from '../../port.ts';
export { clientOptions } from '../../options.ts';
export type { ClientOptions } from '../../options.ts';
export type { OpenSocket, Socket, SocketListener, WsSocketDeps } from '../../net/index.ts';
export { WsSocket } from '../../net/index.ts';
/** The whole API, typed: `new GodwitClient({ baseUrl }).v3.spot.createOrder(...)`. */
export { add, formatAmount, negate, parseAmount, subtract } from '../../../core/base/amount.ts';
export type { Amount } from '../../../core/base/amount.ts';
export type { Micros } from '../../../core/base/clock.ts';
export { Secret } from '../../../core/base/secret.ts';
export { parseTime, printTime } from '../wire/index.ts';
export type {
  V2Symbol,
  V3Symbol,
  ExactLevel,
  V2BookOf,
  V2OrderBook,
  V3ChannelBook,
  V3OrderBook,
  V2MarginAccount,
  V2Position,
  V3AmrSetting,
  V3HistoryRow,
  V3MarginAccount,
  V3MarginConfig,
  V3MarginSetting,
  V3Position,
  V2Candle,
  V2CandlesOf,
  V2PublicTrade,
  V2Ticker,
  V2TradesOf,
  V3Candle,
  V3ChannelTicker,
  V3ChannelTop,
  V3Converted,
  V3LastPrice,
  V3PublicTrade,
  V3Ticker,
  V3SpotBalance,
  V2Order,
  V2OwnTrade,
  V2Report,
  V3MarginOrder,
  V3Order,
  V3OwnTrade,
  V3Report,
} from '../wire/resources/index.ts';
export type { V3ChannelNotice } from '../wire/v3/index.ts';
export type {
  V2Input,
  V3Input,
  CallOptions,
  DenialReason,
  Attempt,
  CallFailure,
  Exact,
  Moment,
  UnreadableRow,
} from './calls/index.ts';
export { listFault } from './api-v3/index.ts';
export type { Contingency, OrderList } from './api-v3/index.ts';
export type {
  SocketClients,
  SocketLogin,
  LineState,
  ChannelSubscription,
  ChannelRequest,
} from './sockets/index.ts';
export * as channels from './sockets/v3-channel.ts';
export { GodwitClient } from './client.ts';
export type { GodwitClientOptions } from './client.ts';
export { denialReasons, attempt, CallFailed, unreadableRows } from './calls/index.ts';
