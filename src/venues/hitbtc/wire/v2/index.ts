/** Requests, methods and frames of version 2. */
export type { V2EndpointName, V2Params } from './rest.ts';
export { v2Endpoints } from './rest.ts';
export type { V2MethodName, V2MethodParams } from './socket-methods.ts';
export { v2LimitOf, v2Locations, v2Methods, v2Notices, v2PublicMethods } from './socket-methods.ts';
