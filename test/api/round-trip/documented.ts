import { readFileSync } from 'node:fs';

/** An error of the documents, and the rows it is documented for. */
export interface DocumentedError {
  readonly code: number;
  readonly source: string;
  /** By `nameOf`. */
  readonly rows: readonly string[];
}

export const documentedErrors = JSON.parse(
  readFileSync(new URL('documented-errors.json', import.meta.url), 'utf8'),
) as readonly DocumentedError[];

/** The codes documented for a row, ascending. */
export function codesOf(row: string): readonly number[] {
  const codes = documentedErrors.filter(({ rows }) => rows.includes(row)).map(({ code }) => code);
  return codes.toSorted((a, b) => a - b);
}
