import type { SeriesEvent, SeriesRow, SeriesStale } from '../model/event.ts';

/** A series as it stands. */
export interface SeriesFact {
  readonly series: string;
  /** The latest row; `undefined` before the first one. */
  readonly row: SeriesRow | undefined;
  /** Set while it is stale. */
  readonly stale: SeriesStale | undefined;
}

/** Reads the series of a run. */
export interface SeriesView {
  /** A series by name; `undefined` while nothing was received of it. */
  of(series: string): SeriesFact | undefined;
  /** All of them, in the order in which they were first received. */
  readonly all: readonly SeriesFact[];
}

/** The latest row of every series of the run. */
export class SeriesStore implements SeriesView {
  readonly #facts = new Map<string, SeriesFact>();

  of(series: string): SeriesFact | undefined {
    return this.#facts.get(series);
  }

  get all(): readonly SeriesFact[] {
    return [...this.#facts.values()];
  }

  /** Each run reads its series anew. */
  beginRun(): void {
    this.#facts.clear();
  }

  apply(event: SeriesEvent): void {
    const { series } = event;
    if (event.kind === 'seriesRow') this.#facts.set(series, { series, row: event, stale: undefined });
    else this.#facts.set(series, { series, row: this.#facts.get(series)?.row, stale: event });
  }
}
