import { inverseNotes } from '../binance/index.ts';
import { BadInput } from '../../core/base/errors.ts';
import { FinerSizes, mergeOrdered, thrownBy, OneFileAFeed } from '../recording/index.ts';
import type { Printing, BookProof, Recording } from '../recording/index.ts';
import { WideInstruments } from '../../core/model/wide-instruments.ts';
import type { Event } from '../../core/model/event.ts';
import { Instruments } from '../../core/model/instrument.ts';
import { EventWriter } from './event-writer.ts';
import { FindingCounts } from './finding-counts.ts';
import type { Format, OpenOptions } from './format.ts';
import { isDamage } from './partial-recording.ts';
import { RebuiltBooks } from './rebuilt-books.ts';
import { SymbolSurveyor, nothingFound, stepsNote } from './symbol-survey.ts';
import { otherSymbolsNote } from './table-records.ts';
import type {
  MarketWriter,
  Decoder,
  SourceItem,
  DecodedFormat,
  WrittenBook,
  WrittenTicker,
  WrittenTrade,
} from './market-writer.ts';
import type { BookSide } from './order-levels.ts';

/** A format from the description of its pieces: read once for its instruments, then for its events, any number of times. */
export function decodedFormat<Item extends SourceItem>(source: DecodedFormat<Item>): Format {
  const { name, looksLike, carries } = source;
  return {
    name,
    looksLike,
    carries,
    detects: (head, path) => source.detects(head, path),
    open: async (paths, options) => await openDecoded(source, paths, options),
  };
}

async function openDecoded<Item extends SourceItem>(
  source: DecodedFormat<Item>,
  paths: readonly string[],
  options: OpenOptions,
): Promise<Recording> {
  const notes = [...(source.notes ?? [])];
  if (options.instruments !== undefined) {
    return new DecodedRecording(source, paths, options, new Instruments(options.instruments), notes);
  }
  const survey = new SymbolSurveyor(options);
  const decoder = source.decoder(options);
  try {
    for await (const items of itemsOf(source, paths, options)) {
      for (const item of items) decode(decoder, item, survey);
    }
  } catch (error) {
    // What comes before the damage may be wanted; the second look meets the damage again.
    const isKept = options.partial === true && survey.symbols.length > 0;
    if (!isKept || !isDamage(error)) throw error;
  }
  if (survey.symbols.length === 0) {
    const [first = ''] = paths;
    throw nothingFound(paths, options, await source.contentOf?.(first));
  }
  notes.push(stepsNote(options), ...otherSymbolsNote(survey.others, options.symbol));
  const instruments = new Instruments(survey.specs(options, source));
  notes.push(...(source.notesOf?.(instruments, options) ?? []));
  return new DecodedRecording(source, paths, options, instruments, notes);
}

class DecodedRecording<Item extends SourceItem> implements Recording {
  readonly format: string;
  readonly paths: readonly string[];
  readonly instruments: Instruments;
  readonly grade = 'B';
  readonly counters = undefined;
  readonly frames = undefined;
  readonly printing: Printing;
  readonly #source: DecodedFormat<Item>;
  readonly #options: OpenOptions;
  readonly #notes: readonly string[];
  #others: readonly string[] = [];
  #findings: readonly string[] = [];
  #proof: BookProof | undefined;

  constructor(
    source: DecodedFormat<Item>,
    paths: readonly string[],
    options: OpenOptions,
    instruments: Instruments,
    notes: readonly string[],
  ) {
    this.format = source.name;
    this.printing = source.printing;
    this.paths = paths;
    this.instruments = instruments;
    this.#notes = [...notes, ...inverseNotes(source.name, instruments)];
    this.#source = source;
    this.#options = options;
  }

