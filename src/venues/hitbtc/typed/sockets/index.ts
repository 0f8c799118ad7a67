/** Sockets of the typed client. */
export type { SocketClients, SocketLogin } from './clients.ts';
export { socketClients } from './clients.ts';
export type { LineState } from './line.ts';
export type { ChannelRequest, ChannelSubscription } from './v3-market.ts';
