/** REST: how routes are served. */
export type { HttpAnswer, HttpBounds, RestBinding, RestFallback, RestRequest } from './http.ts';
export { Http } from './http.ts';
export {
  byName,
  bySymbol,
  lotsFor,
  ofSymbol,
  symbolFilter,
  v2BySymbol,
  v2Instruments,
  v2InstrumentsNamed,
  withOptionalV2Instrument,
  withV2Instrument,
} from './instruments.ts';
export { serveRoutes } from './rest-api.ts';
export type { RestResult, RestRoute, RouteCall } from './rest-route.ts';
export { routeAccount, v2Route, v3Route } from './rest-route.ts';
export { sendAndClose } from './send-and-close.ts';
