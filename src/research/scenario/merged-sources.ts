import { timeText } from '../../core/base/clock.ts';
import { BadInput } from '../../core/base/errors.ts';
import { ConfigError } from '../../core/config/error.ts';
import type { Event } from '../../core/model/event.ts';
import type { InstrumentId, InstrumentSpec } from '../../core/model/instrument.ts';
import { Instruments } from '../../core/model/instrument.ts';
import { isMarketEvent } from '../../core/model/market-data.ts';
import type { MarketEvent } from '../../core/model/market-event.ts';
import { mergeEvents } from '../../data/recording/index.ts';
import type { Recording } from '../../data/recording/index.ts';
import { specAt } from './sources.ts';

/** A source of a run, opened on its own. */
export interface OpenSource {
  readonly recording: Recording;
  /** Notes on its data. */
  readonly notes: readonly string[];
  /** How many events at its beginning only build the market. */
  readonly prepared: number;
  readonly venue: string | undefined;
  /** The one symbol of it that is run; all of them when left out. */
  readonly symbol: string | undefined;
}

/** Several sources as one recording. */
export interface MergedSources {
  readonly recording: Recording;
  /** How many events at its beginning only build the market. */
  readonly prepared: number;
}

/** A source with the numbers that its instruments have in the run. */
interface NumberedSource extends OpenSource {
  /** Ids by the number in its own recording; `undefined` of symbols that are not run. */
  readonly ids: readonly (InstrumentId | undefined)[];
  readonly name: string;
}

/**
 * Sources that were recorded apart as one recording: by receive time, and at one receive time in the order of the scenario.
 * What prepares comes before everything that runs. One batch of each source is held, nothing more. Throws `ConfigError`
 * naming `file` where two sources bring one symbol.
 */
export function mergeSources(sources: readonly OpenSource[], file: string): MergedSources {
  const specs: InstrumentSpec[] = [];
  const from = new Map<string, number>();
  const numbered = sources.map((source, index): NumberedSource => {
    const { recording, venue, symbol } = source;
    const ids = recording.instruments.all.map(({ spec }) => {
      if (symbol !== undefined && spec.symbol !== symbol) return undefined;
      const own = specAt(spec, venue);
      const before = from.get(own.symbol);
      if (before !== undefined)
        throw new ConfigError(
          `${file}: sources.${index}: expected another venue than that of sources.${before}, because both bring ${own.symbol}; name each, for example venue: binance`,
        );
      from.set(own.symbol, index);
      specs.push(own);
      return (specs.length - 1) as InstrumentId;
    });
    const name = ids.length === 1 || symbol !== undefined ? specs.at(-1)?.symbol : undefined;
    return { ...source, ids, name: name ?? baseName(recording.paths[0] ?? '') };
  });
  return { recording: mergedRecording(numbered, new Instruments(specs)), prepared: preparedOf(sources) };
}

function preparedOf(sources: readonly OpenSource[]): number {
  return sources.reduce((sum, { prepared }) => sum + prepared, 0);
}

function mergedRecording(sources: readonly NumberedSource[], instruments: Instruments): Recording {
  const recordings = sources.map(({ recording }) => recording);
  let watch: SourceWatch | undefined;
  return {
    format: [...new Set(recordings.map(({ format }) => format))].join(' + '),
    paths: [...new Set(recordings.flatMap(({ paths }) => paths))],
    instruments,
    grade: recordings.some(({ grade }) => grade === 'B') ? 'B' : 'A',
    notes: sources.flatMap(({ notes, name }) => notes.map((note) => `${name}: ${note}`)),
    get findings() {
      const own = sources.flatMap(({ recording, name }) =>
        recording.findings.map((one) => `${name}: ${one}`),
      );
      return [...own, ...(watch?.findings() ?? [])];
    },
    counters: undefined,
    orders: recordings.every(({ orders }) => orders === true),
    frames: undefined,
    async *events() {
      const seen = new SourceWatch(sources);
      watch = seen;
      const readers = sources.map((source) => new SourceReader(source));
      if (preparedOf(sources) > 0)
        yield* mergeEvents(
          readers.map((reader) => reader.prepared()),
          'receiveTime',
        );
      yield* mergeEvents(
        readers.map((reader) => reader.rest()),
        'receiveTime',
        {
          keep: (event, source) => seen.accepts(event, source),
          onEnd: (source) => seen.ended(source),
        },
      );
    },
  };
}

/** Reads a source once: first what prepares, then the rest. Its events have the numbers of the run. */
class SourceReader {
  readonly #source: NumberedSource;
  readonly #batches: AsyncGenerator<readonly Event[], void, undefined>;
  /** Events that were read behind the prepared ones. */
  #left: readonly Event[] = [];

