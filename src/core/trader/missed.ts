import type { Micros } from '../base/clock.ts';
import type { BookSnapshot, Event } from '../model/event.ts';
import type { InstrumentId } from '../model/instrument.ts';
import type { BookView } from '../model/market.ts';
import type { State, StateView } from '../state/index.ts';
import type { FeedRequest } from '../strategy/framework.ts';

/**
 * Events that a replica that begins within a run must fold to stand where the state does: all that is carried, and the market of the
 * feeds that its strategy declares. A book that is out of use is left out: its next snapshot comes.
 */
export function missedEvents(state: State, feeds: readonly FeedRequest[], now: Micros): readonly Event[] {
  const times = { exchangeTime: now, receiveTime: now };
  const carried: Event = { kind: 'stateCarried', ...times, state: state.carry() };
  return [carried, ...knownMarket(state, feeds, now)];
}

/** The market of these feeds as it stands, and all series. A book that is out of use is left out. */
export function knownMarket(view: StateView, feeds: readonly FeedRequest[], now: Micros): readonly Event[] {
  const times = { exchangeTime: now, receiveTime: now };
  const series = view.series.all.flatMap(({ row, stale }) => [row, stale]);
  return [
    ...feeds.flatMap((feed) => marketOf(view, feed, times)),
    ...series.filter((event) => event !== undefined),
  ];
}

function marketOf(
  state: StateView,
  { symbol, candles = [] }: FeedRequest,
  times: Pick<Event, 'exchangeTime' | 'receiveTime'>,
): readonly Event[] {
  const instrument = state.instruments.get(symbol).id;
  const book = state.book(instrument);
  const trades = state.trades(instrument);
  const ticker = state.ticker(instrument);
  const contract = state.contract(instrument);
  const sources = candles.flatMap((spec) => state.candleSource(instrument, spec) ?? []);
  const fed = new Set(sources.flatMap((source) => (source.built ? [] : source.candles)));
  const built = sources.flatMap((source) => (source.built ? source.candles : []));
  return [
    ...(book.status === 'live' ? [missedSnapshot(instrument, book)] : []),
    ...(trades.length > 0 ? [{ kind: 'trades', instrument, snapshot: true, trades, ...times } as const] : []),
    ...(ticker === undefined ? [] : [{ kind: 'ticker', instrument, ticker, ...times } as const]),
    ...(fed.size > 0
      ? [{ kind: 'candles', instrument, snapshot: true, candles: [...fed], ...times } as const]
      : []),
    // Behind the trades, of which these are made.
    ...(built.length > 0
      ? [{ kind: 'candles', instrument, snapshot: true, built: true, candles: built, ...times } as const]
      : []),
    ...(contract === undefined ? [] : [contract]),
  ];
}

/** A book as the event that makes it anew, with the times of its last change. */
export function missedSnapshot(instrument: InstrumentId, book: BookView): BookSnapshot {
  const { exchangeTime, receiveTime, sequence } = book;
  const levels = Float64Array.from(
    (['buy', 'sell'] as const).flatMap((side, at) =>
      book.levels(side, book.depth(side)).flatMap(({ price, quantity }) => [at, price, quantity]),
    ),
  );
  const whole = { levels, start: 0, end: levels.length };
  return { kind: 'bookSnapshot', instrument, exchangeTime, receiveTime, sequence, ...whole };
}
