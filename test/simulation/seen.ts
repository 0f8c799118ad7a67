import type { InstrumentId } from '../../src/core/model/instrument.ts';
import type { StrategyHandlers } from '../../src/core/strategy/handlers.ts';

/** What one strategy of the present process was shown, in that order. */
export class Seen {
  readonly strategy: string;
  /** It was started, and has not ended. */
  running = false;
  /** It began in the step that is under way. */
  begins = false;
  /** Books and public trades since the last look. */
  readonly market: string[] = [];
  /** Executions since the last look: the instrument, and the strategy of the order. */
  readonly fills: { readonly instrument: InstrumentId; readonly of: string; readonly account: string }[] = [];

  constructor(strategy: string) {
    this.strategy = strategy;
  }
}

export function bookToken(instrument: InstrumentId, sequence: number): string {
  return `book ${instrument} ${sequence}`;
}

export function tradeToken(instrument: InstrumentId, tradeId: string): string {
  return `trade ${instrument} ${tradeId}`;
}

/** The same handlers, with what they are called with kept for the checks first. */
export function recorded(seen: Seen, handlers: StrategyHandlers): StrategyHandlers {
  return {
    ...handlers,
    onStart: () => {
      seen.running = true;
      seen.begins = true;
      return handlers.onStart?.();
    },
    onStop: () => {
      seen.running = false;
      return handlers.onStop?.();
    },
    onBook: (book) => {
      seen.market.push(bookToken(book.instrument, book.sequence));
      return handlers.onBook?.(book);
    },
    onTrade: (trade, instrument) => {
      seen.market.push(tradeToken(instrument.id, trade.tradeId));
      return handlers.onTrade?.(trade, instrument);
    },
    onFill: (fill, order) => {
      const account = order.margin?.mode ?? 'spot';
      seen.fills.push({ instrument: order.instrument, of: order.strategy, account });
      return handlers.onFill?.(fill, order);
    },
  };
}
