import type { Micros } from '../../core/base/clock.ts';
import { packOfBytes, EventPool, isPackable, PackWriter } from '../../data/pack/index.ts';
import type { Recording } from '../../data/recording/index.ts';
import type { Event } from '../../core/model/event.ts';
import { stateDefaults } from '../../core/state/index.ts';
import { BuiltMarket } from './built-market.ts';
import { CandleHistory } from './candle-history.ts';
import type { Span } from './split.ts';

/** A recording that stands in memory as one pack, which threads share. */
export interface MemoryPack {
  readonly bytes: Uint8Array;
  readonly events: number;
  /** The times of the first and the last event, the last one inside; `undefined` without events. */
  readonly span: Span | undefined;
}

/** A batch of this size, its levels included, stays in the L2 cache until it has passed through the whole pipeline. */
const batchMessages = 256;

/** The part of a span that an event takes. */
export interface EventExtent {
  readonly beginOf: (event: Event) => Micros;
  /** The first moment behind it. */
  readonly endOf: (event: Event) => Micros;
}

/** Part of a recording that is read. */
export interface PackOptions {
  /** A part of it by receive time, which begins with the books as they stand then; all of it when left out. */
  readonly span?: Span | undefined;
  /** Whether recorded candles of before are sent at the beginning of the part, as history. */
  readonly history?: boolean;
  /** How many events at its beginning do not count in the span. */
  readonly prepared?: number;
  /** When an event begins and is over, for that span; when left out, received and a microsecond later. */
  readonly times?: EventExtent | undefined;
}

/** Reads a recording into shared memory, uncompressed. Throws `BadInput` where the data is damaged. */
export async function packInMemory(
  recording: Recording,
  { span, history = false, prepared = 0, times = ofReceipt }: PackOptions = {},
): Promise<MemoryPack> {
  const parts: Uint8Array[] = [];
  const { instruments, grade, notes, printing, orders } = recording;
  const writer = new PackWriter((bytes) => parts.push(bytes), {
    instruments: instruments.all.map(({ spec }) => spec),
    codec: 'none',
    grade,
    notes,
    printing,
    orders,
  });
  let events = 0;
  let from: Micros | undefined;
  let to = 0;
  const add = (event: Event): void => {
    writer.add(event);
    events += 1;
    if (events > prepared) from ??= times.beginOf(event);
    to = Math.max(to, times.endOf(event));
  };
  const batches = span === undefined ? recording.events() : within(recording, span, history);
  for await (const batch of batches) for (const event of batch) if (isPackable(event)) add(event);
  writer.finish();
  return {
    bytes: shared(parts, writer.length),
    events,
    span: from === undefined ? undefined : { from, to: to as Micros },
  };
}

const ofReceipt: EventExtent = {
  beginOf: ({ receiveTime }) => receiveTime,
  endOf: ({ receiveTime }) => (receiveTime + 1) as Micros,
};

/** The recording in `bytes`; `label` stands for its path. */
export function memoryRecording(bytes: Uint8Array, label: string): Recording {
  const { header, instruments, hasOrders } = packOfBytes(bytes, label);
  return {
    format: 'event-pack',
    paths: [label],
    instruments,
    grade: header.grade,
    notes: header.notes,
    findings: [],
    counters: undefined,
    printing: header.printing,
    orders: hasOrders,
    frames: undefined,
    events: async function* (heard) {
      const pool = heard === undefined ? undefined : new EventPool(heard);
      yield* packOfBytes(bytes, label).batches(batchMessages, pool);
    },
  };
}

async function* within(
  recording: Recording,
  { from, to }: Span,
  history: boolean,
): AsyncGenerator<readonly Event[], void, undefined> {
  const markets = recording.instruments.all.map(({ id }) => new BuiltMarket(id, recording.orders));
  const candles = history ? new CandleHistory(stateDefaults.candlesMax) : undefined;
  let isOpen = false;
  for await (const batch of recording.events()) {
    const kept: Event[] = [];
    for (const event of batch) {
      if (event.receiveTime >= to) {
        if (kept.length > 0) yield kept;
        return;
      }
      if (!isOpen && event.receiveTime >= from) {
        isOpen = true;
        kept.push(...markets.flatMap((market) => market.whole(from)), ...(candles?.events(from) ?? []));
      }
      if (isOpen) kept.push(event);
      else if (event.kind === 'bookSnapshot' || event.kind === 'bookUpdate' || event.kind === 'bookStale')
        markets[event.instrument]?.apply(event);
      else if (event.kind === 'candles') for (const candle of event.candles) candles?.put(candle);
    }
    if (kept.length > 0) yield kept;
  }
}

/** The parts as one piece of shared memory; each part is let go of as soon as it was copied. */
function shared(parts: Uint8Array[], length: number): Uint8Array {
  const bytes = new Uint8Array(new SharedArrayBuffer(length));
  let at = 0;
  for (let i = 0; i < parts.length; i++) {
    const part = parts[i] ?? new Uint8Array(0);
    bytes.set(part, at);
    at += part.length;
    parts[i] = new Uint8Array(0);
  }
  return bytes;
}
