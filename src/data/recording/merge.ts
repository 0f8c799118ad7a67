import type { Event } from '../../core/model/event.ts';
import type { Instruments } from '../../core/model/instrument.ts';
import { OneFileAFeed } from './file-order.ts';

/** Time of the two by which events are merged. */
export type EventOrder = 'exchangeTime' | 'receiveTime';

/** Batches of anything, in the order of its source. */
export type Batches<Item> = AsyncIterable<readonly Item[]> | Iterable<readonly Item[]>;

export interface MergeHooks<Item> {
  /** Whether to pass an item on; asked once for each, in merged order. */
  readonly keep?: (item: Item, source: number) => boolean;
  /** A source is exhausted; what is answered takes its place in the stream. */
  readonly onEnd?: (source: number) => readonly Item[];
}

const batchMax = 4_096;

interface Head<Item> {
  readonly source: number;
  readonly next: () => Promise<IteratorResult<readonly Item[]>>;
  readonly stop: () => Promise<unknown>;
  batch: readonly Item[];
  at: number;
  done: boolean;
}

/** Merges streams of events by one of their times; ties go to the earlier source. Each source keeps its own order. */
export function mergeEvents(
  sources: readonly Batches<Event>[],
  order: EventOrder,
  hooks: MergeHooks<Event> = {},
): AsyncGenerator<readonly Event[], void, undefined> {
  const timeOf =
    order === 'exchangeTime' ? (event: Event) => event.exchangeTime : (event: Event) => event.receiveTime;
  return mergeOrdered(sources, timeOf, hooks);
}

/**
 * Merges sources by a time of their items; ties go to the earlier source. It holds one batch of each source and one
 * of its own, nothing more. A source that goes back in time is not sorted: its items come as soon as they are due.
 */
export async function* mergeOrdered<Item>(
  sources: readonly Batches<Item>[],
  timeOf: (item: Item) => number,
  hooks: MergeHooks<Item> = {},
): AsyncGenerator<readonly Item[], void, undefined> {
  const heads = sources.map((source, index) => headOf(source, index));
  let merged: Item[] = [];
  try {
    for (const head of heads) merged.push(...(await refill(head, hooks)));
    for (let head = earliest(heads, timeOf); head !== undefined; head = earliest(heads, timeOf)) {
      const item = head.batch[head.at] as Item;
      head.at += 1;
      if (hooks.keep?.(item, head.source) ?? true) merged.push(item);
      if (head.at === head.batch.length) merged.push(...(await refill(head, hooks)));
      if (merged.length >= batchMax) {
        yield merged;
        merged = [];
      }
    }
  } catch (error) {
    // What stands before the damage of a source is yielded before it is thrown.
    if (merged.length > 0) yield merged;
    throw error;
  } finally {
    for (const head of heads) if (!head.done) await head.stop();
  }
  if (merged.length > 0) yield merged;
}

function headOf<Item>(source: Batches<Item>, index: number): Head<Item> {
  const iterator =
    Symbol.asyncIterator in source ? source[Symbol.asyncIterator]() : source[Symbol.iterator]();
  return {
    source: index,
    next: async () => await iterator.next(),
    stop: async () => await iterator.return?.(),
    batch: [],
    at: 0,
    done: false,
  };
}

/** Fetches the next batch that holds anything; at the end of the source, what the hook answers. */
async function refill<Item>(head: Head<Item>, hooks: MergeHooks<Item>): Promise<readonly Item[]> {
  for (;;) {
    const result = await head.next();
    if (result.done === true) {
      head.done = true;
      return hooks.onEnd?.(head.source) ?? [];
    }
    if (result.value.length > 0) {
      head.batch = result.value;
      head.at = 0;
      return [];
    }
  }
}

function earliest<Item>(
  heads: readonly Head<Item>[],
  timeOf: (item: Item) => number,
): Head<Item> | undefined {
  let best: Head<Item> | undefined;
  let bestTime = 0;
  for (const head of heads) {
    if (head.done) continue;
    const time = timeOf(head.batch[head.at] as Item);
    if (best === undefined || time < bestTime) {
      best = head;
      bestTime = time;
    }
  }
  return best;
}

/**
 * The events of several files by the time they were received; those of a single file as they come. `sources` by their
 * `paths`. Throws `FilesOverlap` where two of them hold the same of one symbol at the same time.
 */
export async function* mergeFiles(
  sources: readonly Batches<Event>[],
  paths: readonly string[],
  instruments: Instruments,
): AsyncGenerator<readonly Event[], void, undefined> {
  const [only] = sources;
  if (only !== undefined && sources.length === 1) {
    yield* only;
    return;
  }
  const feeds = new OneFileAFeed(paths, instruments);
  yield* mergeEvents(sources, 'receiveTime', { keep: (event, source) => feeds.accepts(event, source) });
}
