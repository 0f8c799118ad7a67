import type { Micros } from '../../core/base/clock.ts';
import { timeText } from '../../core/base/clock.ts';
import { BadInput } from '../../core/base/errors.ts';
import type { Event } from '../../core/model/event.ts';
import type { BarVenue } from '../../sim/bars/venue.ts';

/** Batches with bars or trades in them. */
export interface BarBatches {
  readonly start: Micros;
  readonly all: AsyncIterable<readonly Event[]>;
}

/** The first bar's begin, or the first trade's time, and all batches from the first on. Throws `BadInput` without. */
export async function beginBars(
  events: AsyncIterable<readonly Event[]> | Iterable<readonly Event[]>,
): Promise<BarBatches> {
  const iterator =
    Symbol.asyncIterator in events ? events[Symbol.asyncIterator]() : events[Symbol.iterator]();
  for (let next = await iterator.next(); next.done !== true; next = await iterator.next()) {
    const start = firstTime(next.value);
    if (start === undefined) continue;
    const first = next.value;
    return {
      start,
      all: (async function* () {
        yield first;
        for (let more = await iterator.next(); more.done !== true; more = await iterator.next())
          yield more.value;
      })(),
    };
  }
  throw new BadInput('expected bars or trades in the data, found none');
}

function firstTime(batch: readonly Event[]): Micros | undefined {
  for (const event of batch) {
    if (event.kind === 'candles' && event.candles[0] !== undefined) return event.candles[0].time;
    if (event.kind === 'trades' && event.trades.length > 0) return event.exchangeTime;
  }
  return undefined;
}

/** All bars to the end of the last one; what was wrong with the data, if it ended early. */
export async function driveBars(
  batches: BarBatches['all'],
  venue: Pick<BarVenue, 'accept' | 'finish'>,
  onBatch: () => void,
): Promise<BadInput | undefined> {
  let cut: BadInput | undefined;
  try {
    for await (const batch of batches) {
      for (const event of batch) venue.accept(event);
      onBatch();
    }
  } catch (error) {
    if (!(error instanceof BadInput)) throw error;
    cut = error;
  }
  try {
    venue.finish();
  } catch (error) {
    // A bar that cannot be walked to its end stays where it was found out.
    if (!(error instanceof BadInput)) throw error;
    cut ??= error;
  }
  return cut;
}

/** A sentence for the problems of a run. */
export function endedEarly({ message }: BadInput, time: Micros): string {
  return `the data ended early, at ${timeText(time)}: ${message}`;
}
