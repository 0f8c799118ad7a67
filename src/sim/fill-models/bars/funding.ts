import type { Amount } from '../../../core/base/amount.ts';
import { add, multiply, zero } from '../../../core/base/amount.ts';
import type { Micros } from '../../../core/base/clock.ts';
import type { VirtualClock } from '../../../core/base/virtual-clock.ts';
import type { Event } from '../../../core/model/event.ts';
import type { Lots } from '../../../core/model/instrument.ts';
import type { BarLiquidation } from './liquidation.ts';
import type { BarMargin } from './margin.ts';
import type { BarMarket } from './market.ts';
import type { Funded, FundingRules } from '../../funding-rules.ts';
import { nextFunding } from '../../funding-rules.ts';

export interface BarFundingDeps {
  readonly clock: VirtualClock;
  readonly account: BarMargin;
  /** Markets by instrument. */
  readonly markets: readonly BarMarket[];
  readonly publish: (event: Event) => void;
  /** Looks whether what was paid leaves too little. */
  readonly liquidation: BarLiquidation | undefined;
  readonly funded: Funded | undefined;
}

/** Lets open positions pay or receive a share of their notional at every multiple of a length of time since the epoch. */
export class BarFunding {
  readonly #parts: BarFundingDeps;
  readonly #rules: FundingRules;
  /** Amount paid so far, less what was received, by currency. */
  readonly paid = new Map<string, Amount>();
  /** How often anything was paid. */
  count = 0;
  #next = 0;

  constructor(rules: FundingRules, parts: BarFundingDeps) {
    this.#rules = rules;
    this.#parts = parts;
    this.#next = nextFunding(rules, parts.clock.now());
  }

  /** Whether the next time is at or before `time`. */
  isDueBy(time: number): boolean {
    return this.#next <= time;
  }

  /** Lets time pass up to the last payment at or before `time`. */
  passTo(time: Micros): void {
    const { clock } = this.#parts;
    while (this.#next <= time) {
      clock.advanceTo(this.#next as Micros);
      this.#next += this.#rules.every;
      this.#pay();
    }
  }

  #pay(): void {
    const { account, clock, funded, liquidation, markets, publish } = this.#parts;
    const currencies = new Set<string>();
    for (const { instrument, ticks } of markets) {
      const lots = account.position(instrument);
      if (lots === 0) continue;
      const currency = instrument.spec.quoteCurrency;
      const amount = multiply(instrument.notional(ticks, lots as Lots), this.#rules.rate);
      account.mark(instrument, ticks);
      account.pay(currency, amount);
      this.paid.set(currency, add(this.paid.get(currency) ?? zero, amount));
      currencies.add(currency);
      funded?.(instrument, amount);
    }
    if (currencies.size === 0) return;
    this.count += 1;
    const now = clock.now();
    publish({
      kind: 'balances',
      complete: false,
      balances: account.balances(),
      exchangeTime: now,
      receiveTime: now,
    });
    for (const currency of currencies) liquidation?.settle(currency);
  }
}
