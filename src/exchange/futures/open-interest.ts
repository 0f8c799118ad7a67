import type { AccountId } from '../matching/command.ts';
import type { ReportOutcome } from '../matching/outcome.ts';
import type { InstrumentId, Instruments, Lots } from '../../core/model/instrument.ts';
import type { CoreListener } from '../core.ts';

interface Interest {
  readonly positions: Map<AccountId, number>;
  long: number;
}

/** Who holds how much of each contract, counted from the fills: the open interest is what all longs sum up to. */
export class OpenInterest implements CoreListener {
  readonly #contracts = new Map<InstrumentId, Interest>();

  constructor(instruments: Instruments) {
    for (const { id, spec } of instruments.all) {
      if (spec.type === 'futures') this.#contracts.set(id, { positions: new Map(), long: 0 });
    }
  }

  /** The sum of all long positions. */
  of(instrument: InstrumentId): Lots {
    return (this.#contracts.get(instrument)?.long ?? 0) as Lots;
  }

  onReport({ account, order, fill }: ReportOutcome): void {
    if (fill === undefined) return;
    const interest = this.#contracts.get(order.instrument);
    if (interest === undefined) return;
    const before = interest.positions.get(account) ?? 0;
    const after = before + (order.side === 'buy' ? fill.quantity : -fill.quantity);
    if (after === 0) interest.positions.delete(account);
    else interest.positions.set(account, after);
    interest.long += Math.max(0, after) - Math.max(0, before);
  }

  onBalance(): void {}

  onSettled(): void {}
}
