import { zero } from '../../core/base/amount.ts';
import type { Cancel, Micros } from '../../core/base/clock.ts';
import type { Event, MarketData } from '../../core/model/event.ts';
import type { SampleValue, Sampler } from '../../research/scenario/index.ts';
import { rowsMax } from '../../research/scenario/index.ts';
import type { SimVenue } from '../../sim/index.ts';
import type { Assembly } from '../run/assembly.ts';
import type { ConfiguredScenario } from '../run/scenario.ts';
import type { RunFeed } from './run-feed.ts';
import { openSampler } from './open-sampler.ts';

/** The rows that a scenario samples: one at each step of the clock, the first one step after its start. */
export class Samples {
  readonly rows: (readonly SampleValue[])[] = [];
  readonly #loaded: ConfiguredScenario;
  readonly #clock: RunFeed['clock'] | NonNullable<RunFeed['late']>;
  #cancel: Cancel = () => {};
  #sampler: Sampler | undefined;

  constructor(loaded: ConfiguredScenario, { clock, late }: Pick<RunFeed, 'clock' | 'late'>) {
    this.#loaded = loaded;
    this.#clock = late ?? clock;
  }

  get columns(): readonly string[] {
    return this.#sampler?.names ?? [];
  }

  /** A sentence where rows were not kept. */
  get notes(): readonly string[] {
    return this.rows.length >= rowsMax ? [`samples end with the ${rowsMax}th: more are not kept`] : [];
  }

  /** Strategies are loaded, and the clock stands at its start. */
  open(parts: Assembly<SimVenue>): void {
    this.#sampler = openSampler(this.#loaded, parts, {
      strategy: this.#loaded.config.strategies[0]?.name ?? '',
      funding: (id) => parts.summary?.held(id).funding ?? zero,
      start: this.#clock.now(),
    });
  }

  observe(event: Event): void {
    this.#sampler?.observe(event);
  }

  observeMarketData(data: MarketData): void {
    this.#sampler?.observeMarketData(data);
  }

  start(): void {
    const every = this.#loaded.scenario.sample?.every;
    const sampler = this.#sampler;
    if (sampler === undefined || every === undefined) return;
    const step = (): void => {
      this.#cancel = this.#clock.after(every, step);
      if (this.rows.length < rowsMax) this.rows.push(sampler.row(this.#clock.now()));
    };
    this.#cancel = this.#clock.after(every, step);
  }

  end(time: Micros): void {
    this.#cancel();
    if (this.#loaded.scenario.sample?.last === true) this.rows.push(...(this.#sampler?.lastRow(time) ?? []));
  }
}
