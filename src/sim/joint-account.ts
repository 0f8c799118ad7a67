import type { Amount } from '../core/base/amount.ts';
import type { Instrument, InstrumentId } from '../core/model/instrument.ts';
import type { Balance } from '../core/model/market.ts';
import type { Side } from '../core/model/order.ts';
import type { Booking, Claim, SimAccount } from './account.ts';

/** Accounts of several venues or kinds as one. Each instrument is paid from one of them; none pays for another. */
export class JointAccount implements SimAccount {
  readonly #of: (SimAccount | undefined)[] = [];
  readonly #accounts: readonly SimAccount[];

  /** Which instruments each account pays for; no two of the accounts may hold the same currency. */
  constructor(parts: readonly { readonly account: SimAccount; readonly pays: readonly Instrument[] }[]) {
    this.#accounts = parts.map(({ account }) => account);
    for (const { account, pays } of parts) for (const { id } of pays) this.#of[id] = account;
  }

  mark(instrument: Instrument, price: Amount): void {
    this.#at(instrument.id).mark?.(instrument, price);
  }

  need(claim: Claim): Amount {
    return this.#at(claim.instrument.id).need(claim);
  }

  reserve(instrument: Instrument, side: Side, amount: Amount): boolean {
    return this.#at(instrument.id).reserve(instrument, side, amount);
  }

  release(instrument: Instrument, side: Side, held: Amount): void {
    this.#at(instrument.id).release(instrument, side, held);
  }

  book(booking: Booking): void {
    this.#at(booking.instrument.id).book(booking);
  }

  balances(): Balance[] {
    return this.#accounts.flatMap((account) => account.balances());
  }

  #at(id: InstrumentId): SimAccount {
    return this.#of[id] as SimAccount;
  }
}
