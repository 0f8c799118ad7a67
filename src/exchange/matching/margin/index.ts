/** Margin: commands, charges, expiry and liquidation. */
export type { OrderContext } from './admission.ts';
export { contextFor, fundingOf } from './admission.ts';
export { settleFunding, takeInterest } from './charges.ts';
export { closePosition, setAmr, setAutoMargin, setLeverage, setMargin } from './commands.ts';
export { expireContract, setStatus, settleContract } from './expiry.ts';
export { watchMargins } from './liquidation.ts';
