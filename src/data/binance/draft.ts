import { BadInput } from '../../core/base/errors.ts';
import { powersOfTen } from '../../core/base/scan.ts';
import type { Instrument } from '../../core/model/instrument.ts';
import { Instruments } from '../../core/model/instrument.ts';
import { anyQuote } from '../../core/model/pair.ts';
import type { LinePlace, LocalTime } from './line.ts';
import { compactLine, jsonOf } from './line.ts';
import { BinanceReader } from './raw.ts';
import { BinanceScanner } from './scan.ts';
import type { BinanceSeen, BinanceSymbol, BinanceSymbols, Scale } from './symbols.ts';
import { isTop, binanceSpec, surveyLine } from './symbols.ts';
import type { PackedPiece } from './packed-lines.ts';
import { PackedLines } from './packed-lines.ts';

/** Each new symbol makes all of the draft anew. */
const draftedMax = 500;

/** How a symbol is read before its tick is known: in units of the decimals it prints. */
interface Drafted {
  readonly symbol: string;
  readonly price: number;
  readonly size: number;
  /** Whether books or trades printed just these decimals: until then every line is surveyed as well. */
  isProved: boolean;
}

/**
 * Reads the lines of Binance raw files onto a copy in memory while they are surveyed, so that they need not be read again.
 *
 * Only what every recorder writes is kept: as soon as anything is out of the ordinary (a symbol that prints more decimals
 * than before, a line that cannot be read, a depth reply that names no symbol where there are two, more than there is
 * capacity for) the copy in memory is given up, the survey goes on without it, and the second look reads the files.
 */
export class BinanceDraft {
  readonly #seen: BinanceSeen;
  readonly #symbols: BinanceSymbols;
  #packed: PackedLines | undefined;
  #drafted: Drafted[] = [];
  #scanner: BinanceScanner | undefined;
  #reader: BinanceReader | undefined;

  /** Notes in `seen` what it sees. */
  constructor(seen: BinanceSeen, bytesMax: number) {
    this.#seen = seen;
    this.#symbols = seen.symbols;
    if (bytesMax > 0) this.#packed = new PackedLines(bytesMax);
  }

  startFile(): void {
    this.#packed?.startFile();
  }

