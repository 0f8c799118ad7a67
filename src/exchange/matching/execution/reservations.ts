import type { Amount } from '../../../core/base/amount.ts';
import { subtract, zero } from '../../../core/base/amount.ts';
import type { ExchangeState } from '../state/index.ts';
import type { MarginAccount, Wallet } from '../accounts/index.ts';
import type { OrderRecord } from '../orders/index.ts';
import { isReducing } from './reducing.ts';
import { releaseUnits } from './integer-reservations.ts';

/** An order begins to live. */
export function admit(exchange: ExchangeState, record: OrderRecord): void {
  exchange.account(record.context.account).add(record);
  if (isReducing(record)) exchange.exclusiveCount += 1;
}

/** Reserves `amount` for an order that holds nothing; false, and nothing is done, when the balance is too low. */
export function reserveFor(exchange: ExchangeState, record: OrderRecord, amount: Amount): boolean {
  if (record.list?.exclusive === true) return claim(exchange, record, amount);
  if (!reserve(exchange, record, amount)) return false;
  record.held = amount;
  return true;
}

/** Gives back all that is held for an order. */
export function giveBack(exchange: ExchangeState, record: OrderRecord): void {
  if (record.counted) {
    releaseUnits(exchange, record, record.heldUnits);
    record.counted = false;
    return;
  }
  if (record.context.isFree || record.held === zero) return;
  if (record.list?.exclusive === true) claim(exchange, record, zero);
  else release(exchange, record, record.held);
  record.held = zero;
}

/** Gives back a part of what is held for an order. */
export function giveBackPart(exchange: ExchangeState, record: OrderRecord, part: Amount): void {
  release(exchange, record, part);
  record.held = subtract(record.held, part);
}

/** Sets what an order needs of a shared reservation; false, and nothing is done, when the balance is too low. */
function claim(exchange: ExchangeState, record: OrderRecord, amount: Amount): boolean {
  let others = zero;
  for (const other of record.list?.members ?? []) {
    if (other !== record && sharesPayer(other, record) && other.held > others) others = other.held;
  }
  const before = record.held > others ? record.held : others;
  const after = amount > others ? amount : others;
  if (after > before) {
    if (!reserve(exchange, record, subtract(after, before))) return false;
  } else if (after < before) {
    release(exchange, record, subtract(before, after));
  }
  record.held = amount;
  return true;
}

/** A port identifies orders of one side of one instrument. */
function sharesPayer(one: OrderRecord, other: OrderRecord): boolean {
  if (one.context.port !== undefined) return one.context === other.context && one.side === other.side;
  return payerOf(one) === payerOf(other);
}

function payerOf({ context, side }: OrderRecord): Wallet | MarginAccount {
  return context.margin ?? (side === 'buy' ? context.quote : context.base);
}

function reserve(exchange: ExchangeState, record: OrderRecord, amount: Amount): boolean {
  const { context, side } = record;
  if (context.port !== undefined) return context.port.reserve(record, amount);
  if (context.margin !== undefined) return context.margin.reserve(exchange.wallets, amount);
  return exchange.wallets.reserve(side === 'buy' ? context.quote : context.base, amount);
}

function release(exchange: ExchangeState, record: OrderRecord, amount: Amount): void {
  const { context, side } = record;
  if (context.port !== undefined) context.port.release(record, amount);
  else if (context.margin !== undefined) context.margin.release(amount);
  else exchange.wallets.release(side === 'buy' ? context.quote : context.base, amount);
}

/** The first order of an exclusive list executes: it takes over what it needs, the others hold nothing any more. */
export function decide(exchange: ExchangeState, record: OrderRecord): void {
  const { list } = record;
  if (list === undefined) return;
  for (const other of list.others(record)) claim(exchange, other, zero);
  list.exclusive = false;
  list.decided = true;
  exchange.exclusiveCount -= 1;
}

/** The orders of the list exclude each other from now on. */
export function makeExclusive(exchange: ExchangeState, list: NonNullable<OrderRecord['list']>): void {
  list.exclusive = true;
  exchange.exclusiveCount += 1;
}

/** An order that has ended leaves its list. */
export function leaveList(exchange: ExchangeState, record: OrderRecord): void {
  const { list } = record;
  if (list === undefined) return;
  list.leave(record);
  if (!list.exclusive || list.members.length > 0) return;
  list.exclusive = false;
  exchange.exclusiveCount -= 1;
}
