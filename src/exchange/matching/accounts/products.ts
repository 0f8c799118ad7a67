import type { AccountId } from './command.ts';

const accountSpan = 2 ** 20;

/**
 * A participant has up to three account numbers: for spot, for margin, and for futures orders. So lists of orders and
 * their histories are apart, as they are in the interface, and the core need not distinguish them. Client order ids and
 * order limits are those of the participant (`UserOrders`).
 */
export function marginAccountOf(account: AccountId): AccountId {
  return (spotAccountOf(account) + accountSpan) as AccountId;
}

export function futuresAccountOf(account: AccountId): AccountId {
  return (spotAccountOf(account) + 2 * accountSpan) as AccountId;
}

/** The number of the same participant for spot orders: the one that a server gives. */
export function spotAccountOf(account: AccountId): AccountId {
  return (account % accountSpan) as AccountId;
}

/** Whether orders of this account are settled with margin. */
export function isProductAccount(account: AccountId): boolean {
  return account >= accountSpan;
}

export function isFuturesAccount(account: AccountId): boolean {
  return account >= 2 * accountSpan;
}