  /** Reads a line; answers like the `surveyLine` of the symbols. */
  surveyLine(bytes: Buffer, place: LinePlace, time: LocalTime): number | undefined {
    const packed = this.#packed;
    const scanner = this.#scanner;
    const { start, from, end } = place;
    const kind = packed === undefined ? 'none' : (scanner?.scan(bytes, from, end) ?? 'none');
    if (packed !== undefined) {
      packed.time.micros = time.micros;
      packed.time.nanos = time.nanos;
    }
    if (packed === undefined || scanner === undefined || kind === 'none') {
      const line = bytes.subarray(start, end);
      const at = from - start;
      const compact = compactLine(line, at);
      if (compact !== line)
        return this.surveyLine(compact, { start: 0, from: at, end: compact.length }, time);
      return packed === undefined ? surveyLine(line, at, this.#seen) : this.#unusual(line, at);
    }
    const { millis, isLinked } = scanner;
    const { symbol, isProved } = this.#drafted[(scanner.instrument as Instrument).id] as Drafted;
    this.#write(kind, scanner);
    if (!isProved) {
      const counted = surveyLine(bytes.subarray(from, end), 0, this.#seen);
      this.#prove();
      return counted;
    }
    if (kind === 'top') return undefined;
    if (kind === 'depth' && isLinked) (this.#symbols.get(symbol) as BinanceSymbol).futures = true;
    if (packed.isSpoiled) this.giveUp();
    return millis;
  }

  /** All that the lines said, or `undefined` when not all could be kept. The symbols know all decimals then. */
  finish(): readonly PackedPiece[] | undefined {
    const packed = this.#packed;
    const drafted = this.#drafted;
    this.giveUp();
    if (packed === undefined || this.#symbols.size !== drafted.length) return undefined;
    if (packed.hasSnapshot && drafted.length > 1) return undefined;
    const fits = drafted.every(({ symbol, isProved }, id) => {
      const { price, size } = this.#symbols.get(symbol) as BinanceSymbol;
      const top = packed.topGridOf(id);
      return isProved && (top === undefined || (isOn(price, top.price) && isOn(size, top.size)));
    });
    const pieces = packed.finish();
    return fits && !packed.isSpoiled ? pieces : undefined;
  }

  #write(kind: 'depth' | 'trade' | 'top' | 'skipped', scanner: BinanceScanner): void {
    const packed = this.#packed as PackedLines;
    const instrument = scanner.instrument as Instrument;
    const { millis, sequence, previous, price, quantity, askPrice, askQuantity, isBuyerMaker } = scanner;
    if (kind === 'depth') packed.depth(instrument.id, millis, previous, sequence);
    else if (kind === 'trade') {
      packed.trade(instrument.id, millis, { id: String(sequence), price, quantity, isBuyerMaker });
    } else packed.top(instrument, millis, { bid: price, bidQuantity: quantity, ask: askPrice, askQuantity });
  }

  /** A line that is not in the usual form, of a symbol that is new, or with more decimals than before. */
  #unusual(line: Buffer, from: number): number | undefined {
    const counted = surveyLine(line, from, this.#seen);
    const isRedrafted = this.#redraft(line, from);
    if (this.#packed === undefined) return counted;
    const kind = isRedrafted ? (this.#scanner?.scan(line, from) ?? 'none') : 'none';
    if (kind !== 'none') {
      this.#write(kind, this.#scanner as BinanceScanner);
    } else {
      try {
        this.#reader?.accept(line, 0);
      } catch (error) {
        if (!(error instanceof BadInput)) throw error;
        this.giveUp();
      }
    }
    this.#prove();
    return counted;
  }

  /** Takes up what the survey learnt. Returns whether there is a new scanner. */
  #redraft(line: Buffer, from: number): boolean {
    const packed = this.#packed as PackedLines;
    if (this.#symbols.size > draftedMax) {
      this.giveUp();
      return false;
    }
    const drafted: Drafted[] = [];
    for (const [symbol, survey] of this.#symbols) {
      const id = drafted.length;
      const before = this.#drafted[id];
      const top = before === undefined ? topDecimals(line, from) : { price: 0, size: 0 };
      const price = Math.max(survey.price.printed, before?.price ?? top.price);
      const size = Math.max(survey.size.printed, before?.size ?? top.size);
      const isSame = before?.price === price && before.size === size;
      if ((!isSame && (packed.gridOf(id) ?? packed.topGridOf(id)) !== undefined) || symbol === '') {
        this.giveUp();
        return false;
      }
      drafted.push(isSame ? before : { symbol, price, size, isProved: false });
    }
    if (drafted.length === this.#drafted.length && drafted.every((one, i) => one === this.#drafted[i])) {
      return false;
    }
    this.#drafted = drafted;
    return this.#open(packed);
  }

  #open(packed: PackedLines): boolean {
    const specs = this.#drafted.map(({ symbol, price, size }) =>
      binanceSpec(symbol, { price: allOf(price), size: allOf(size), futures: false }, anyQuote),
    );
    try {
      const instruments = new Instruments(specs);
      this.#scanner = new BinanceScanner(instruments, packed.buffer, true);
      this.#reader = new BinanceReader({ instruments, publish: () => undefined, reading: 'json' }, packed);
      return true;
    } catch (error) {
      if (!(error instanceof BadInput)) throw error;
      this.giveUp();
      return false;
    }
  }

  #prove(): void {
    for (const one of this.#drafted) {
      const survey = this.#symbols.get(one.symbol);
      one.isProved = survey?.price.printed === one.price && survey.size.printed === one.size;
    }
  }

  /** Passes to the symbols what only the copy in memory has seen, and drops it. */
  giveUp(): void {
    const packed = this.#packed;
    this.#packed = undefined;
    for (const [id, one] of this.#drafted.entries()) {
      const grid = packed?.gridOf(id);
      const survey = this.#symbols.get(one.symbol);
      if (grid === undefined || survey === undefined) continue;
      use(survey.price, one.price, grid.price);
      use(survey.size, one.size, grid.size);
    }
  }
}

const allOf = (decimals: number): Scale => ({ printed: decimals, used: decimals });

/** Notes the decimals in use, from numbers with a fixed count of decimals that are multiples of a power of ten. */
function use(scale: Scale, decimals: number, grid: number): void {
  const trailing = Math.min(decimals, Math.round(Math.log10(grid)));
  scale.used = Math.max(scale.used, decimals - trailing);
}

/** Whether multiples of `grid` units are on the grid of the decimals in use. */
function isOn({ printed, used }: Scale, grid: number): boolean {
  return grid >= (powersOfTen[printed - used] as number);
}

/** The decimals of a book ticker; none of any other line. */
function topDecimals(line: Buffer, from: number): { readonly price: number; readonly size: number } {
  if (!isTop(line, from)) return { price: 0, size: 0 };
  const text = jsonOf(line, from);
  const decimals = (name: RegExp): number => name.exec(text)?.[1]?.length ?? 0;
  return { price: decimals(/"b":"\d+\.(\d+)"/), size: decimals(/"B":"\d+\.(\d+)"/) };
}
