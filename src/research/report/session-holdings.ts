import type { Amount } from '../../core/base/amount.ts';
import { add, zero } from '../../core/base/amount.ts';
import type { Instrument, InstrumentId } from '../../core/model/instrument.ts';
import type { PositionAccount } from '../../core/model/margin.ts';
import { EquityCurve } from './equity-curve.ts';
import { SessionHolding } from './session-holding.ts';

/** Sums over the accounts of one instrument. */
export interface HeldTotals {
  /** Signed lots. */
  readonly position: number;
  readonly fills: number;
  readonly funding: Amount;
}

/** Holdings of a session by instrument and account, and a timeline of equity for each currency they are quoted in. */
export class SessionHoldings {
  readonly #all: SessionHolding[] = [];
  readonly #byAccount: Readonly<Record<PositionAccount, (SessionHolding | undefined)[]>> = {
    spot: [],
    isolated: [],
    cross: [],
  };
  /** By quote currency, in order of the first holding. */
  readonly curves = new Map<string, EquityCurve>();

  /** In order of their beginning. */
  all(): readonly SessionHolding[] {
    return this.#all;
  }

  find(instrument: InstrumentId, account: PositionAccount): SessionHolding | undefined {
    return this.#byAccount[account][instrument];
  }

  held(instrument: InstrumentId): HeldTotals {
    let position = 0;
    let fills = 0;
    let funding: Amount = zero;
    for (const holding of this.#all) {
      if (holding.instrument.id !== instrument) continue;
      const { quantity, fillCount, charges } = holding.position;
      position += quantity;
      fills += fillCount;
      funding = add(funding, charges);
    }
    return { position, fills, funding };
  }

  /** Begun when first asked for. */
  of(instrument: Instrument, account: PositionAccount): SessionHolding {
    const holdings = this.#byAccount[account];
    const known = holdings[instrument.id];
    if (known !== undefined) return known;
    const holding = new SessionHolding(instrument, account);
    holdings[instrument.id] = holding;
    this.#all.push(holding);
    const { quoteCurrency } = instrument.spec;
    if (!this.curves.has(quoteCurrency)) this.curves.set(quoteCurrency, new EquityCurve());
    return holding;
  }
}
