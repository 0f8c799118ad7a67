import type { Instrument, Instruments } from './instrument.ts';

/**
 * Letters, digits and signs of any script and `_ . / -`: what a symbol may be made of, so that frames carry it without escapes.
 * Spaces, controls and characters that nobody sees stay outside, for they forge lines; so do other signs of ASCII, which cut addresses.
 */
export const symbolShape =
  /^(?!\p{M})(?:[\w./-]|(?![\p{ASCII}\p{Default_Ignorable_Code_Point}])[\p{L}\p{M}\p{N}\p{S}]){1,40}$/u;

const namesMax = 5;
const nameLengthMax = 48;

/** A sentence on symbols that a list of the venue names and that are passed over, with the first of them as they are written. */
export function refusedNamesText(names: readonly string[]): string {
  const shown = names
    .slice(0, namesMax)
    .map((name) =>
      JSON.stringify(name.slice(0, nameLengthMax)).replaceAll(
        /[^\x20-\x7e\p{L}\p{M}\p{N}\p{P}\p{S}]|\p{Default_Ignorable_Code_Point}/gu,
        (mark) => `\\u{${(mark.codePointAt(0) ?? 0).toString(16)}}`,
      ),
    );
  const more = names.length > namesMax ? ` and ${names.length - namesMax} more` : '';
  const passed = names.length === 1 ? '1 symbol of the list is' : `${names.length} symbols of the list are`;
  return `${passed} passed over: expected names of 1 to 40 letters, digits and signs such as _ . / - (no spaces, nothing hidden), found ${shown.join(', ')}${more}`;
}

const quote = 0x22;
/** 40 characters of at most 4 bytes. */
const symbolBytesMax = 160;

/**
 * Instruments by the bytes of their symbol, so that a scanner makes no string.
 *
 * Open addressing over a power of two, at most half full; the bytes of all symbols stand in one array.
 */
export class SymbolTable {
  readonly #mask: number;
  readonly #slots: Int32Array;
  readonly #starts: Int32Array;
  readonly #text: Uint8Array;
  readonly #instruments: readonly Instrument[];
  /**
   * Which was found last: busy symbols come in rows, and then no hash is needed. Fast twin of `#findSymbol`: row `frames-2-ring`,
   * 1.05 times as fast.
   */
  #last = 0;
  /** Index of the closing quote of the symbol found last. */
  end = 0;

  constructor(instruments: Instruments) {
    // Symbols with other characters are left to the strict path.
    this.#instruments = instruments.all.filter((instrument) => symbolShape.test(instrument.symbol));
    const count = this.#instruments.length;
    const size = 2 ** Math.ceil(Math.log2(Math.max(4, count * 2)));
    this.#mask = size - 1;
    this.#slots = new Int32Array(size).fill(-1);
    this.#starts = new Int32Array(count + 1);
    this.#text = Buffer.from(this.#instruments.map((instrument) => `${instrument.symbol}"`).join(''), 'utf8');
    let start = 0;
    for (const index of this.#instruments.keys()) {
      this.#starts[index] = start;
      let slot = hashOf(this.#text, start) & this.#mask;
      while (this.#slots[slot] !== -1) slot = (slot + 1) & this.#mask;
      this.#slots[slot] = index;
      start = this.#text.indexOf(quote, start) + 1;
    }
    this.#starts[count] = start;
  }

  /** The instrument whose symbol stands at `at`, ended by a quote; `undefined` when there is none. */
  find(bytes: Uint8Array, at: number): Instrument | undefined {
    const last = this.#last;
    if (this.#isAt(last, bytes, at)) {
      this.end = at + (this.#starts[last + 1] as number) - (this.#starts[last] as number) - 1;
      return this.#instruments[last];
    }
    return this.#findSymbol(bytes, at);
  }

  #findSymbol(bytes: Uint8Array, at: number): Instrument | undefined {
    let hash = 0;
    let end = at;
    for (; end < bytes.length && end - at <= symbolBytesMax; end++) {
      const byte = bytes[end] as number;
      if (byte === quote) break;
      hash = (Math.imul(hash, 31) + byte) | 0;
    }
    if (bytes[end] !== quote) return undefined;
    for (let slot = hash & this.#mask; ; slot = (slot + 1) & this.#mask) {
      const index = this.#slots[slot] as number;
      if (index < 0) return undefined;
      if (this.#isAt(index, bytes, at)) {
        this.end = end;
        this.#last = index;
        return this.#instruments[index];
      }
    }
  }

  /** Whether the stored symbol, closing quote included, is what stands at `at`. */
  #isAt(index: number, bytes: Uint8Array, at: number): boolean {
    const text = this.#text;
    let from = this.#starts[index] as number;
    for (let i = at; ; i++, from++) {
      const byte = text[from] as number;
      if (bytes[i] !== byte) return false;
      if (byte === quote) return true;
    }
  }
}

function hashOf(text: Uint8Array, start: number): number {
  let hash = 0;
  for (let i = start; text[i] !== quote; i++) hash = (Math.imul(hash, 31) + (text[i] as number)) | 0;
  return hash;
}

// The table of the instruments asked for last; a run has one set of instruments.
let lastInstruments: Instruments | undefined;
let lastTable: SymbolTable | undefined;
const tables = new WeakMap<Instruments, SymbolTable>();

/** The table of these instruments, built once. */
export function symbolTableOf(instruments: Instruments): SymbolTable {
  if (instruments === lastInstruments && lastTable !== undefined) return lastTable;
  const table = tables.get(instruments) ?? new SymbolTable(instruments);
  tables.set(instruments, table);
  lastInstruments = instruments;
  lastTable = table;
  return table;
}
