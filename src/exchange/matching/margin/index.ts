/** Margin: commands, charges, expiry and liquidation. */
export type { OrderContext } from './admission.ts';
export { contextFor, fundingOf } from './admission.ts';
export {
  expireContract,
  setStatus,
  settleContract,
  settleFunding,
  takeInterest,
} from './charges-and-expiry.ts';
export { closePosition, setAmr, setAutoMargin, setLeverage, setMargin } from './commands.ts';
export { watchMargins } from './liquidation.ts';
