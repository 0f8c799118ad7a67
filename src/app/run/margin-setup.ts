import { parseAmount } from '../../core/base/amount.ts';
import { seconds } from '../../core/base/clock.ts';
import type { Instruments } from '../../core/model/instrument.ts';
import type { OpenMarginAccount } from '../../core/model/margin.ts';
import { defaultMarginRule } from '../../core/model/margin-math.ts';
import type { Balance } from '../../core/model/market.ts';
import { AnnouncedFunding, constantCharge, fundingSource } from '../../sim/index.ts';
import type { SummaryDeps } from '../../research/report/index.ts';
import type { MarginDeps } from '../../sim/index.ts';
import type { Config } from '../config/schema.ts';
import { openingFutures } from './opening-balances.ts';
import type { LoadedStrategy } from './strategy-plans.ts';

/** Margin accounts that an earlier session left. */
export interface LeftMargin {
  readonly futures: readonly Balance[];
  readonly accounts: readonly OpenMarginAccount[];
}

/** Where funding comes from in a run with margin accounts, for the doubts of its report. */
export function marginSources(margin: MarginDeps | undefined): Pick<SummaryDeps, 'fundingSource'> {
  if (margin === undefined) return {};
  return { fundingSource: (instrument) => fundingSource(margin.charges, instrument) };
}

/**
 * The margin and futures accounts of a run on a recording or on live data, as its strategies declare products; `undefined`
 * when they trade spot alone. What margin demands is what the symbols say, as at the exchange.
 */
export function marginSetupFor(
  { backtest, sim }: Pick<Config, 'backtest' | 'sim'>,
  instruments: Instruments,
  loaded: readonly Pick<LoadedStrategy, 'products'>[],
  left?: LeftMargin,
): MarginDeps | undefined {
  const products = new Set(loaded.flatMap((one) => one.products));
  if (!products.has('margin') && !products.has('futures')) return undefined;
  const { funding, interest } = sim;
  const charges = instruments.all.flatMap(({ id, spec }) => {
    const kind = spec.type === 'futures' ? 'funding' : 'interest';
    const terms = kind === 'funding' ? funding : interest;
    if (terms === undefined && kind === 'funding')
      return [{ instrument: id, kind, schedule: new AnnouncedFunding() } as const];
    if (terms === undefined || (kind === 'interest' && !spec.marginTrading)) return [];
    const schedule = constantCharge({
      rate: parseAmount(terms.rate),
      every: seconds(60 * terms.everyMinutes),
    });
    return [{ instrument: id, kind, schedule } as const];
  });
  const interestRate = interest === undefined ? undefined : parseAmount(interest.rate);
  const rules = instruments.all.map((instrument) => {
    const usual = defaultMarginRule(instrument);
    const isLent = usual !== undefined && instrument.spec.type === 'spot' && interestRate !== undefined;
    return isLent ? { ...usual, interestRate } : usual;
  });
  return {
    futures: left?.futures ?? openingFutures(backtest.futuresBalances, instruments),
    ruleOf: ({ id }) => rules[id],
    charges,
    opened: left?.accounts,
  };
}
