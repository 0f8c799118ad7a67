import { statSync } from 'node:fs';
import type { Micros } from '../base/clock.ts';
import { microsPerSecond } from '../base/clock.ts';
import { bytesPerMib } from './segment-writer.ts';
import { removeSegment, segmentPath } from './segments.ts';
import type { SealedSegment, WriterTask } from './writer-messages.ts';

interface Kept extends SealedSegment {
  readonly bytes: number;
}

/** The sealed segments of a journal: removes the oldest, by age and by the size of all. */
export class KeptSegments {
  readonly #directory: string;
  readonly #ageMax: number;
  readonly #bytesMax: number;
  readonly #segments: Kept[] = [];
  #bytes = 0;

  constructor({ directory, older, limits }: Pick<WriterTask, 'directory' | 'older' | 'limits'>) {
    this.#directory = directory;
    this.#ageMax = limits.keepDays * 86_400 * microsPerSecond;
    this.#bytesMax = limits.sizeMaxMib * bytesPerMib;
    for (const segment of older) this.add(segment);
  }

  add(segment: SealedSegment): void {
    const { size: bytes } = statSync(segmentPath(this.#directory, segment.number));
    this.#segments.push({ ...segment, bytes });
    this.#bytes += bytes;
  }

  /** Removes what ended too long before `now`. */
  removeOld(now: Micros): void {
    while ((this.#segments[0]?.ended ?? now) < now - this.#ageMax) this.#removeFirst();
  }

  /** Removes what is too much beside the segment that is written, which has so many bytes. */
  makeRoom(written: number): void {
    while (this.#segments.length > 0 && this.#bytes + written > this.#bytesMax) this.#removeFirst();
  }

  #removeFirst(): void {
    const first = this.#segments.shift();
    if (first === undefined) return;
    this.#bytes -= first.bytes;
    removeSegment(segmentPath(this.#directory, first.number));
  }
}
