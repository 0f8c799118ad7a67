import type { Refusal } from '../refusal.ts';
import type { RestCall, RestResult } from '../http/rest-route.ts';
import { accountOf } from '../http/rest-route.ts';
import type { SubAccountDesk } from './service.ts';
import type { SubAccountSeat } from './registry.ts';

/** The sub-accounts a call names, and what is answered when one of them is not the caller's. */
export class PickedSeats {
  readonly #desk: SubAccountDesk;
  readonly #notFound: (id: string) => Refusal;

  constructor(desk: SubAccountDesk, notFound: (id: string) => Refusal) {
    this.#desk = desk;
    this.#notFound = notFound;
  }

  /** Answers by `run` for all of them, or not at all. */
  all(
    call: RestCall,
    ids: readonly string[],
    run: (seats: readonly SubAccountSeat[]) => RestResult,
  ): RestResult {
    const picked = this.#desk.pick(accountOf(call), ids);
    return 'unknown' in picked ? this.#notFound(picked.unknown) : run(picked.seats);
  }

  one(call: RestCall, id: string, run: (seat: SubAccountSeat) => RestResult): RestResult {
    const seat = this.#desk.registry.find(accountOf(call), id);
    return seat === undefined ? this.#notFound(id) : run(seat);
  }
}
