import type { FigureLine } from './figure-lines.ts';
import { knownFigures } from './measure-row.ts';
import type { Figure, Row } from './row.ts';
import { limitText } from './row.ts';
import { RowState } from './state.ts';

/** What became of a row. */
export interface RowOutcome {
  readonly row: Row;
  readonly figures: readonly Figure[];
  /** Why there are no figures: what the row threw. */
  readonly failure?: string;
  readonly isKnown: boolean;
  readonly wallMs: number;
}

export interface RunParts {
  readonly rows: readonly Row[];
  /** Where pieces and figures are kept. */
  readonly directory: string;
  /** Measures one row: in a process of its own, or in this one. */
  readonly measure: (row: Row) => Promise<readonly Figure[]>;
  readonly onOutcome: (outcome: RowOutcome) => void;
  readonly stopped: AbortSignal;
}

/** How many rows run at once. */
const atOnce = 2;

/** Runs rows two at a time, and then, one by one, those that want the machine alone. Returns what became of each. */
export async function runRows(parts: RunParts): Promise<readonly RowOutcome[]> {
  const { rows, stopped } = parts;
  const outcomes: RowOutcome[] = [];
  const take = async (queue: Row[]): Promise<void> => {
    for (let row = queue.shift(); row !== undefined && !stopped.aborted; row = queue.shift()) {
      const outcome = await runRow(row, parts);
      if (stopped.aborted && outcome.failure !== undefined) return;
      outcomes.push(outcome);
      parts.onOutcome(outcome);
    }
  };
  // The longest first, so that at the end no core waits for one.
  const shared = rows.filter(({ isAlone }) => isAlone !== true).sort((a, b) => b.minutes - a.minutes);
  await Promise.all(Array.from({ length: atOnce }, () => take(shared)));
  await take(rows.filter(({ isAlone }) => isAlone === true));
  return outcomes;
}

async function runRow(row: Row, { directory, measure }: RunParts): Promise<RowOutcome> {
  const known = knownFigures(new RowState(directory, row.name));
  if (known !== undefined) return { row, figures: known, isKnown: true, wallMs: 0 };
  const begun = performance.now();
  const passed = (): number => Math.round(performance.now() - begun);
  try {
    return { row, figures: await measure(row), isKnown: false, wallMs: passed() };
  } catch (error) {
    const failure = error instanceof Error ? error.message : String(error);
    return { row, figures: [], failure, isKnown: false, wallMs: passed() };
  }
}

/** What is wrong, a line each: rows without figures, and figures beyond their limit. */
export function brokenOf(outcomes: readonly RowOutcome[], lines: readonly FigureLine[]): readonly string[] {
  return [
    ...outcomes.flatMap(({ row, failure }) =>
      failure === undefined ? [] : [`${row.name}: ${failure.split('\n')[0] ?? ''}`],
    ),
    ...lines
      .filter(({ ok }) => !ok)
      .map(
        ({ row, name, value, unit, limit }) =>
          `${row}: ${name} is ${value} ${unit}, the limit ${limitText(limit ?? undefined)}`,
      ),
  ];
}
