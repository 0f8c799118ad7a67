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
export { endOrder, endAndReport, leftBook, withdraw } from './ending.ts';
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
export { reserveUnits } from './integer-reservations.ts';
export { checkPositionLimit } from './margin-need.ts';
export { forgetPosition } from './margin-settle.ts';
export { capOf, isReducing } from './reducing.ts';
export { admit, giveBack, makeExclusive, reserveFor } from './reservations.ts';
export { reportTrade, settleExecution } from './settle.ts';
export { isFillable } from './walk.ts';
