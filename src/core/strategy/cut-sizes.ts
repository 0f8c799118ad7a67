import type { Decimal } from '../base/decimal.ts';
import type { Lots, Rounding } from '../model/grid.ts';
import type { InstrumentId } from '../model/instrument.ts';
import { Instrument } from '../model/instrument.ts';
import { deepFreeze } from './params.ts';

/** Sizes of one instrument that a strategy rounded down to nothing. */
export interface CutSize {
  readonly instrument: InstrumentId;
  /** The first of them, as it was asked for. */
  readonly first: string;
  readonly count: number;
}

const shownMax = 40;

/** The sizes of a strategy that were less than one increment, by instrument. */
export class CutSizes {
  readonly #cuts = new Map<InstrumentId, CutSize>();
  readonly #untold = new Set<InstrumentId>();

  /** A size became nothing. */
  noteCut(instrument: InstrumentId, size: string): void {
    const known = this.#cuts.get(instrument);
    const first = known?.first ?? size.slice(0, shownMax);
    this.#cuts.set(instrument, { instrument, first, count: (known?.count ?? 0) + 1 });
    this.#untold.add(instrument);
  }

  /** Takes what was counted elsewhere: in the thread of the strategy. */
  takeCut(cut: CutSize): void {
    this.#cuts.set(cut.instrument, cut);
  }

  get all(): readonly CutSize[] {
    return [...this.#cuts.values()];
  }

  /** Those that changed since they were asked for last. */
  untold(): readonly CutSize[] {
    if (this.#untold.size === 0) return [];
    const cuts = this.all.filter(({ instrument }) => this.#untold.has(instrument));
    this.#untold.clear();
    return cuts;
  }

  /** An instrument as a strategy has it: what it rounds down to nothing is counted. */
  watched(instrument: Instrument): Instrument {
    return deepFreeze(new WatchedInstrument(instrument, this));
  }
}

class WatchedInstrument extends Instrument {
  readonly #cuts: CutSizes;

  constructor({ id, spec }: Instrument, cuts: CutSizes) {
    super(id, spec);
    this.#cuts = cuts;
  }

  override lots(quantity: string | Decimal, rounding: Rounding = 'exact'): Lots {
    const lots = super.lots(quantity, rounding);
    if (lots === 0 && rounding !== 'exact' && Number(quantity) > 0)
      this.#cuts.noteCut(this.id, String(quantity));
    return lots;
  }
}
