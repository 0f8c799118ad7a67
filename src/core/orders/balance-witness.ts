import type { Amount } from '../base/amount.ts';
import { add, subtract, zero } from '../base/amount.ts';
import type { Micros } from '../base/clock.ts';
import type { Instrument } from '../model/instrument.ts';
import type { StateView } from '../state/index.ts';
import type { Findings } from './base/reads.ts';

/** A balance and what was booked of its currency, at a read at which nothing was in doubt. */
interface Agreed {
  readonly balance: Amount;
  readonly booked: Amount;
}

/**
 * Balances as a witness of executions on spot: a balance that has moved by exactly what was booked since both were last in agreement has
 * the execution. It says nothing of a currency that is also paid with, or where an execution came after the balances were asked for.
 */
export class BalanceWitness {
  readonly #view: StateView;
  readonly #agreed = new Map<string, Agreed>();
  /** When an execution of a base currency was last booked, by wall time. */
  readonly #bookedAt = new Map<string, Micros>();

  constructor(view: StateView) {
    this.#view = view;
  }

  /** Executions were booked. */
  booked(): void {
    const { booked, instruments, time } = this.#view;
    for (const { instrument } of booked)
      this.#bookedAt.set(instruments.at(instrument).spec.baseCurrency, time);
  }

  /** Whether the balance of the base currency has what was booked. */
  has({ spec: { baseCurrency } }: Instrument, findings: Findings): boolean {
    const agreed = this.#agreed.get(baseCurrency);
    if (agreed === undefined) return false;
    const booked = this.#booked();
    if (!this.#isCurrent(baseCurrency, booked, findings)) return false;
    const moved = subtract(balanceOf(baseCurrency, findings), agreed.balance);
    return moved === subtract(booked.held.get(baseCurrency) ?? zero, agreed.booked);
  }

  /** A complete look was had: balances of currencies without an open execution are what later ones are held against. */
  settle(findings: Findings): void {
    const view = this.#view;
    const open = new Set(
      view.openExecutions.map(({ trade }) => view.instruments.at(trade.instrument).spec.baseCurrency),
    );
    const books = this.#booked();
    for (const { currency, available, reserved } of findings.balances)
      if (!open.has(currency) && this.#isCurrent(currency, books, findings))
        this.#agreed.set(currency, {
          balance: add(available, reserved),
          booked: books.held.get(currency) ?? zero,
        });
  }

  #isCurrent(currency: string, { paidWith }: Booked, { balancesAskedAt }: Findings): boolean {
    return !paidWith.has(currency) && balancesAskedAt > (this.#bookedAt.get(currency) ?? 0);
  }

  #booked(): Booked {
    const { instruments } = this.#view;
    const held = new Map<string, Amount>();
    const paidWith = new Set<string>();
    for (const position of this.#view.positions()) {
      const { baseCurrency, quoteCurrency } = instruments.at(position.instrument).spec;
      paidWith.add(quoteCurrency);
      if (position.account === 'spot')
        held.set(baseCurrency, add(held.get(baseCurrency) ?? zero, position.held));
    }
    return { held, paidWith };
  }
}

/** Sums of positions on spot by base currency, and the currencies that positions are paid with. */
interface Booked {
  readonly held: ReadonlyMap<string, Amount>;
  readonly paidWith: ReadonlySet<string>;
}

function balanceOf(currency: string, { balances }: Findings): Amount {
  const balance = balances.find((one) => one.currency === currency);
  return balance === undefined ? zero : add(balance.available, balance.reserved);
}
