import { multiply } from '../core/base/amount.ts';
import type { Micros } from '../core/base/clock.ts';
import type { Instrument, Lots } from '../core/model/instrument.ts';
import type { Funded, FundingRules } from './funding-rules.ts';
import { nextFunding } from './funding-rules.ts';
import type { PricedMarket } from './fill-models/models.ts';
import { midPrice } from './fill-models/models.ts';
import type { PerpetualAccount } from './perpetual-account.ts';

export interface PerpetualFundingParts {
  readonly account: PerpetualAccount;
  readonly markets: readonly PricedMarket[];
  readonly funded: Funded;
}

/** Markets whose positions pay by the same terms. */
interface FundedMarkets {
  readonly rules: FundingRules;
  readonly markets: PricedMarket[];
  due: number | undefined;
}

/** Lets open positions pay or receive a share of their notional, at the mid price of the recorded book. */
export class PerpetualFunding {
  readonly #parts: Omit<PerpetualFundingParts, 'markets'>;
  readonly #groups: readonly FundedMarkets[];

  /** `rulesOf` answers `undefined` for a market whose positions pay nothing, and the same object for equal terms. */
  constructor(
    rulesOf: (instrument: Instrument) => FundingRules | undefined,
    { markets, ...parts }: PerpetualFundingParts,
  ) {
    const groups = new Map<FundingRules, FundedMarkets>();
    for (const market of markets) {
      const rules = rulesOf(market.instrument);
      if (rules === undefined) continue;
      const group = groups.get(rules);
      if (group === undefined) groups.set(rules, { rules, markets: [market], due: undefined });
      else group.markets.push(market);
    }
    this.#parts = parts;
    this.#groups = [...groups.values()];
  }

  /** When the next payment is due; nothing while no position is open. */
  due(now: Micros): number | undefined {
    const { account } = this.#parts;
    let first: number | undefined;
    for (const group of this.#groups) {
      const isOpen = group.markets.some(({ instrument }) => account.position(instrument) !== 0);
      // What is due now is paid before the next is looked for.
      group.due = isOpen ? (group.due ?? nextFunding(group.rules, now)) : undefined;
      if (group.due !== undefined && (first === undefined || group.due < first)) first = group.due;
    }
    return first;
  }

  /** Pays what is due, if anything is; whether anything was paid. */
  settle(now: Micros): boolean {
    let isPaid = false;
    for (const group of this.#groups) {
      if (group.due === undefined || now < group.due) continue;
      group.due = undefined;
      isPaid = this.#pay(group) || isPaid;
    }
    return isPaid;
  }

  #pay({ rules, markets }: FundedMarkets): boolean {
    const { account, funded } = this.#parts;
    let isPaid = false;
    for (const market of markets) {
      const { instrument } = market;
      const lots = account.position(instrument);
      const mid = midPrice(market);
      // A market with an empty book has no price, so no funding is paid.
      if (lots === 0 || mid === undefined) continue;
      const { contract } = instrument;
      const amount = multiply(contract.worthOf(contract.worthAt(mid, lots as Lots)), rules.rate);
      account.pay(instrument, amount);
      funded(instrument, amount);
      isPaid = true;
    }
    return isPaid;
  }
}