  constructor(source: NumberedSource) {
    this.#source = source;
    this.#batches = source.recording.events();
  }

  async *prepared(): AsyncGenerator<readonly Event[], void, undefined> {
    let wanted = this.#source.prepared;
    while (wanted > 0) {
      const next = await this.#batches.next();
      if (next.done === true) return;
      const events = this.#numbered(next.value);
      yield events.slice(0, wanted);
      this.#left = events.slice(wanted);
      wanted -= Math.min(wanted, events.length);
    }
  }

  async *rest(): AsyncGenerator<readonly Event[], void, undefined> {
    if (this.#left.length > 0) yield this.#left;
    for await (const batch of this.#batches) yield this.#numbered(batch);
  }

  #numbered(batch: readonly Event[]): readonly Event[] {
    const { ids } = this.#source;
    const events: Event[] = [];
    for (const event of batch) {
      if (!isMarketEvent(event)) continue;
      const id = ids[event.instrument];
      if (id !== undefined) events.push(id === event.instrument ? event : withId(event, id));
    }
    return events;
  }
}

/** A copy, because the reader may use its events again. */
function withId(event: MarketEvent, instrument: InstrumentId): Event {
  if (event.kind !== 'candles') return { ...event, instrument };
  return { ...event, instrument, candles: event.candles.map((candle) => ({ ...candle, instrument })) };
}

/** How many of the events of a source are run. */
export async function countOfSource(recording: Recording, symbol: string | undefined): Promise<number> {
  const only = symbol === undefined ? undefined : recording.instruments.find(symbol)?.id;
  let count = 0;
  for await (const batch of recording.events())
    for (const event of batch)
      if (isMarketEvent(event) && (only === undefined || event.instrument === only)) count += 1;
  return count;
}

/** Clocks of venues whose smallest latencies differ by more are not one clock. */
const clockDifferenceMax = 1_000_000;

/** Watches whether sources have time in common, and whether the clocks of their venues agree. */
class SourceWatch {
  readonly #sources: readonly NumberedSource[];
  readonly #last: number[] = [];
  /** The smallest time from exchange to receipt, by source; candles have none. */
  readonly #latency: number[] = [];
  readonly #ended = new Set<number>();

  constructor(sources: readonly NumberedSource[]) {
    this.#sources = sources;
  }

  /** Answers true. Throws `BadInput` where a source begins when all that had begun have ended. */
  accepts(event: Event, source: number): boolean {
    if (this.#last[source] === undefined) this.#begin(event, source);
    this.#last[source] = event.receiveTime;
    if (event.kind === 'candles') return true;
    const latency = event.receiveTime - event.exchangeTime;
    if (!(latency >= (this.#latency[source] ?? Number.POSITIVE_INFINITY))) this.#latency[source] = latency;
    return true;
  }

  ended(source: number): readonly Event[] {
    this.#ended.add(source);
    return [];
  }

  findings(): readonly string[] {
    const measured = this.#sources.flatMap(({ name }, index) => {
      const latency = this.#latency[index];
      return latency === undefined ? [] : [{ name, latency }];
    });
    const sorted = measured.toSorted((one, other) => one.latency - other.latency);
    const [least] = sorted;
    const most = sorted.at(-1);
    if (least === undefined || most === undefined || most.latency - least.latency <= clockDifferenceMax)
      return [];
    return [
      `the clocks of the sources differ: the smallest latency of ${least.name} is ${secondsText(least.latency)} and of ${most.name} ${secondsText(most.latency)}; events meet the market by exchange time`,
    ];
  }

  #begin({ receiveTime }: Event, source: number): void {
    const begun = this.#sources.filter((_, index) => this.#last[index] !== undefined);
    const areOver = this.#sources.every(
      (_, index) => this.#last[index] === undefined || this.#ended.has(index),
    );
    const last = Math.max(...this.#last.filter((time) => time !== undefined));
    if (begun.length === 0 || !areOver || receiveTime <= last) return;
    const { recording, name } = this.#sources[source] as NumberedSource;
    throw new BadInput(
      `${recording.paths[0]}: expected sources that have some time in common, found ${name} to begin at ${timeText(receiveTime)}, after ${begun.map((one) => one.name).join(', ')} had ended at ${timeText(last)}; files that follow one another are data of one source`,
    );
  }
}

function secondsText(micros: number): string {
  return `${(micros / 1e6).toFixed(3)} s`;
}

function baseName(path: string): string {
  return path.split(/[\\/]/).at(-1) ?? path;
}
