import { parseAmount } from '../../core/base/amount.ts';
import { fail } from '../../core/base/assert.ts';
import type { Event } from '../../core/model/event.ts';
import type { InstrumentSpec, Lots, Ticks } from '../../core/model/instrument.ts';
import { Instruments } from '../../core/model/instrument.ts';
import { onCommonGrid } from '../../core/model/joint-grid.ts';
import { levelStride } from '../../core/model/level-buffer.ts';
import { PartialRecording, isPartialFinding } from '../../data/formats/index.ts';
import { openData } from '../../data/open/market-data.ts';
import type { Recording } from '../../data/recording/index.ts';
import { packRecording } from '../data/import-command.ts';
import type { DownloadFolder } from './folder.ts';

/** Content of a file that was kept. */
export interface Packed {
  readonly rows: number;
  /** Reason why it does not hold all of its span. */
  readonly partial: string | undefined;
}

/** Tick and increment of packs. */
type Grid = Pick<InstrumentSpec, 'tickSize' | 'quantityIncrement'>;

/**
 * Packs of one symbol in a folder. They are read as one recording, so all of them count in the same steps: a file with finer prices or
 * sizes than those before brings the packs that are there onto its steps.
 */
export class FolderPacks {
  readonly #folder: DownloadFolder;
  readonly #symbol: string;
  #grid: Grid | undefined;

  constructor(folder: DownloadFolder, symbol: string) {
    this.#folder = folder;
    this.#symbol = symbol;
  }

  /**
   * Turns a file of trades or tickers into a pack. `given` is the spec of the venue, where it has told one. Throws `BadInput` when nothing
   * of the file can be read, or the disk refuses.
   */
  async pack(source: string, out: string, given?: InstrumentSpec): Promise<Packed> {
    const options = given === undefined ? { symbol: this.#symbol } : { instruments: [given] };
    const recording = new PartialRecording(await openData([source], { partial: true, ...options }));
    const spec = only(recording, source);
    const grid = joint(spec, this.#grid ?? (await this.#gridThere()));
    const counted = new RowCount();
    await packRecording(onGrid(recording, spec, grid), out, { watch: (batches) => counted.watch(batches) });
    this.#grid = grid;
    const partial = recording.findings.find(isPartialFinding);
    return { rows: counted.rows, partial };
  }

  /** Brings every pack of the folder onto the steps of the finest one. */
  async align(): Promise<void> {
    const packs = this.#folder.files.map(({ path }) => path);
    const specs = await Promise.all(packs.map(async (path) => only(await openData(path), path)));
    const grid = specs.reduce<Grid | undefined>((known, spec) => joint(spec, known), undefined);
    for (const [at, path] of packs.entries()) {
      const spec = specs[at];
      if (spec === undefined || grid === undefined || isSame(spec, grid)) continue;
      await packRecording(onGrid(await openData(path), spec, grid), path);
    }
  }

  async #gridThere(): Promise<Grid | undefined> {
    const [first] = this.#folder.files;
    return first === undefined ? undefined : only(await openData(first.path), first.path);
  }
}

/** Rows that pass: single trades, bars and best prices. */
export class RowCount {
  rows = 0;

  async *watch(batches: AsyncIterable<readonly Event[]>): AsyncGenerator<readonly Event[], void, undefined> {
    for await (const batch of batches) {
      for (const event of batch)
        this.rows +=
          event.kind === 'trades' ? event.trades.length : event.kind === 'candles' ? event.candles.length : 1;
      yield batch;
    }
  }
}

function only({ instruments }: Recording, path: string): InstrumentSpec {
  return (instruments.all[0] ?? fail('a pack is of no instrument', { path })).spec;
}

function joint(spec: InstrumentSpec, known: Grid | undefined): Grid {
  return known === undefined ? spec : onCommonGrid(spec, known);
}

function isSame(one: Grid, other: Grid): boolean {
  return (
    parseAmount(one.tickSize) === parseAmount(other.tickSize) &&
    parseAmount(one.quantityIncrement) === parseAmount(other.quantityIncrement)
  );
}

/** A recording with its prices and sizes in finer steps. */
function onGrid(recording: Recording, spec: InstrumentSpec, grid: Grid): Recording {
  const { tickSize, quantityIncrement } = grid;
  const ticks = timesOf(spec.tickSize, tickSize);
  const lots = timesOf(spec.quantityIncrement, quantityIncrement);
  const { format, paths, grade, frames, printing, orders } = recording;
  return {
    format,
    paths,
    grade,
    frames,
    printing,
    ...(orders === undefined ? {} : { orders }),
    notes: recording.notes,
    counters: undefined,
    instruments: new Instruments([{ ...spec, tickSize, quantityIncrement }]),
    get findings() {
      return recording.findings;
    },
    get proof() {
      return recording.proof;
    },
    events: async function* () {
      for await (const batch of recording.events())
        yield ticks === 1 && lots === 1 ? batch : batch.map((event) => scaled(event, ticks, lots));
    },
  };
}

function timesOf(step: string, finer: string): number {
  return Number(parseAmount(step) / parseAmount(finer));
}

function scaled(event: Event, ticks: number, lots: number): Event {
  const price = <Value extends Ticks | undefined>(value: Value): Value =>
    (value === undefined ? value : value * ticks) as Value;
  const size = <Value extends Lots | undefined>(value: Value): Value =>
    (value === undefined ? value : value * lots) as Value;
  switch (event.kind) {
    case 'trades': {
      const trades = event.trades.map((one) => ({
        ...one,
        price: price(one.price),
        quantity: size(one.quantity),
      }));
      return { ...event, trades };
    }
    case 'ticker': {
      const { ticker } = event;
      const { bid, bidQuantity, ask, askQuantity } = ticker;
      const best = { bid: price(bid), ask: price(ask) };
      const sizes = { bidQuantity: size(bidQuantity), askQuantity: size(askQuantity) };
      return { ...event, ticker: { ...ticker, ...best, ...sizes } };
    }
    case 'bookSnapshot':
    case 'bookUpdate': {
      const levels = event.levels.slice(event.start, event.end);
      for (let at = 0; at < levels.length; at += levelStride) {
        levels[at + 1] = (levels[at + 1] as number) * ticks;
        levels[at + 2] = (levels[at + 2] as number) * lots;
      }
      return { ...event, levels, start: 0, end: levels.length };
    }
    default:
      return event;
  }
}
