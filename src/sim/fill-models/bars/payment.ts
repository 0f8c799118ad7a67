import type { Amount } from '../../../core/base/amount.ts';
import { zero } from '../../../core/base/amount.ts';
import type { Instrument, InstrumentId, Instruments, Ticks } from '../../../core/model/instrument.ts';
import type { AccountPort, PaidOrder, BalanceOutcome } from '../../../exchange/matching/index.ts';
import { ourAccount } from '../../product-accounts.ts';
import type { BarAccount } from './account.ts';
import { barFee } from './fee.ts';
import type { BarFees } from './rules.ts';

export interface BarPaymentDeps {
  readonly instruments: Instruments;
  readonly account: BarAccount;
  readonly fees: BarFees;
  /** Receives all balances after each execution, before it is reported: what a strategy then does is judged by them. */
  readonly changed: (outcome: BalanceOutcome) => void;
}

/** How the account of a bar venue pays for orders: they hold funds at rest only, and an execution may be refused. */
export class BarPayment implements AccountPort {
  readonly holdsAtRest = true;
  readonly #setup: BarPaymentDeps;
  /** Fee of the execution under way. */
  #fee: Amount = zero;

  constructor(setup: BarPaymentDeps) {
    this.#setup = setup;
  }

  need({ instrument, side, remaining }: PaidOrder, price: Ticks): Amount {
    return this.#setup.account.need({ instrument: this.#at(instrument), side, price, lots: remaining });
  }

  reserve({ instrument, side }: PaidOrder, amount: Amount): boolean {
    return this.#setup.account.reserve(this.#at(instrument), side, amount);
  }

  release({ instrument, side }: PaidOrder, amount: Amount): void {
    this.#setup.account.release(this.#at(instrument), side, amount);
  }

  /** Books the execution of the whole order, which holds nothing; false, and nothing is done, when the account cannot bear it. */
  execute({ instrument: id, side, remaining: lots }: PaidOrder, price: Ticks, taker: boolean): boolean {
    const { account, fees } = this.#setup;
    const instrument = this.#at(id);
    this.#fee = barFee(fees, instrument, { price, lots, taker });
    return account.execute({ instrument, side, price, lots, fee: this.#fee });
  }

  /** It has been booked by `execute`, which may refuse. */
  settle(): Amount {
    const { account, changed } = this.#setup;
    for (const { currency, available, reserved, buyingPower } of account.balances()) {
      const plain = { kind: 'balance', account: ourAccount, currency, available, reserved } as const;
      changed(buyingPower === undefined ? plain : { ...plain, buyingPower });
    }
    return this.#fee;
  }

  #at(id: InstrumentId): Instrument {
    return this.#setup.instruments.at(id);
  }
}