  /** Notes. What was left out because the instruments were given is known once it has been read. */
  get notes(): readonly string[] {
    return [...this.#notes, ...this.#others];
  }

  get findings(): readonly string[] {
    return this.#findings;
  }

  get proof(): BookProof | undefined {
    return this.#proof;
  }

  async *events(): AsyncGenerator<readonly Event[], void, undefined> {
    const { printing, checksum, joins } = this.#source;
    let batch: Event[] = [];
    const instruments = new WideInstruments(this.instruments);
    const books = new RebuiltBooks(instruments, printing, checksum);
    const findings = new FindingCounts();
    const isGiven = this.#options.instruments !== undefined || this.#options.increment !== undefined;
    const finer = isGiven ? new FinerSizes() : undefined;
    const writer = new EventWriter({
      instruments,
      publish: (event) => batch.push(event),
      books,
      findings,
      joins: joins === true,
      tickers: this.#options.tickers ?? true,
      finer,
    });
    const decoder = this.#source.decoder(this.#options);
    const feeds =
      this.paths.length > 1 ? new OverlapCheck(writer, this.paths, instruments, joins === true) : undefined;
    let isEmpty = true;
    try {
      for await (const items of itemsOf(this.#source, this.paths, this.#options)) {
        const refusal = thrownBy(() => {
          for (const item of items) {
            writer.moveTo(item);
            feeds?.moveTo(item);
            decode(decoder, item, feeds ?? writer);
          }
        });
        if (batch.length > 0) yield batch;
        isEmpty &&= batch.length === 0;
        if (refusal !== undefined) throw refusal.error;
        batch = [];
      }
      if (isEmpty && writer.tickersLeft > 0) throw tickersAlone(this.paths);
    } finally {
      this.#findings = [
        ...writer.orphans.sentences(this.instruments),
        ...findings.sentences(),
        ...(finer?.sentences() ?? []),
      ];
      this.#proof = books.proof;
      if (this.#options.instruments !== undefined)
        this.#others = otherSymbolsNote(
          writer.others,
          this.instruments.all.map(({ symbol }) => symbol).join(', '),
        );
    }
  }
}

function tickersAlone(paths: readonly string[]): BadInput {
  return new BadInput(
    `${paths.join(', ')}: expected books or trades, found tickers alone, which are left out: say import: { tickers: true } in a scenario, and no --no-tickers at an import`,
  );
}

function itemsOf<Item extends SourceItem>(
  source: DecodedFormat<Item>,
  paths: readonly string[],
  options: OpenOptions,
): AsyncGenerator<readonly Item[], void, undefined> {
  const streams = paths.map((path) => source.read(path, options));
  const [only] = streams;
  if (only !== undefined && streams.length === 1) return only;
  return mergeOrdered(streams, (item) => item.receiveTime);
}

/** Decodes one piece; errors carry file and line. */
function decode<Item extends SourceItem>(decoder: Decoder<Item>, item: Item, writer: MarketWriter): void {
  try {
    decoder.accept(item, writer);
  } catch (error) {
    if (!isDamage(error)) throw error;
    throw new BadInput(`${item.path}:${item.number}: ${error.message}`, { cause: error });
  }
}

/**
 * Passes on what several files write, after checking that no two files carry the same kind of data of one symbol at the same
 * time. Throws `FilesOverlap` when one does. Whole books that are joined with differences of another
 * file do not count.
 */
export class OverlapCheck implements MarketWriter {
  readonly #writer: MarketWriter;
  readonly #paths: ReadonlyMap<string, number>;
  readonly #instruments: Instruments;
  readonly #joins: boolean;
  readonly #feeds: OneFileAFeed;
  #source = 0;
  #time = 0;
  #symbol = '';

  constructor(writer: MarketWriter, paths: readonly string[], instruments: Instruments, joins: boolean) {
    this.#writer = writer;
    this.#paths = new Map(paths.map((path, index) => [path, index]));
    this.#instruments = instruments;
    this.#joins = joins;
    this.#feeds = new OneFileAFeed(paths, instruments);
  }

  /** The next piece of a file. */
  moveTo({ path, receiveTime }: SourceItem): void {
    this.#source = this.#paths.get(path) ?? 0;
    this.#time = receiveTime;
  }

  begin(symbol: string): boolean {
    this.#symbol = symbol;
    return this.#writer.begin(symbol);
  }

  level(side: BookSide, price: string, size: string): void {
    this.#writer.level(side, price, size);
  }

  snapshot(book: WrittenBook): void {
    if (!this.#joins) this.#noteProvider('books', this.#symbol);
    this.#writer.snapshot(book);
  }

  update(book: WrittenBook): void {
    this.#noteProvider('books', this.#symbol);
    this.#writer.update(book);
  }

  trades(symbol: string, history: boolean, trades: readonly WrittenTrade[]): void {
    this.#noteProvider('trades', symbol);
    this.#writer.trades(symbol, history, trades);
  }

  ticker(symbol: string, ticker: WrittenTicker): void {
    this.#noteProvider('tickers', symbol);
    this.#writer.ticker(symbol, ticker);
  }

  disconnected(symbols?: readonly string[]): void {
    this.#writer.disconnected(symbols);
  }

  anomaly(what: string): void {
    this.#writer.anomaly(what);
  }

  #noteProvider(noun: string, symbol: string): void {
    const instrument = this.#instruments.find(symbol)?.id;
    if (instrument !== undefined) this.#feeds.note(this.#source, { noun, instrument }, this.#time);
  }
}
