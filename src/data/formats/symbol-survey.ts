import { BadInput } from '../../core/base/errors.ts';
import type { Printing } from '../recording/index.ts';
import type { InstrumentSpec } from '../../core/model/instrument.ts';
import type { Pair } from '../../core/model/pair.ts';
import { pairIn } from '../../core/model/pair.ts';
import { refuseTooMany } from '../../core/model/symbols-max.ts';
import type { OpenOptions } from './format.ts';
import { misfit } from './fields.ts';
import type { BookSide } from './order-levels.ts';
import type {
  DecodedFormat,
  MarketWriter,
  SourceItem,
  WrittenBook,
  WrittenTicker,
  WrittenTrade,
} from './market-writer.ts';

/** Decimals as printed, and those that are ever used: prices printed "63943.90" may move in steps of 0.10. */
interface Scale {
  printed: number;
  used: number;
}

interface Surveyed {
  readonly price: Scale;
  readonly size: Scale;
  /** Scale of tickers: venues round them, so they count only where there is neither book nor trade. */
  readonly topPrice: Scale;
  readonly topSize: Scale;
  hasBookOrTrades: boolean;
}

const decimalsMax = 18;

/** The first pass over a source: which symbols it has, and with how many decimals. */
export class SymbolSurveyor implements MarketWriter {
  readonly #wanted: string | undefined;
  readonly #symbols = new Map<string, Surveyed>();
  /** Symbols that are left out because another one is wanted. */
  readonly others = new Set<string>();
  #current: Surveyed | undefined;

  constructor(options: OpenOptions) {
    this.#wanted = options.symbol;
  }

  /** Symbols in the order of their first message. */
  get symbols(): readonly string[] {
    return [...this.#symbols.keys()];
  }

  /**
   * Specs of all symbols: tick and increment from the options, or one unit of the last decimal in use. `source` says how
   * it prints and what the symbols of its venue tell. Throws `BadInput` where the currencies of a symbol are not known.
   */
  specs(
    options: OpenOptions,
    source: Pick<DecodedFormat<SourceItem>, 'printing' | 'pairOf'>,
  ): readonly InstrumentSpec[] {
    return [...this.#symbols].map(([symbol, seen]) => {
      const price = seen.hasBookOrTrades ? seen.price : seen.topPrice;
      const size = seen.hasBookOrTrades ? seen.size : seen.topSize;
      const tick = options.tick ?? stepOf(price, source.printing);
      const pair =
        (options.quote === undefined ? source.pairOf?.(symbol) : undefined) ?? pairIn(symbol, options.quote);
      return specOf(symbol, pair, { tick, increment: options.increment ?? stepOf(size, source.printing) });
    });
  }

