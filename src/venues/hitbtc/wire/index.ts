/** Codec of the Trading API, both directions. */
export type { AuthResult } from './auth.ts';
export { snakeKeys } from './camel.ts';
export type { Asked, Endpoint, HttpMethod, Right } from './endpoint.ts';
export { fillPath } from './endpoint.ts';
export type { ErrorPlace } from './error-bodies.ts';
export {
  encodeSocketError,
  errorBody,
  errorBodyV2,
  sentErrors,
  unknownPathBody,
  v2ErrorWords,
} from './error-bodies.ts';
export type { WireError } from './errors.ts';
export { errorTable, httpStatusOf, wireError } from './errors.ts';
export { feeText, parseTime, printTime, readTime } from './formats.ts';
export { parseFrame, parseLossless, utf8Text } from './json.ts';
export type { LimitRow } from './limits.ts';
export { bounds, limitOf, v2Limits, v3Limits } from './limits.ts';
export type { DecodeResult, MarketSink, SocketId, SocketReply } from './market-sink.ts';
export { withOddMembers } from './odd-members.ts';
export { parameterError } from './param-errors.ts';
export { noParams, readRequestParams } from './param-fields.ts';
export type { WireVersion } from './resource.ts';
export { basicHeader, signV2, signV3, verifyV2, verifyV3 } from './rest-auth.ts';
export {
  loginKey,
  sentLogins,
  v2BasicParams,
  v2BearerParams,
  v2LoginParams,
  v3BasicParams,
  v3LoginParams,
  verifyV2Login,
  verifyV3Login,
} from './socket-auth.ts';
export { sentForms, sentTo, documentTitle } from './sent.ts';
export type { SocketMethod } from './socket-method.ts';
export { readAnswer } from './socket-reply.ts';
export type { RequestId, SocketRequest } from './socket-request.ts';
export {
  encodeRpcNotification,
  idMember,
  readSocketRequest,
  rpcNotificationText,
  unsupportedMethod,
} from './socket-request.ts';
