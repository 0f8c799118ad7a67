import type { Amount } from '../../core/base/amount.ts';
import { subtract, zero } from '../../core/base/amount.ts';
import type { Desk } from './desk.ts';
import type { MarginAccount } from './margin-account.ts';
import type { OrderRecord } from './order-record.ts';
import type { Purse } from './purse.ts';
import { isReducing } from './reducing.ts';
import { releaseUnits } from './unit-holding.ts';

/** An order begins to live. */
export function admit(desk: Desk, record: OrderRecord): void {
  desk.account(record.seat.account).add(record);
  if (isReducing(record)) desk.exclusiveCount += 1;
}

/** Reserves `amount` for an order that holds nothing; false, and nothing is done, when the balance is too low. */
export function reserveFor(desk: Desk, record: OrderRecord, amount: Amount): boolean {
  if (record.list?.exclusive === true) return claim(desk, record, amount);
  if (!reserve(desk, record, amount)) return false;
  record.held = amount;
  return true;
}

/** Gives back all that is held for an order. */
export function giveBack(desk: Desk, record: OrderRecord): void {
  if (record.counted) {
    releaseUnits(desk, record, record.heldUnits);
    record.counted = false;
    return;
  }
  if (record.seat.isFree) return;
  if (record.list?.exclusive === true) claim(desk, record, zero);
  else release(desk, record, record.held);
  record.held = zero;
}

/** Gives back a part of what is held for an order. */
export function giveBackPart(desk: Desk, record: OrderRecord, part: Amount): void {
  release(desk, record, part);
  record.held = subtract(record.held, part);
}

/** Sets what an order needs of a shared reservation; false, and nothing is done, when the balance is too low. */
function claim(desk: Desk, record: OrderRecord, amount: Amount): boolean {
  let others = zero;
  for (const other of record.list?.members ?? []) {
    if (other !== record && sharesPayer(other, record) && other.held > others) others = other.held;
  }
  const before = record.held > others ? record.held : others;
  const after = amount > others ? amount : others;
  if (after > before) {
    if (!reserve(desk, record, subtract(after, before))) return false;
  } else if (after < before) {
    release(desk, record, subtract(before, after));
  }
  record.held = amount;
  return true;
}

/** A port tells orders of one side of one instrument from all others. */
function sharesPayer(one: OrderRecord, other: OrderRecord): boolean {
  if (one.seat.port !== undefined) return one.seat === other.seat && one.side === other.side;
  return payerOf(one) === payerOf(other);
}

function payerOf({ seat, side }: OrderRecord): Purse | MarginAccount {
  return seat.margin ?? (side === 'buy' ? seat.quote : seat.base);
}

function reserve(desk: Desk, record: OrderRecord, amount: Amount): boolean {
  const { seat, side } = record;
  if (seat.port !== undefined) return seat.port.reserve(record, amount);
  if (seat.margin !== undefined) return seat.margin.reserve(desk.ledger, amount);
  return desk.ledger.reserve(side === 'buy' ? seat.quote : seat.base, amount);
}

function release(desk: Desk, record: OrderRecord, amount: Amount): void {
  const { seat, side } = record;
  if (seat.port !== undefined) seat.port.release(record, amount);
  else if (seat.margin !== undefined) seat.margin.release(amount);
  else desk.ledger.release(side === 'buy' ? seat.quote : seat.base, amount);
}

/** The first order of an exclusive list executes: it takes over what it needs, the others hold nothing any more. */
export function decide(desk: Desk, record: OrderRecord): void {
  const { list } = record;
  if (list === undefined) return;
  for (const other of list.others(record)) claim(desk, other, zero);
  list.exclusive = false;
  list.decided = true;
  desk.exclusiveCount -= 1;
}

/** The orders of the list exclude each other from now on. */
export function makeExclusive(desk: Desk, list: NonNullable<OrderRecord['list']>): void {
  list.exclusive = true;
  desk.exclusiveCount += 1;
}

/** An order that has ended leaves its list. */
export function leaveList(desk: Desk, record: OrderRecord): void {
  const { list } = record;
  if (list === undefined) return;
  list.leave(record);
  if (!list.exclusive || list.members.length > 0) return;
  list.exclusive = false;
  desk.exclusiveCount -= 1;
}
