import type { Micros } from '../../../core/base/clock.ts';
import { BadInput } from '../../../core/base/errors.ts';
import type { LocalTime } from '../../binance/line.ts';
import { readLocalTime } from '../../binance/line.ts';
import { itemsOfLines } from '../line-items.ts';
import type { TapeItem } from '../tape.ts';

/** A line `<local time> <JSON>`; the time has 16 (microseconds) or 19 digits (nanoseconds). */
export interface StampedItem extends TapeItem {
  readonly path: string;
  readonly number: number;
  readonly receiveTime: Micros;
  readonly body: Uint8Array;
}

/** The lines of a raw stream file. Throws `BadInput` with file, line and expectation. */
export async function* readStampedLines(
  path: string,
): AsyncGenerator<readonly StampedItem[], void, undefined> {
  const time: LocalTime = { micros: 0, nanos: 0 };
  yield* itemsOfLines(path, (line, number) => {
    const from = readLocalTime(line, time);
    if (from === 0) {
      const found = JSON.stringify(Buffer.from(line.subarray(0, 60)).toString('utf8'));
      throw new BadInput(
        `${path}:${number}: expected a local time of 16 or 19 digits and a message, found ${found}`,
      );
    }
    const receiveTime = (time.micros + (time.nanos > 0 ? 1 : 0)) as Micros;
    return { path, number, receiveTime, body: line.subarray(from) };
  });
}
