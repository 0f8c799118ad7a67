// `network.ts` and `rest-transport.ts` are no part of it: they name types of `ws` and `undici`, which a user of the package need not have.
/** Transport of every venue: sockets, HTTP, deadlines, turns under a limit and the offset of a clock. */
export { ClockOffset } from './clock-offset.ts';
export { Deadlines } from './deadlines.ts';
export type { FileReply, FileSink } from './file-client.ts';
export { FileClient } from './file-client.ts';
export { KeepAwake } from './keep-awake.ts';
export type { Sender } from './request-slots.ts';
export { RequestSlots, takeRequestSlot } from './request-slots.ts';
export type { OpenSocket, Socket, SocketListener } from './socket.ts';
export type { WsSocketDeps } from './ws-socket.ts';
export { WsSocket } from './ws-socket.ts';
