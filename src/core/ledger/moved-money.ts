import { add, zero } from '../base/amount.ts';
import type { CarriedMove } from '../model/carried-state.ts';
import type { MovedMoney, WalletName } from '../model/difference.ts';

/**
 * Sums of transfers and of unexplained money, by wallet and currency. They are part of what a wallet should hold, and of no position: no
 * strategy gained or lost them.
 */
export class MovedSums {
  readonly #sums = new Map<string, CarriedMove>();

  book({ entry, wallet, currency, amount }: MovedMoney): void {
    const known = this.of(wallet, currency);
    this.#sums.set(
      `${wallet} ${currency}`,
      entry === 'transfer'
        ? { ...known, transfers: add(known.transfers, amount) }
        : { ...known, unexplained: add(known.unexplained, amount) },
    );
  }

  /** Sums of a wallet and currency; zero before anything moved. */
  of(wallet: WalletName, currency: string): CarriedMove {
    return (
      this.#sums.get(`${wallet} ${currency}`) ?? { wallet, currency, transfers: zero, unexplained: zero }
    );
  }

  /** In order of first appearance. */
  all(): readonly CarriedMove[] {
    return [...this.#sums.values()];
  }

  takeMoves(carried: readonly CarriedMove[]): void {
    for (const one of carried) this.#sums.set(`${one.wallet} ${one.currency}`, one);
  }
}
