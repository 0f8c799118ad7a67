/** Commands, calls on a socket, and how a call ends. */
export { encodeCommand, leavesBySocket } from './commands.ts';
export type { CallOutcome, CallVerdict, CommandEnd } from './outcome.ts';
export {
  encodeCommandEnd,
  statusSilence,
  statusUnsent,
  unknownVerdict,
  verdictOfHttp,
  verdictOfSocketError,
  verdictText,
} from './outcome.ts';
export type { FrameSource, RpcAnswer } from './rpc.ts';
export { RpcCalls, makeFrame, recordFrame } from './rpc.ts';
