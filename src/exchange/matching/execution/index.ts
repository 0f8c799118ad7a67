/** Admission, entry, fills, settlement and ends of orders. */
export type { OrderRefusal } from './admission.ts';
export {
  checkAccount,
  checkClientId,
  checkFatFinger,
  checkRequest,
  checkStatus,
  insufficientFunds,
} from './admission.ts';
export {
  activateFired,
  awaitExpiry,
  breaksPostOnly,
  collectFired,
  enter,
  holdFunds,
  restOrder,
  startsSuspended,
  suspend,
} from './entry.ts';
export { FifoFills } from './fifo-fills.ts';
export { capOf, checkPositionLimit, isFillable, isReducing } from './needs.ts';
export {
  admit,
  endAndReport,
  endOrder,
  giveBack,
  leftBook,
  makeExclusive,
  reserveFor,
  reserveUnits,
  withdraw,
} from './reservations.ts';
export { forgetPosition, reportTrade, settleExecution } from './settle.ts';
