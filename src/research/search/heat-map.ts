import type { Point, Space } from './space.ts';
import { dimensionValues } from './space.ts';

/** The best value met at each pair of two parameters' values. */
export interface HeatMap {
  readonly x: string;
  readonly y: string;
  readonly columns: readonly string[];
  readonly rows: readonly string[];
  /** One list per row; `null` where nothing was tried, or nothing had a value. */
  readonly cells: readonly (readonly (number | null)[])[];
}

export interface Scored {
  readonly point: Point;
  readonly value: number | undefined;
}

const cellsMax = 12;

/** One map per pair of the first parameters, at most `mapsMax`; ranges with many values are cut into equal parts. */
export function heatMaps(space: Space, scored: readonly Scored[], mapsMax = 6): readonly HeatMap[] {
  const names = space.dimensions.map(({ name }) => name);
  const pairs = names.flatMap((x, index) => names.slice(index + 1).map((y) => [x, y] as const));
  return pairs.slice(0, mapsMax).map(([x, y]) => mapOf(space, scored, x, y));
}

function mapOf(space: Space, scored: readonly Scored[], x: string, y: string): HeatMap {
  const across = binsOf(space, scored, x);
  const down = binsOf(space, scored, y);
  const cells = down.labels.map(() => across.labels.map((): number | null => null));
  for (const { point, value } of scored) {
    if (value === undefined) continue;
    const row = cells[down.binOf(point)];
    const column = across.binOf(point);
    if (row !== undefined) row[column] = Math.max(row[column] ?? Number.NEGATIVE_INFINITY, value);
  }
  return { x, y, columns: across.labels, rows: down.labels, cells };
}

interface Bins {
  readonly labels: readonly string[];
  binOf(point: Point): number;
}

function binsOf(space: Space, scored: readonly Scored[], name: string): Bins {
  const dimension = space.dimensions.find((one) => one.name === name);
  if (dimension === undefined) return { labels: [], binOf: () => -1 };
  const used = new Set(scored.map(({ point }) => point[name]));
  if (dimension.kind === 'choice' || used.size <= cellsMax) {
    const all = dimension.kind === 'choice' ? dimensionValues(dimension, cellsMax) : [...used];
    const values = dimension.kind === 'choice' ? all : all.toSorted((a, b) => Number(a) - Number(b));
    return { labels: values.map(String), binOf: (point) => values.indexOf(point[name] ?? '') };
  }
  const { low, high, log } = dimension;
  const edge = (index: number): number =>
    log ? low * (high / low) ** (index / cellsMax) : low + ((high - low) * index) / cellsMax;
  return {
    labels: Array.from(
      { length: cellsMax },
      (_, index) => `${rounded(edge(index))}–${rounded(edge(index + 1))}`,
    ),
    binOf: (point) => {
      const value = Number(point[name]);
      let bin = 0;
      while (bin < cellsMax - 1 && value >= edge(bin + 1)) bin += 1;
      return bin;
    },
  };
}

function rounded(value: number): number {
  return Number(value.toPrecision(3));
}
