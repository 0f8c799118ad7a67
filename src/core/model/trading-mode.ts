/** `active`: all commands. `reducing`: cancels, reads and orders that shrink a position. `halted`: cancels and reads. */
export type TradingMode = 'active' | 'reducing' | 'halted';
