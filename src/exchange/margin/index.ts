/** Margin accounts and their orders, over REST and sockets. */
export { accountNotices } from './account-notices.ts';
export { closedPosition, leverageOf, marginTermsOf } from './product-service.ts';
export { v2MarginRoutes } from './rest-v2.ts';
export { v3MarginRoutes } from './rest-v3.ts';
export { marginRules } from './rules.ts';
export { MarginService } from './service.ts';
export { v2MarginSocketMethods } from './socket-v2.ts';
export { v3FuturesMethods, v3MarginMethods } from './socket-v3.ts';
export { V2Orders } from './v2-orders.ts';
