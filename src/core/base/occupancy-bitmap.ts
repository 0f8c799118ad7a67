/** A block is 32 cells: `slot >>> blockShift` is the number of the block of a slot. */
export const blockShift = 5;
const blockSize = 1 << blockShift;

/**
 * Which blocks of a circle of cells may hold anything but 0, to find the next such cell downwards without reading them all.
 * `length` is a power of two of at least 1024.
 *
 * A write that fills a cell marks its block, and a write of 0 leaves the mark: so writes do not depend on each other and
 * need no branch. A search that finds a marked block empty removes the mark.
 */
export class OccupancyBitmap {
  /** A 1 for each block that may hold something. */
  readonly marks: Uint8Array;

  constructor(length: number) {
    this.marks = new Uint8Array(length >>> blockShift);
  }

  clear(): void {
    this.marks.fill(0);
  }

  /** The nearest slot below `slot` with a cell other than 0, around the circle and down to `slot` itself; -1 when all are 0. */
  below(cells: Float64Array, slot: number): number {
    const { marks } = this;
    const count = marks.length;
    const own = slot >>> blockShift;
    for (let at = slot - 1; at >= own << blockShift; at--) if (cells[at] !== 0) return at;
    for (let step = 1; step <= count; step++) {
      const block = (own - step) & (count - 1);
      if (marks[block] === 0) continue;
      const first = block << blockShift;
      for (let at = first + blockSize - 1; at >= first; at--) if (cells[at] !== 0) return at;
      marks[block] = 0;
    }
    return -1;
  }
}

/** 1 for anything but 0, without a branch: the branch would be unpredictable. */
export function isNonZero(cell: number): number {
  // A comparison as a number is the machine's own bit.
  return ((cell !== 0) as unknown as number) | 0;
}
