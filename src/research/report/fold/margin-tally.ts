import type { Amount } from '../../../core/base/amount.ts';
import { add, zero } from '../../../core/base/amount.ts';
import type { Micros } from '../../../core/base/clock.ts';
import type { MarginAccountChanged } from '../../../core/model/event.ts';
import type { InstrumentId } from '../../../core/model/instrument.ts';
import type { ChargeEntry } from '../../../core/ledger/index.ts';
import type { MarginAccountView, PositionAccount } from '../../../core/model/margin.ts';

/** Something that happened to a margin account. */
export interface MarginIncident {
  readonly what: 'marginCall' | 'liquidation';
  readonly time: Micros;
  readonly product: MarginAccountChanged['product'];
  /** As the report showed it. */
  readonly account: MarginAccountView;
}

/** What was charged for positions of one instrument in one account. */
export interface ChargeSum {
  readonly kind: ChargeEntry['kind'];
  readonly instrument: InstrumentId;
  readonly account: PositionAccount;
  readonly count: number;
  /** In the currency of the margin; below zero it was received. */
  readonly amount: Amount;
}

const incidentsMax = 1_000;

/** What margin accounts of a run came to: margin calls and liquidations, funding and interest. */
export class MarginTally {
  /** The first thousand. */
  readonly incidents: MarginIncident[] = [];
  /** Whether a margin account was ever reported. */
  isSeen = false;
  calls = 0;
  liquidations = 0;
  readonly #sums = new Map<string, ChargeSum>();
  /** Accounts on which a margin call stands. */
  readonly #called = new Set<string>();

  /** In order of their first. */
  get charges(): readonly ChargeSum[] {
    return [...this.#sums.values()];
  }

  observe(event: MarginAccountChanged): void {
    this.isSeen = true;
    this.#watch(event);
  }

  /** The ledger booked funding or interest. */
  charged({ kind, instrument, account, amount }: ChargeEntry): void {
    const key = `${kind} ${instrument} ${account}`;
    const known = this.#sums.get(key) ?? { kind, instrument, account, count: 0, amount: zero };
    this.#sums.set(key, { ...known, count: known.count + 1, amount: add(known.amount, amount) });
  }

  #watch({ product, reason, account, exchangeTime: time }: MarginAccountChanged): void {
    const { mode, instrument, currency, called } = account;
    const name = `${product} ${mode} ${instrument ?? currency}`;
    if (reason === 'liquidated') {
      this.liquidations += 1;
      this.#note({ what: 'liquidation', time, product, account });
    }
    if (called && !this.#called.has(name)) {
      this.#called.add(name);
      this.calls += 1;
      this.#note({ what: 'marginCall', time, product, account });
    } else if (!called) this.#called.delete(name);
  }

  #note(incident: MarginIncident): void {
    if (this.incidents.length < incidentsMax) this.incidents.push(incident);
  }
}
