/** Transport of every venue: sockets, HTTP, deadlines, turns under a limit and the offset of a clock. */
export { ClockOffset } from './clock-offset.ts';
export { Deadlines } from './deadlines.ts';
export type { Sender } from './request-slots.ts';
export { takeRequestSlot } from './request-slots.ts';
export type { Socket } from './socket.ts';
export { WsSocket } from './ws-socket.ts';
