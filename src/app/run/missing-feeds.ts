import type { InstrumentId } from '../../core/model/instrument.ts';
import { candlePeriods } from '../../core/model/market.ts';
import type { BarSpec } from '../../core/model/market.ts';
import type { FeedRequest } from '../../core/strategy/framework.ts';
import type { Summary } from '../../research/report/index.ts';
import type { StateView } from '../../core/state/index.ts';
import type { LoadedStrategy } from './strategy-plans.ts';

/** Feeds that a run needed and its data do not have, one sentence each. */
export function missingFeedsOf(
  loaded: readonly LoadedStrategy[],
  summary: Summary,
  view: StateView,
): readonly string[] {
  return [...unheardFeeds(loaded, view), ...unfiredStops(summary, view)];
}

/**
 * Feeds that strategies asked for and the data do not have, a sentence for each strategy and symbol, and one for each symbol
 * of bars alone: such a run says nothing.
 */
function unheardFeeds(loaded: readonly LoadedStrategy[], view: StateView): readonly string[] {
  const unheard = loaded.flatMap(({ plan, feeds }) =>
    feeds.flatMap((request) => {
      const missing = missingOf(request, view);
      if (missing.length === 0) return [];
      const { symbol } = request;
      return `strategy ${plan.name} asked for the ${missing.join(', ')} of ${symbol}: the data have none`;
    }),
  );
  const symbols = new Set(loaded.flatMap(({ feeds }) => feeds.map(({ symbol }) => symbol)));
  const ofBars = [...symbols].filter((symbol) => isOfBars(symbol, view));
  return [...unheard, ...ofBars.map(barsText)];
}

/** A sentence for each symbol whose stop orders no trade of the data could fire. */
function unfiredStops({ tally: { stops } }: Summary, view: StateView): readonly string[] {
  const without = [...stops].filter(([id]) => view.lastTrade(id) === undefined);
  return without.map(([id, count]) => {
    const { symbol } = view.instruments.at(id);
    return `the data have no trades of ${symbol}: its stop and take-profit orders (${count}) waited for executions of ours alone`;
  });
}

function missingOf(request: FeedRequest, view: StateView): string[] {
  const { symbol, book, trades, ticker, candles = [], contract } = request;
  const instrument = view.instruments.find(symbol);
  if (instrument === undefined) return [];
  const { id } = instrument;
  const missing: string[] = [];
  if (book === true && view.book(id).status === 'empty') missing.push('book');
  if (trades === true && view.lastTrade(id) === undefined) missing.push('trades');
  if (ticker === true && view.ticker(id) === undefined) missing.push('ticker');
  if (contract === true && view.contract(id) === undefined) missing.push('contract');
  const periods = periodsOf(id, view);
  const others = periods.length === 0 ? '' : ` (there are ${periods.join(', ')})`;
  for (const spec of candles)
    if (view.candle(id, spec, 0) === undefined) missing.push(`candles ${spec}${others}`);
  return missing;
}

function isOfBars(symbol: string, view: StateView): boolean {
  const id = view.instruments.find(symbol)?.id;
  if (id === undefined || view.book(id).status !== 'empty' || view.lastTrade(id) !== undefined) return false;
  return periodsOf(id, view).length > 0;
}

function barsText(symbol: string): string {
  return `${symbol} comes as bars alone, and without a book none of its orders can fill: run it as a scenario with fills: { model: bars } (docs/bars.md), or with --bars`;
}

function periodsOf(id: InstrumentId, view: StateView): readonly BarSpec[] {
  return candlePeriods.filter((period) => view.candle(id, period, 0) !== undefined);
}
