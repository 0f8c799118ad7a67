import type { Amount } from '../../core/base/amount.ts';
import type { Cancel, Clock } from '../../core/base/clock.ts';
import { micros, millis, seconds } from '../../core/base/clock.ts';
import type { Instrument, InstrumentId, Instruments, Lots, Ticks } from '../../core/model/instrument.ts';
import type { Core, CoreListener } from '../base/index.ts';
import type { Rates } from '../market/rates.ts';
import { middle } from '../market/rates.ts';
import type { ContractEvent, ListedContract } from './contract.ts';
import { PerpetualContract } from './contract.ts';
import { ExpiringContract } from './expiring.ts';
import type { ContractOptions, FuturesOptions } from './options.ts';
import type { AccountId, ReportOutcome } from '../matching/index.ts';

interface FuturesMarketDeps {
  readonly core: Core;
  readonly rates: Rates;
  readonly clock: Clock;
  readonly contracts: readonly ContractOptions[];
  readonly options: FuturesOptions;
  readonly candlesMax: number;
}

/** Eight hours, as live hosts have it. Source: v3-gaps, section 4.5. */
const fundingMinutesUsual = 480;

/** All contracts, looked at every few seconds and at each settlement. Source: v3-gaps, section 4.5. */
export class FuturesMarket {
  readonly contracts: readonly ListedContract[];
  readonly #setup: FuturesMarketDeps;
  readonly #interest: OpenInterest;
  readonly #bySymbol: ReadonlyMap<string, ListedContract>;
  #cancel: Cancel = () => {};

  constructor(setup: FuturesMarketDeps) {
    const { core, contracts, options, candlesMax, clock } = setup;
    this.#setup = setup;
    this.#interest = new OpenInterest(core.instruments);
    core.listen(this.#interest);
    this.contracts = contracts.map((contract) => {
      const instrument = core.instruments.get(contract.symbol);
      const own = {
        instrument,
        options: contract,
        candlesMax,
        fundingRowsMax: options.fundingRowsMax,
        fundingPeriod: seconds(60 * (options.fundingMinutes ?? fundingMinutesUsual)),
        now: clock.now(),
      };
      const { expiry } = instrument.spec;
      if (expiry === undefined) return new PerpetualContract(own);
      return new ExpiringContract(own, expiry, seconds(options.clearingSeconds));
    });
    this.#bySymbol = new Map(this.contracts.map((contract) => [contract.instrument.symbol, contract]));
  }

  find(symbol: string): ListedContract | undefined {
    return this.#bySymbol.get(symbol);
  }

  /** Looks at once, then goes on by the clock. */
  start(): void {
    this.look();
    if (this.contracts.length === 0) return;
    const { clock, options } = this.#setup;
    const due = Math.min(...this.contracts.map(({ nextDue }) => nextDue ?? Infinity)) - clock.now();
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
      const event = contract.look(now, {
        index: rates.rate(instrument.spec.baseCurrency, instrument.spec.quoteCurrency),
        price: middle(core.market(instrument.id)),
        openInterest: instrument.quantityAmount(this.#interest.of(instrument.id)),
      });
      const mark = ticksOf(instrument, contract.state?.markPrice);
      // Positions are valued, and liquidated, at the mark price.
      if (mark !== undefined) core.handle({ kind: 'setMark', instrument: instrument.id, price: mark });
      if (event !== undefined) this.#carryOut(event, instrument, mark);
    }
  }

  /** A settlement of funding moves money at the mark price of its moment; a contract that expires has its own price. */
  #carryOut(event: ContractEvent, instrument: Instrument, mark: Ticks | undefined): void {
    const { core } = this.#setup;
    const { id } = instrument;
    if (event.kind === 'funding') {
      if (mark !== undefined)
        core.handle({ kind: 'settleFunding', instrument: id, price: mark, rate: event.rate });
      return;
    }
    // Without a price of the underlying there is only what the contract itself was traded at; one tick when it never was.
    const price = ticksOf(instrument, event.price) ?? core.exchange.lastPrice(id) ?? (1 as Ticks);
    if (event.kind === 'expired') {
      core.handle({ kind: 'expireContract', instrument: id, price });
      return;
    }
    core.handle({ kind: 'settleContract', instrument: id, price });
  }
}

function ticksOf(instrument: Instrument, price: Amount | undefined): Ticks | undefined {
  if (price === undefined) return undefined;
  const ticks = Number(price / instrument.priceAmount(1 as Ticks));
  return ticks > 0 ? (ticks as Ticks) : undefined;
}

interface Interest {
  readonly positions: Map<AccountId, number>;
  long: number;
}

/** Holdings of each contract by account, counted from the fills: the open interest is what all longs sum up to. */
class OpenInterest implements CoreListener {
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
