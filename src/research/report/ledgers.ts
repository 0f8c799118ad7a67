import type { Instrument, InstrumentId } from '../../core/model/instrument.ts';
import { EquityCurve } from './equity-curve.ts';
import { FillLedger } from './fill-ledger.ts';

/** A ledger for each instrument we hold or held, and a course of equity for each currency they are quoted in. */
export class Ledgers {
  readonly #byInstrument = new Map<InstrumentId, FillLedger>();
  /** By quote currency, in order of the first ledger. */
  readonly curves = new Map<string, EquityCurve>();

  /** In order of their beginning. */
  all(): readonly FillLedger[] {
    return [...this.#byInstrument.values()];
  }

  find(instrument: InstrumentId): FillLedger | undefined {
    return this.#byInstrument.get(instrument);
  }

  /** Begun when first asked for. */
  of(instrument: Instrument): FillLedger {
    const known = this.#byInstrument.get(instrument.id);
    if (known !== undefined) return known;
    const ledger = new FillLedger(instrument);
    this.#byInstrument.set(instrument.id, ledger);
    const { quoteCurrency } = instrument.spec;
    if (!this.curves.has(quoteCurrency)) this.curves.set(quoteCurrency, new EquityCurve());
    return ledger;
  }
}
