/** The live venue over sockets and REST. */
export type { CallVerdict, RpcAnswer } from './calls/index.ts';
export { unknownVerdict, verdictOfSocketError, verdictText } from './calls/index.ts';
export { LiveVenue } from './live-venue.ts';
export type { ApiCall, ApiVersion, CallGate, RestReply } from './rest/index.ts';
export { RestClient, callOf, fieldText, keyRights, loadInstruments } from './rest/index.ts';
