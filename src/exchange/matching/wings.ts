import type { AccountId } from './command.ts';

const wingSize = 2 ** 20;

/**
 * Whoever trades has up to three numbers here: for spot, for margin, and for futures orders. So ids, limits, lists
 * of orders and their histories are apart, as they are in the interface, and the core need not tell them apart.
 */
export function marginWing(account: AccountId): AccountId {
  return (tradingOf(account) + wingSize) as AccountId;
}

export function futuresWing(account: AccountId): AccountId {
  return (tradingOf(account) + 2 * wingSize) as AccountId;
}

/** The number of the same participant for spot orders: the one that a server gives. */
export function tradingOf(account: AccountId): AccountId {
  return (account % wingSize) as AccountId;
}

/** Whether orders of this account are settled with margin. */
export function isWing(account: AccountId): boolean {
  return account >= wingSize;
}

export function isFuturesWing(account: AccountId): boolean {
  return account >= 2 * wingSize;
}
