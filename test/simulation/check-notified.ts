import { formatAmount, parseAmount } from '../../src/core/base/amount.ts';
import type { VirtualClock } from '../../src/core/base/virtual-clock.ts';
import type { Event, MarginAccountChanged } from '../../src/core/model/event.ts';
import { marginNameOf } from '../../src/core/model/margin.ts';
import type { StateView } from '../../src/core/state/view.ts';
import type { Breaches } from './breaches.ts';

interface Row {
  readonly currency: string;
  readonly available: string;
  readonly reserved: string;
}

type Wallet = 'spot' | 'futures';

/**
 * Balances are shown as the last notification says, whether it repeats what was known or not, until a read that left after it is answered;
 * and an answer is stamped with when it was asked for. The answer to a change of a margin account undoes no report that is newer. I5, I6.
 */
export class NotifiedCheck {
  readonly #time: VirtualClock;
  readonly #breaches: Breaches;
  /** The last notification of the present connection, and its time, by wallet and currency. */
  readonly #notified: Readonly<Record<Wallet, Map<string, Row & { readonly at: number }>>> = {
    spot: new Map(),
    futures: new Map(),
  };
  /** When balances were last asked for, by wallet. */
  readonly #asked = { spot: 0, futures: 0 };
  /** When each margin account last changed, by the exchange's clock, as reports of the present connection tell. */
  readonly #changed = new Map<string, number>();
  /** Whether a frame of the trading socket arrived in this step. */
  #isFrame = false;
  /** Wallets that were notified of, or read, in this step. */
  readonly #due = new Set<Wallet>();

  constructor(time: VirtualClock, breaches: Breaches) {
    this.#time = time;
    this.#breaches = breaches;
  }

  /** The trading socket connects anew, or with a new process. */
  connects(): void {
    this.#notified.spot.clear();
    this.#notified.futures.clear();
    this.#changed.clear();
    this.#due.clear();
  }

  /** A frame of the trading socket is about to reach the trader. */
  arrives(text: string): void {
    this.#isFrame = true;
    const wallet = /^\{"jsonrpc":"2.0","method":"(spot|futures)_balance"/.exec(text)?.[1] as
      | Wallet
      | undefined;
    if (wallet === undefined) return;
    const { params } = JSON.parse(text) as { params: readonly Row[] };
    for (const row of params) this.#notified[wallet].set(row.currency, { ...row, at: this.#time.now() });
    this.#due.add(wallet);
  }

  /** A request leaves: `METHOD path`. */
  request(text: string): void {
    const wallet = /^GET \/api\/3\/(spot|futures)\/balance$/.exec(text)?.[1] as Wallet | undefined;
    if (wallet !== undefined) this.#asked[wallet] = this.#time.now();
  }

  /** The trader has taken this event in. */
  after(event: Event): void {
    if (event.kind === 'marginAccount') this.#account(event);
    if (event.kind !== 'readAnswered') return;
    if (event.askedAt >= event.receiveTime)
      this.#breaches.add(
        'I6',
        `an answer that has just come is said to have been asked for at ${event.askedAt}`,
      );
    if (event.what.of !== 'balances') return;
    const wallet = event.what.product === 'futures' ? 'futures' : 'spot';
    const known = this.#notified[wallet];
    for (const [currency, { at }] of known) if (at <= this.#asked[wallet]) known.delete(currency);
    this.#due.add(wallet);
  }

  #account({ product, account, reportType }: MarginAccountChanged): void {
    const name = marginNameOf({ product, ...account });
    const known = this.#changed.get(name);
    if (!this.#isFrame && known !== undefined && account.updatedAt < known)
      this.#breaches.add(
        'I5',
        `an answer of ${account.updatedAt} undoes what was reported of ${name} at ${known}`,
      );
    if (reportType === 'closed') this.#changed.delete(name);
    else this.#changed.set(name, account.updatedAt);
  }

  afterStep(view: StateView): void {
    this.#isFrame = false;
    if (this.#due.size === 0) return;
    for (const wallet of this.#due)
      for (const { currency, available, reserved } of this.#notified[wallet].values()) {
        const known = view.balance(currency, wallet === 'futures' ? wallet : undefined);
        if (known.available === parseAmount(available) && known.reserved === parseAmount(reserved)) continue;
        const shown = `${formatAmount(known.available)} and ${formatAmount(known.reserved)}`;
        this.#breaches.add(
          'I5',
          `${currency} of the ${wallet} wallet is ${shown}, the last notification says ${available} and ${reserved}`,
        );
      }
    this.#due.clear();
  }
}
