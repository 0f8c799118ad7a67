import type { Micros } from '../base/clock.ts';
import { Random } from '../base/random.ts';
import type { Streams } from '../bus/index.ts';
import type { Instrument, InstrumentId } from '../model/instrument.ts';
import type { PositionAccount } from '../model/margin.ts';
import type { Margin, Market, Orders, StrategyContext, StrategyTimers } from './context.ts';
import { KeptStore } from './kept-store.ts';
import { NoteLog } from './log.ts';
import type { RunnerDeps } from './runner-setting.ts';

/** Parts that a context is put together from. */
export interface ContextParts {
  readonly setting: RunnerDeps;
  /** Checked and frozen. */
  readonly params: unknown;
  readonly market: Market;
  readonly orders: Orders;
  readonly margin: Margin;
  readonly streams: Streams;
  readonly timers: StrategyTimers;
  /** Time of the event being handled. */
  readonly now: () => Micros;
}

/** Makes what the strategy sees, frozen. Throws when the kept state is not what its schema says. */
export function makeContext(parts: ContextParts): StrategyContext<unknown, unknown> {
  const { name, definition, sink, seed, kept, state, cuts } = parts.setting;
  const watched = new Map<Instrument, Instrument>();
  return Object.freeze({
    name,
    params: parts.params,
    instrument: (which: string | InstrumentId) => {
      const instrument =
        typeof which === 'string' ? state.instruments.get(which) : state.instruments.at(which);
      if (cuts === undefined) return instrument;
      let own = watched.get(instrument);
      if (own === undefined) watched.set(instrument, (own = cuts.watched(instrument)));
      return own;
    },
    market: parts.market,
    orders: parts.orders,
    balances: Object.freeze({
      get: (currency: string) => ({ ...state.balance(currency) }),
      all: () => state.balances().map((balance) => ({ ...balance })),
      futures: (currency: string) => ({ ...state.balance(currency, 'futures') }),
    }),
    margin: parts.margin,
    position: (symbol: string, account?: PositionAccount) =>
      state.position(state.instruments.get(symbol).id, name, account),
    positions$: () => parts.streams.positions$(),
    clock: Object.freeze({ now: parts.now }),
    timers: parts.timers,
    random: new Random(seed).fork(`strategy/${name}`),
    log: new NoteLog(sink, parts.now),
    kept: new KeptStore(name, definition.state, kept, (value) => sink.keepState(value)),
  });
}
