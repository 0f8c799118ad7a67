import type { Cancel, Clock } from '../../core/base/clock.ts';
import { micros, millis } from '../../core/base/clock.ts';
import type { Ticks } from '../../core/model/instrument.ts';
import type { Core } from '../core.ts';
import type { Rates } from '../market/rates.ts';
import { middle } from '../market/rates.ts';
import { Contract } from './contract.ts';
import { OpenInterest } from './open-interest.ts';
import type { ContractOptions, FuturesOptions } from './options.ts';

export interface FuturesMarketSetup {
  readonly core: Core;
  readonly rates: Rates;
  readonly clock: Clock;
  readonly contracts: readonly ContractOptions[];
  readonly options: FuturesOptions;
  readonly candlesMax: number;
}

/** All contracts, looked at every few seconds and at each settlement. Source: v3-gaps, section 4.5. */
export class FuturesMarket {
  readonly contracts: readonly Contract[];
  readonly #setup: FuturesMarketSetup;
  readonly #interest: OpenInterest;
  readonly #bySymbol: ReadonlyMap<string, Contract>;
  #cancel: Cancel = () => {};

  constructor(setup: FuturesMarketSetup) {
    const { core, contracts, options, candlesMax, clock } = setup;
    this.#setup = setup;
    this.#interest = new OpenInterest(core.instruments);
    core.listen(this.#interest);
    this.contracts = contracts.map(
      (contract) =>
        new Contract({
          instrument: core.instruments.get(contract.symbol),
          options: contract,
          candlesMax,
          fundingRowsMax: options.fundingRowsMax,
          now: clock.now(),
        }),
    );
    this.#bySymbol = new Map(this.contracts.map((contract) => [contract.instrument.symbol, contract]));
  }

  find(symbol: string): Contract | undefined {
    return this.#bySymbol.get(symbol);
  }

  /** Looks at once, then goes on by the clock. */
  start(): void {
    this.look();
    if (this.contracts.length === 0) return;
    const { clock, options } = this.#setup;
    const due = Math.min(...this.contracts.map(({ nextFunding }) => nextFunding)) - clock.now();
    // A millisecond at least, so that a settlement not taken yet does not become a busy loop.
    const wait = Math.max(millis(1), Math.min(millis(options.sampleMs), due));
    this.#cancel = clock.after(micros(wait), () => this.start());
  }

  stop(): void {
    this.#cancel();
  }

  /** Looks at every contract now. */
  look(): void {
    const { core, rates, clock } = this.#setup;
    const now = clock.now();
    for (const contract of this.contracts) {
      const { instrument } = contract;
      const rate = contract.look(now, {
        index: rates.rate(instrument.spec.baseCurrency, instrument.spec.quoteCurrency),
        price: middle(core.market(instrument.id)),
        openInterest: instrument.quantityAmount(this.#interest.of(instrument.id)),
      });
      const mark = contract.state?.markPrice;
      if (mark === undefined) continue;
      // Positions are valued, and liquidated, at the mark price.
      const price = Number(mark / instrument.priceAmount(1 as Ticks)) as Ticks;
      if (price <= 0) continue;
      core.handle({ kind: 'setMark', instrument: instrument.id, price });
      // A settlement moves money at the mark price of its moment.
      if (rate !== undefined) core.handle({ kind: 'settleFunding', instrument: instrument.id, price, rate });
    }
  }
}
