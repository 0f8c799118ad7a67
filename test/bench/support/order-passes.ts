import type { OrdersEnd, OrderStream } from './order-stream.ts';
import { cpuMicros, median, print } from './print.ts';

const warmUp = 10;
const measured = 9;

/** One pass over the stream, against a new book. */
export interface Pass {
  /** Plays the stream; what it came to in lots, and how many reports there were. */
  play(): { readonly traded: number; readonly noted: number };
  /** What rests in the book now. */
  standing(): Omit<OrdersEnd, 'traded'>;
}

/**
 * Plays the stream so many times, until everything is compiled and then to be measured, and prints the median rate in
 * millions of operations a core second. What `prepare` does for a pass is not measured, what a pass has the collector do
 * is. Throws when a pass comes to another end than the stream.
 */
export function measurePasses(stream: OrderStream, prepare: () => Pass): void {
  const times: number[] = [];
  let noted = 0;
  for (let count = 0; count < warmUp + measured; count++) {
    const pass = prepare();
    settle();
    const start = cpuMicros();
    const received = pass.play();
    times.push(cpuMicros() - start);
    noted = received.noted;
    const end: OrdersEnd = { traded: received.traded, ...pass.standing() };
    for (const what of ['traded', 'resting', 'lots', 'volume'] as const) {
      if (end[what] !== stream.end[what])
        throw new Error(`${what}: expected ${stream.end[what]}, found ${end[what]}`);
    }
  }
  print({ value: stream.length / median(times.slice(warmUp)), noted, ...stream.end });
}

const scraps: object[] = [];

/** Makes so much garbage that what has been prepared leaves the nursery: moving it is no part of a pass. */
function settle(): void {
  for (let i = 0; i < 4_000_000; i++) scraps[i % 64] = { i };
}
