/** Groups of calls of version 2. */
export { V2Account } from './account.ts';
export { V2Margin } from './margin.ts';
export { V2Pages } from './pages.ts';
export { V2SubAccounts } from './sub-accounts.ts';
