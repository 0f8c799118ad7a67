import { median, cpuMicros } from './print.ts';
import { snapshotFrame, updateFrames } from './book-frames.ts';

/** Levels a side of the book that the frames change. */
export const frameDepth = 1_000;
const framesPerPass = 10_000;
const microsMin = 1_500_000;
const passesMin = 5;

/**
 * Nanoseconds of processor time per update frame: passes of a snapshot (not timed) and ten thousand updates, the median of those behind
 * the first, which warms up.
 */
export function measurePasses(levels: number, take: (bytes: Buffer) => void): number {
  const snapshot = snapshotFrame(frameDepth);
  const updates = updateFrames(levels, framesPerPass, frameDepth);
  const passes: number[] = [];
  let total = 0;
  while (passes.length < passesMin || total < microsMin) {
    take(snapshot);
    const start = cpuMicros();
    for (let i = 0; i < updates.length; i++) take(updates[i] as Buffer);
    const took = cpuMicros() - start;
    total += took;
    passes.push((took * 1_000) / updates.length);
  }
  return median(passes.slice(1));
}
