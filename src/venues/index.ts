/** The port of a venue, its options and addresses. */
export { isLoopback, requirePrivate, restAddress } from './address.ts';
export type { ClientOptions } from './options.ts';
export type {
  AccountDecoder,
  ConnectDeps,
  MarketSubscription,
  OpenVenueSetup,
  VenueAddresses,
  VenueBudgets,
  VenueConnection,
  VenueExamination,
  VenueModule,
} from './port.ts';
export { VenueFailed } from './port.ts';
