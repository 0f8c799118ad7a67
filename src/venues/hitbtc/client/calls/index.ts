/** Commands, calls on a socket, and how a call ends. */
export type { CommandEnd } from './command-end.ts';
export { encodeCommandEnd, statusSilence, statusUnsent } from './command-end.ts';
export { encodeCommand, leavesBySocket } from './commands.ts';
export type { FrameSource } from './frames.ts';
export { makeFrame, recordFrame } from './frames.ts';
export type { CallOutcome, CallVerdict } from './outcome.ts';
export { unknownVerdict, verdictOfHttp, verdictOfSocketError, verdictText } from './outcome.ts';
export type { RpcAnswer } from './rpc.ts';
export { RpcCalls } from './rpc.ts';
