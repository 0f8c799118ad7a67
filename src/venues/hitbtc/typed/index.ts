/** The public entry `godwit/client`: the connections to a venue, for those who want them without the trader. */
export { ApiBudgets } from '../budgets/api.ts';
export type { Scope } from '../budgets/api.ts';
export type { LaneUsage } from '../../../core/budgets/lanes.ts';
export { budgetOptions } from '../budgets/options.ts';
export type { BudgetOptions } from '../budgets/options.ts';
export { PrivateStreamHandler } from '../client/account/private-stream.ts';
export type { AccountCounters, PrivateStreamDeps } from '../client/account/private-stream.ts';
export { AddressRefused } from '../../address.ts';
export { RestFailed } from '../client/rest/rest.ts';
export { LiveVenue } from '../client/live-venue.ts';
export type { LiveVenueDeps } from '../client/live-sessions.ts';
export { loadInstruments } from '../client/rest/symbol-list.ts';
export type { MarketSubscription } from '../../port.ts';
export { clientOptions } from '../../options.ts';
export type { ClientOptions } from '../../options.ts';
export type { CallOutcome, CallVerdict } from '../client/calls/outcome.ts';
export { RestClient } from '../client/rest/rest.ts';
export type { CallGate, ApiCall, RestReply, RestDeps } from '../client/rest/rest.ts';
export type { OpenSocket, Socket, SocketListener } from '../../net/socket.ts';
export { WsSocket } from '../../net/ws-socket.ts';
export type { WsSocketDeps } from '../../net/ws-socket.ts';
/** The whole API, typed: `new GodwitClient({ baseUrl }).v3.spot.createOrder(...)`. */
export { add, formatAmount, negate, parseAmount, subtract } from '../../../core/base/amount.ts';
export type { Amount } from '../../../core/base/amount.ts';
export type { Micros } from '../../../core/base/clock.ts';
export { Secret } from '../../../core/base/secret.ts';
export { parseTime, printTime } from '../wire/formats.ts';
export type { V2Symbol, V3Symbol } from '../wire/resources/symbol.ts';
export type {
  ExactLevel,
  V2BookOf,
  V2OrderBook,
  V3ChannelBook,
  V3OrderBook,
} from '../wire/resources/book.ts';
export type { V3ChannelNotice } from '../wire/v3/public-notices.ts';
export type {
  V2MarginAccount,
  V2Position,
  V3AmrSetting,
  V3HistoryRow,
  V3MarginAccount,
  V3MarginConfig,
  V3MarginSetting,
  V3Position,
} from '../wire/resources/margin.ts';
export type {
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
} from '../wire/resources/market.ts';
export type { V3SpotBalance } from '../wire/resources/account.ts';
export type {
  V2Order,
  V2OwnTrade,
  V2Report,
  V3MarginOrder,
  V3Order,
  V3OwnTrade,
  V3Report,
} from '../wire/resources/order.ts';
export type { V2Input, V3Input } from './calls/table-caller.ts';
export { listFault } from './api-v3/order-list.ts';
export type { Contingency, OrderList } from './api-v3/order-list.ts';
export type { SocketClients, SocketLogin } from './sockets/clients.ts';
export type { LineState } from './sockets/line.ts';
export * as channels from './sockets/v3-channel.ts';
export type { ChannelSubscription, ChannelRequest } from './sockets/v3-market.ts';
export type { CallOptions } from './calls/caller.ts';
export { GodwitClient } from './client.ts';
export type { GodwitClientOptions } from './client.ts';
export { denialReasons } from './calls/denials.ts';
export type { DenialReason } from './calls/denials.ts';
export { attempt, CallFailed } from './calls/failure.ts';
export type { Attempt, CallFailure } from './calls/failure.ts';
export type { Exact, Moment } from './calls/input.ts';
export { unreadableRows } from './calls/rows.ts';
export type { UnreadableRow } from './calls/rows.ts';
