import type { Amount } from '../../core/base/amount.ts';
import { add, zero } from '../../core/base/amount.ts';
import type { Micros } from '../../core/base/clock.ts';
import type { Event } from '../../core/model/event.ts';
import { isMarketData } from '../../core/model/market-data.ts';
import type { Instrument, InstrumentId, Ticks } from '../../core/model/instrument.ts';
import type { SampleValue, Sampler, BarScenario } from '../../research/scenario/index.ts';
import { rowsMax } from '../../research/scenario/index.ts';
import type { BarVenue } from '../../sim/fill-models/bars/index.ts';
import type { Assembly } from '../run/assembly.ts';
import { openSampler } from './open-sampler.ts';

/**
 * The rows that a scenario on bars samples: one at the end of the first bar that ends at or after each step of `every`, the
 * first step one `every` after the start. Prices are those of the bars.
 */
export class BarSamples {
  readonly rows: (readonly SampleValue[])[] = [];
  readonly #scenario: BarScenario;
  readonly #file: string;
  #sampler: Sampler | undefined;
  readonly #funding = new Map<InstrumentId, Amount>();
  #start = 0;
  #due = Number.POSITIVE_INFINITY;

  constructor(scenario: BarScenario, file: string) {
    this.#scenario = scenario;
    this.#file = file;
  }

  get columns(): readonly string[] {
    return this.#sampler?.names ?? [];
  }

  /** Strategies are loaded, and the clock stands at `start`. */
  open(parts: Assembly<BarVenue>, strategy: string, start: Micros): void {
    const { sample } = this.#scenario;
    if (sample === undefined) return;
    const scenario = { file: this.#file, scenario: this.#scenario };
    this.#sampler = openSampler(scenario, parts, {
      strategy,
      funding: (id) => this.#funding.get(id) ?? zero,
      price: (id) => priceOf(parts, id),
      start,
    });
    this.#start = start;
    this.#due = start + sample.every;
  }

  observe(event: Event): void {
    if (isMarketData(event)) this.#sampler?.observeMarketData(event);
    else this.#sampler?.observe(event);
  }

  funded({ id }: Instrument, amount: Amount): void {
    this.#funding.set(id, add(this.#funding.get(id) ?? zero, amount));
  }

  barEnded(time: Micros): void {
    const every = this.#scenario.sample?.every;
    if (every === undefined || time < this.#due) return;
    this.#due = this.#start + (Math.floor((time - this.#start) / every) + 1) * every;
    if (this.rows.length < rowsMax) this.rows.push(this.#sampler?.row(time) ?? []);
  }

  /** The data have ended. */
  end(time: Micros): void {
    if (this.#scenario.sample?.last === true) this.rows.push(...(this.#sampler?.lastRow(time) ?? []));
  }
}

function priceOf({ trader, venue }: Assembly<BarVenue>, id: InstrumentId): Amount | undefined {
  const instrument = trader.instruments.at(id);
  const ticks = venue.account.price(instrument);
  return Number.isNaN(ticks) ? undefined : instrument.priceAmount(ticks as Ticks);
}