  begin(symbol: string): boolean {
    if (!this.#isWanted(symbol)) return false;
    this.#current = this.#of(symbol);
    return true;
  }

  level(_side: BookSide, price: string, size: string): void {
    if (this.#current === undefined) return;
    this.#current.hasBookOrTrades = true;
    note(this.#current.price, price, 'price');
    note(this.#current.size, size, 'size');
  }

  snapshot(_book: WrittenBook): void {
    this.#current = undefined;
  }

  update(_book: WrittenBook): void {
    this.#current = undefined;
  }

  trades(symbol: string, _history: boolean, trades: readonly WrittenTrade[]): void {
    if (!this.#isWanted(symbol)) return;
    const seen = this.#of(symbol);
    if (trades.length > 0) seen.hasBookOrTrades = true;
    for (const trade of trades) {
      note(seen.price, trade.price, 'price');
      note(seen.size, trade.quantity, 'quantity');
    }
  }

  ticker(symbol: string, ticker: WrittenTicker): void {
    if (!this.#isWanted(symbol)) return;
    const { topPrice, topSize } = this.#of(symbol);
    for (const price of [ticker.bid, ticker.ask]) if (price !== undefined) note(topPrice, price, 'price');
    for (const size of [ticker.bidQuantity, ticker.askQuantity]) {
      if (size !== undefined) note(topSize, size, 'quantity');
    }
  }

  disconnected(): void {
    return undefined;
  }

  anomaly(): void {
    return undefined;
  }

  #isWanted(symbol: string): boolean {
    if (this.#wanted === undefined || symbol === this.#wanted) return true;
    this.others.add(symbol);
    return false;
  }

  #of(symbol: string): Surveyed {
    let surveyed = this.#symbols.get(symbol);
    if (surveyed === undefined) {
      refuseTooMany(this.#symbols.size, symbol);
      surveyed = {
        price: { printed: 0, used: 0 },
        size: { printed: 0, used: 0 },
        topPrice: { printed: 0, used: 0 },
        topSize: { printed: 0, used: 0 },
        hasBookOrTrades: false,
      };
      this.#symbols.set(symbol, surveyed);
    }
    return surveyed;
  }
}

/** Rates for data that say nothing of fees, whatever they hold. */
export const assumedRates = { taker: '0.0025', maker: '0.001' } as const;

/** A spec of what is known of a symbol: its currencies and its two steps. Fees are those of the service. */
export function specOf(
  symbol: string,
  { base: baseCurrency, quote: quoteCurrency }: Pair,
  steps: { readonly tick: string; readonly increment: string },
): InstrumentSpec {
  return {
    symbol,
    type: 'spot',
    baseCurrency,
    quoteCurrency,
    feeCurrency: quoteCurrency,
    tickSize: steps.tick,
    quantityIncrement: steps.increment,
    takeRate: assumedRates.taker,
    makeRate: assumedRates.maker,
    feesAssumed: true,
    status: 'working',
    marginTrading: false,
  };
}

/** A plain decimal of a size that can be surveyed, and the digits behind its point. */
export const decimalPattern = /^\d{1,30}(?:\.(\d{0,30}))?$/;

function note(scale: Scale, text: string, what: string): void {
  const match = decimalPattern.exec(text);
  if (match === null) throw misfit(`the ${what}`, 'a plain decimal', text);
  const fraction = match[1] ?? '';
  const used = fraction.replace(/(?<!0)0+$/, '').length;
  if (used > decimalsMax)
    throw misfit(`the ${what}`, `a decimalPattern of at most ${decimalsMax} digits`, text);
  if (fraction.length > scale.printed) scale.printed = Math.min(fraction.length, decimalsMax);
  if (used > scale.used) scale.used = used;
}

/** One unit of the last decimal in use, printed with all decimals: "0.10" for two printed and one used. */
function stepOf({ printed, used }: Scale, printing: Printing): string {
  const shown = printing === 'fixed' ? printed : used;
  const digits = `1${'0'.repeat(shown - used)}`.padStart(shown + 1, '0');
  return shown === 0 ? digits : `${digits.slice(0, -shown)}.${digits.slice(-shown)}`;
}

/** Where tick and increment of the instruments come from. */
export function stepsNote({ tick, increment }: OpenOptions): string {
  const inferred = 'inferred from the decimals seen, fee rates are assumed';
  if (tick !== undefined && increment !== undefined)
    return `tick ${tick} and increment ${increment} are as given, fee rates are assumed`;
  if (tick !== undefined) return `tick ${tick} is as given, increments are ${inferred}`;
  if (increment !== undefined) return `increment ${increment} is as given, tick sizes are ${inferred}`;
  return `tick sizes and increments are ${inferred}`;
}

/** The error for a source that holds no market, or not the one that was asked for. */
export function nothingFound(paths: readonly string[], options: OpenOptions, found = 'none'): BadInput {
  const wanted =
    options.symbol === undefined ? 'messages that name a symbol' : `messages of ${options.symbol}`;
  return new BadInput(`${paths.join(', ')}: expected ${wanted}, found ${found}`);
}
