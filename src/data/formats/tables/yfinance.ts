import type { Row, RowSource } from '../bars-rows.ts';

const words = /^(?:open|high|low|close|adj close|volume)$/i;

/** Columns of a table of yfinance, each with its ticker: headers of two or three rows. */
export interface TickerColumns {
  readonly fields: readonly string[];
  readonly tickers: readonly string[];
  /** Rows before the first of the data. */
  readonly skip: number;
}

/**
 * Header of a table that `yfinance.download` writes as CSV: fields in one row, tickers in the other (which comes first depends on
 * `group_by`), then a row that names the time. `undefined` for another table. Source: yfinance 0.2 and 1.x, a frame with two levels of columns.
 */
export function tickerColumns(rows: readonly Row[]): TickerColumns | undefined {
  const [first, second, third] = rows.map(({ cells }) => cells);
  if (first === undefined || second === undefined || third === undefined) return undefined;
  if (!/^date(?:time)?$/i.test(third[0] ?? '') || third.slice(1).some((cell) => cell !== ''))
    return undefined;
  const isField = (cells: readonly string[]): boolean => cells.slice(1).every((cell) => words.test(cell));
  if (isField(first) === isField(second)) return undefined;
  const [fields, tickers] = isField(first) ? [first, second] : [second, first];
  return { fields, tickers, skip: 3 };
}

/** Fields of the rows that `tickerRows` gives, in their order. */
export const tickerFields = [
  'time',
  'open',
  'high',
  'low',
  'close',
  'adjustedClose',
  'volume',
  'symbol',
] as const;

/** Rows of such a table as one row for each ticker that has a bar at the time. */
export function tickerRows(source: RowSource, { fields, tickers, skip }: TickerColumns): RowSource {
  const symbols = [...new Set(tickers.slice(1))];
  const columns = symbols.map((symbol) =>
    ['open', 'high', 'low', 'close', 'adj close', 'volume'].map((name) =>
      fields.findIndex((field, at) => at > 0 && tickers[at] === symbol && field.toLowerCase() === name),
    ),
  );
  return {
    ...source,
    rows: async function* () {
      let left = skip;
      for await (const rows of source.rows()) {
        const made: Row[] = [];
        for (const { number, cells } of rows) {
          if (left > 0) left -= 1;
          else
            for (const [at, own] of columns.entries()) {
              const numbers = own.map((column) => cells[column] ?? '');
              // A ticker that does not trade at a time of another one has empty cells there.
              if (symbols.length > 1 && numbers.every((cell) => cell === '')) continue;
              made.push({ number, cells: [cells[0] ?? '', ...numbers, symbols[at] ?? ''] });
            }
        }
        if (made.length > 0) yield made;
      }
    },
  };
}
