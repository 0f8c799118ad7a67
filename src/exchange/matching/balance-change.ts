import type { Amount } from '../../core/base/amount.ts';
import { zero } from '../../core/base/amount.ts';
import type { AccountId } from './command.ts';
import type { BalanceOutcome } from './outcome.ts';
import type { Purse } from './purse.ts';
import { amountOf } from './units.ts';

/** A balance as it was when the command was over. Its amounts are made when somebody reads them. */
export class BalanceChange implements BalanceOutcome {
  readonly kind = 'balance';
  readonly account: AccountId = 0 as AccountId;
  readonly currency: string = '';
  readonly #restAvailable: Amount = zero;
  readonly #restReserved: Amount = zero;
  readonly #unit: Amount = zero;
  readonly #available: number = 0;
  readonly #reserved: number = 0;

  constructor({ account, currency, restAvailable, restReserved, current }: Purse) {
    this.account = account;
    this.currency = currency;
    this.#restAvailable = restAvailable;
    this.#restReserved = restReserved;
    this.#unit = current === undefined ? zero : current.unit;
    this.#available = current === undefined ? 0 : current.available;
    this.#reserved = current === undefined ? 0 : current.reserved;
  }

  get available(): Amount {
    return (this.#restAvailable + amountOf(this.#available, this.#unit)) as Amount;
  }

  get reserved(): Amount {
    return (this.#restReserved + amountOf(this.#reserved, this.#unit)) as Amount;
  }
}
