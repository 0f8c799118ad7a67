import type { Figure, Limit } from './row.ts';
import { isWithin, limitText } from './row.ts';

/** A figure as it is printed by `--json` and kept in `figures.json`. */
export interface FigureLine {
  readonly row: string;
  readonly name: string;
  readonly value: number;
  readonly unit: string;
  readonly limit: Limit | null;
  readonly seed: number | null;
  readonly commit: string;
  readonly ok: boolean;
  readonly note: string | null;
}

export function figureLine(row: string, commit: string, figure: Figure): FigureLine {
  const { name, value, unit, limit = null, seed = null, note = null } = figure;
  return { row, name, value, unit, limit, seed, commit, ok: isWithin(figure), note };
}

/** The figure as a line of columns: row, name, value with its unit, limit, seed, commit, `ok` or `FAILED`. */
export function figureText({ row, name, value, unit, limit, seed, commit, ok, note }: FigureLine): string {
  const columns = [
    row.padEnd(18),
    name.padEnd(34),
    `${shown(value)} ${unit}`.padEnd(26),
    `limit ${limitText(limit ?? undefined)}`.padEnd(16),
    `seed ${seed ?? '-'}`.padEnd(14),
    commit,
    ok ? 'ok' : 'FAILED',
  ];
  return columns.join(' ') + (note === null ? '' : `  ${note}`);
}

/** Six digits that count are enough for people. */
function shown(value: number): string {
  return Number.isInteger(value) ? String(value) : String(Number(value.toPrecision(6)));
}

/** What `--keep` writes: the figures of rows that were run take the place of older ones of the same row. */
export function keptText(older: readonly FigureLine[], lines: readonly FigureLine[]): string {
  const renewed = new Set(lines.map(({ row }) => row));
  const all = [...older.filter(({ row }) => !renewed.has(row)), ...lines].sort(
    (a, b) => compare(a.row, b.row) || compare(a.name, b.name),
  );
  return `[\n${all.map((line) => `  ${JSON.stringify(line)}`).join(',\n')}\n]\n`;
}

function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}
