import { multiply } from '../core/base/amount.ts';
import type { Micros } from '../core/base/clock.ts';
import type { Lots } from '../core/model/instrument.ts';
import type { Funded, FundingRules } from './funding-rules.ts';
import { nextFunding } from './funding-rules.ts';
import type { PricedMarket } from './fill-models/model.ts';
import { midPrice } from './fill-models/model.ts';
import type { PerpetualAccount } from './perpetual-account.ts';

export interface PerpetualFundingParts {
  readonly account: PerpetualAccount;
  readonly markets: readonly PricedMarket[];
  readonly funded: Funded;
}

/** Lets open positions pay or receive a share of their notional, at the mid price of the recorded book. */
export class PerpetualFunding {
  readonly #rules: FundingRules;
  readonly #parts: PerpetualFundingParts;
  #due: number | undefined;

  constructor(rules: FundingRules, parts: PerpetualFundingParts) {
    this.#rules = rules;
    this.#parts = parts;
  }

  /** When the next payment is due; nothing while no position is open. */
  due(now: Micros): number | undefined {
    const { account, markets } = this.#parts;
    const isOpen = markets.some(({ instrument }) => account.position(instrument) !== 0);
    // What is due now is paid before the next is looked for.
    this.#due = isOpen ? (this.#due ?? nextFunding(this.#rules, now)) : undefined;
    return this.#due;
  }

  /** Pays what is due, if anything is; whether anything was paid. */
  settle(now: Micros): boolean {
    if (this.#due === undefined || now < this.#due) return false;
    this.#due = undefined;
    return this.#pay();
  }

  #pay(): boolean {
    const { account, markets, funded } = this.#parts;
    let isPaid = false;
    for (const market of markets) {
      const { instrument } = market;
      const lots = account.position(instrument);
      const mid = midPrice(market);
      // A market with an empty book has no price, so no funding is paid.
      if (lots === 0 || mid === undefined) continue;
      const { contract } = instrument;
      const amount = multiply(contract.worthOf(contract.worthAt(mid, lots as Lots)), this.#rules.rate);
      account.pay(instrument, amount);
      funded(instrument, amount);
      isPaid = true;
    }
    return isPaid;
  }
}
