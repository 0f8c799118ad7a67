import type { Micros } from '../../core/base/clock.ts';
import { timeText } from '../../core/base/clock.ts';
import { BadInput } from '../../core/base/errors.ts';
import type { Event } from '../../core/model/event.ts';
import type { Recording } from '../../data/recording/index.ts';
import { openData } from '../../data/open/market-data.ts';
import type { FedRecording } from '../backtest/index.ts';

/** A recording that can be served, and its first event. */
export interface ServedRecording {
  readonly recording: Recording;
  readonly first: Event;
}

/** Part of a recording, by receive time. */
export interface ServedSpan {
  readonly start?: Micros | undefined;
  readonly end?: Micros | undefined;
}

/**
 * Opens recorded data of any known format. Throws `BadInput` when they cannot be read, no book is in them, or nothing was received in
 * the span.
 */
export async function openServed(paths: readonly string[], span: ServedSpan): Promise<ServedRecording> {
  const recording = await openData(paths);
  const { start = 0, end = Number.POSITIVE_INFINITY } = span;
  let first: Event | undefined;
  let last = 0;
  const kinds = new Set<string>();
  const hasBook = (): boolean => kinds.has('bookSnapshot') || kinds.has('bookUpdate');
  for await (const batch of recording.events())
    for (const event of batch) {
      first ??= event;
      last = event.receiveTime;
      kinds.add(event.kind);
      if (hasBook() && last >= start && last < end) return { recording, first };
    }
  const named = recording.paths.join(', ');
  if (first !== undefined && hasBook())
    throw new BadInput(
      `${named}: expected events of the span, found them from ${timeText(first.receiveTime)} to ${timeText(last)}`,
    );
  const found = kinds.size === 0 ? 'no events' : `${[...kinds].sort().join(' and ')} alone`;
  throw new BadInput(`${named}: expected a recording with a book, found ${found}`);
}

/** A recording whose events happen at other times: `moved` says when. Order and distances of what it is given must be kept. */
export function movedInTime(recording: FedRecording, moved: (time: Micros) => Micros): FedRecording {
  const { instruments, orders, paths } = recording;
  return {
    instruments,
    paths,
    ...(orders !== undefined && { orders }),
    async *events() {
      for await (const batch of recording.events()) yield batch.map((event) => movedEvent(event, moved));
    },
  };
}

function movedEvent(event: Event, moved: (time: Micros) => Micros): Event {
  const times = { exchangeTime: moved(event.exchangeTime), receiveTime: moved(event.receiveTime) };
  if (event.kind !== 'trades') return { ...event, ...times };
  return { ...event, ...times, trades: event.trades.map((one) => ({ ...one, time: moved(one.time) })) };
}
