/** The live venue over sockets and REST. */
export type { AccountCounters, PrivateStreamDeps } from './account/private-stream.ts';
export { PrivateStreamHandler } from './account/private-stream.ts';
export type { CallOutcome, CallVerdict, RpcAnswer } from './calls/index.ts';
export { unknownVerdict, verdictOfSocketError, verdictText } from './calls/index.ts';
export type { LiveVenueDeps } from './live-sessions.ts';
export { LiveVenue } from './live-venue.ts';
export type { ApiCall, ApiVersion, CallGate, RestDeps, RestReply } from './rest/index.ts';
export {
  RestClient,
  RestFailed,
  callOf,
  fieldText,
  keyRights,
  loadInstruments,
  restRoots,
  wholeText,
} from './rest/index.ts';
