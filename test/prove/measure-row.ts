import type { Figure, Row } from './row.ts';
import type { RowState } from './state.ts';

interface MeasureParts {
  readonly row: Row;
  readonly state: RowState;
  readonly isShort: boolean;
  readonly stopped: AbortSignal;
  readonly tell: (line: string) => void;
}

/** The piece that holds the figures of the whole row. */
const whole = 'all figures';

/** The figures of a row, by what is known of it already. */
export async function measureRow({
  row,
  state,
  isShort,
  stopped,
  tell,
}: MeasureParts): Promise<readonly Figure[]> {
  async function chunk<T>(piece: string, measure: () => Promise<T>): Promise<T> {
    if (!state.has(piece)) {
      stopped.throwIfAborted();
      const value = await measure();
      // A piece that was broken off half-way is not known.
      stopped.throwIfAborted();
      state.set(piece, value);
    }
    return state.get(piece) as T;
  }
  return chunk(whole, async () => {
    const figures = await row.measure({ isShort, stopped, tell, chunk });
    if (figures.length === 0) throw new Error(`the row ${row.name} has measured nothing`);
    const names = new Set(figures.map(({ name }) => name));
    if (names.size < figures.length) throw new Error(`two figures of the row ${row.name} have one name`);
    return figures;
  });
}

/** The figures that an earlier run has left; undefined when it did not come so far. */
export function knownFigures(state: RowState): readonly Figure[] | undefined {
  return state.get(whole) as readonly Figure[] | undefined;
}
