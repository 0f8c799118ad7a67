/** Records of orders, from acceptance to their end. */
export { ContingentList } from './contingent-list.ts';
export { Expiries, endOfDay } from './expiries.ts';
export type { Fills } from './fills.ts';
export { Met } from './fills.ts';
export { LiveOrders } from './live.ts';
export type { ExchangeOutcome } from './outcome-buffer.ts';
export { OutcomeBuffer } from './outcome-buffer.ts';
export { OrderOutcome } from './outcome.ts';
export type { OrderRecord } from './record.ts';
export { OrderRecords } from './records.ts';
export { TakenIds } from './taken-ids.ts';
export { Triggers } from './triggers.ts';
