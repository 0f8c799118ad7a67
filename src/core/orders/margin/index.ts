/** Margin accounts in the order manager: needs, charges and reads. */
export { changeDenial } from './change-rules.ts';
export { MarginChangeTracker } from './changes.ts';
export { MarginComparison } from './comparison.ts';
export { MissedCharges } from './missed-charges.ts';
export { accountAsIs, drawsOn, marginNeedAt, marginPayer, marginTaken } from './power.ts';
export { isReduceOnly, venueLots } from './reducing.ts';
