import type { Amount } from '../../core/base/amount.ts';
import { add, zero } from '../../core/base/amount.ts';
import type { Instrument, InstrumentId } from '../../core/model/instrument.ts';
import type { PositionAccount } from '../../core/model/margin.ts';
import { EquityCurve } from './equity-curve.ts';
import { FillLedger } from './fill-ledger.ts';

/** What the ledgers of one instrument add up to. */
export interface HeldTotals {
  /** Signed lots. */
  readonly position: number;
  readonly fills: number;
  readonly funding: Amount;
}

/** A ledger for each instrument and account we hold or held, and a timeline of equity for each currency they are quoted in. */
export class Ledgers {
  readonly #all: FillLedger[] = [];
  readonly #byAccount: Readonly<Record<PositionAccount, (FillLedger | undefined)[]>> = {
    spot: [],
    isolated: [],
    cross: [],
  };
  /** By quote currency, in order of the first ledger. */
  readonly curves = new Map<string, EquityCurve>();

  /** In order of their beginning. */
  all(): readonly FillLedger[] {
    return this.#all;
  }

  find(instrument: InstrumentId, account: PositionAccount): FillLedger | undefined {
    return this.#byAccount[account][instrument];
  }

  held(instrument: InstrumentId): HeldTotals {
    let position = 0;
    let fills = 0;
    let funding: Amount = zero;
    for (const ledger of this.#all) {
      if (ledger.instrument.id !== instrument) continue;
      position += ledger.position;
      fills += ledger.fills;
      funding = add(funding, ledger.funding);
    }
    return { position, fills, funding };
  }

  /** Begun when first asked for. */
  of(instrument: Instrument, account: PositionAccount): FillLedger {
    const ledgers = this.#byAccount[account];
    const known = ledgers[instrument.id];
    if (known !== undefined) return known;
    const ledger = new FillLedger(instrument, account);
    ledgers[instrument.id] = ledger;
    this.#all.push(ledger);
    const { quoteCurrency } = instrument.spec;
    if (!this.curves.has(quoteCurrency)) this.curves.set(quoteCurrency, new EquityCurve());
    return ledger;
  }
}
