import { parseAmount } from '../../core/base/amount.ts';
import type { Cancel, Clock } from '../../core/base/clock.ts';
import type { Random } from '../../core/base/random.ts';
import type { AccountId, ReportOutcome } from '../matching/index.ts';
import type { Accounts, Core, CurrencyOptions } from '../base/index.ts';
import { Basis, Fundamental } from './fundamentals.ts';
import { SymbolFlow } from './symbol-flow.ts';
import type { FlowOptions } from './options.ts';
import { isEnded } from '../base/index.ts';

/** So much of every currency that the seeded market never runs dry: a thousand years of trading. */
const deepBalance = parseAmount('1000000000000000');

interface FlowDeps {
  readonly core: Core;
  readonly accounts: Accounts;
  readonly clock: Clock;
  readonly random: Random;
  readonly currencies: readonly CurrencyOptions[];
  readonly options: FlowOptions;
}

/**
 * The seeded living market: makers and takers in every working symbol, driven by the injected clock and random.
 * Every currency has one fundamental value, so that prices of different symbols agree and arbitrage is rare.
 */
export class Flow {
  readonly #markets: SymbolFlow[];
  readonly #makers: AccountId;
  readonly #cancels: Cancel[] = [];
  readonly #clock: Clock;
  readonly #core: Core;

  constructor(setup: FlowDeps) {
    const { core, accounts, clock, random, currencies, options } = setup;
    this.#clock = clock;
    this.#core = core;
    this.#makers = accounts.open('market-makers').id;
    const takers = accounts.open('market-takers').id;
    for (const account of [this.#makers, takers]) {
      for (const { code } of currencies) {
        core.handle({ kind: 'adjustBalance', account, currency: code, change: deepBalance });
      }
    }
    const now = clock.now();
    const values = new Map(
      currencies.map(({ code, price, stable }) => [
        code,
        new Fundamental({
          start: Number(price),
          volatility: stable ? 0 : options.volatility,
          lagMs: options.informationLagMs,
          random: random.fork(`value/${code}`),
          now,
        }),
      ]),
    );
    this.#markets = core.markets.flatMap(({ instrument }) => {
      const value = values.get(instrument.spec.baseCurrency);
      const quote = values.get(instrument.spec.quoteCurrency);
      if (value === undefined || quote === undefined || instrument.spec.status !== 'working') return [];
      const ownRandom = random.fork(`market/${instrument.symbol}`);
      const isFutures = instrument.spec.type === 'futures';
      // Contracts only look at what spot participants have moved, so that no contract changes the prices of spot symbols.
      const basis = {
        underlying: value.seen,
        bps: options.basisBps,
        expiry: instrument.spec.expiry,
        random: ownRandom.fork('basis'),
        now,
      };
      const base = isFutures ? new Basis(basis) : value;
      return [
        new SymbolFlow({
          core,
          clock,
          random: ownRandom,
          instrument,
          base,
          quote: isFutures ? quote.seen : quote,
          options,
          makers: this.#makers,
          takers,
        }),
      ];
    });
    core.listen({ onReport: (report) => this.#onReport(report), onBalance() {}, onSettled() {} });
  }

  /** Fills the books at once, then goes on by the clock. */
  start(): void {
    this.#markets.forEach((market, index) => {
      market.fill();
      this.#schedule(market, index);
    });
  }

  stop(): void {
    for (const cancel of this.#cancels) cancel();
  }

  #schedule(market: SymbolFlow, index: number): void {
    this.#cancels[index] = this.#clock.after(market.nextDelay(), () => {
      // A contract that was settled is never traded again.
      if (this.#core.exchange.status(market.instrument.id) === 'expired') return;
      market.act();
      this.#schedule(market, index);
    });
  }

  /** Orders of the makers leave the lists when they end, by any cause. */
  #onReport(outcome: ReportOutcome): void {
    if (outcome.account !== this.#makers || !isEnded(outcome.order)) return;
    const { clientOrderId, instrument } = outcome.order;
    this.#markets.find((market) => market.instrument.id === instrument)?.forget(clientOrderId);
  }
}
