/** Sub-accounts and transfers between them. */
export { v2SubAccountRoutes } from './rest-v2.ts';
export { v3SubAccountRoutes } from './rest-v3.ts';
export type { SubAccountAccess, SubAccountService } from './service.ts';
export { makeSubAccounts } from './service.ts';
