import type { Micros } from '../../../core/base/clock.ts';
import { BadInput } from '../../../core/base/errors.ts';
import { thrownBy } from '../../recording/index.ts';
import { readTextLines } from '../opened-file.ts';
import type { SourceItem } from '../market-writer.ts';

/** Content of a Tardis file, by its header. */
export type TardisKind = 'incremental' | 'snapshots' | 'trades' | 'quotes';

/** Rows that arrived together: of one symbol, at one local time, and all or none of a snapshot. */
export interface TardisItem extends SourceItem {
  readonly kind: TardisKind;
  readonly columns: ReadonlyMap<string, number>;
  readonly rows: readonly (readonly string[])[];
}

/** How the header of every file of Tardis begins. */
export const tardisHeader = 'exchange,symbol,timestamp,local_timestamp,';
const rowsMax = 1_000_000;
const micros = /^\d{16}$/;
/** As Tardis writes it, or as a table that was read and written again has it. */
const truth = /^(true|false)$/i;

/** The rows of a file, grouped by arrival. Throws `BadInput` with file, line and expectation. */
export async function* readTardis(path: string): AsyncGenerator<readonly TardisItem[], void, undefined> {
  let groups: Groups | undefined;
  for await (const { number, lines } of readTextLines(path)) {
    const items: TardisItem[] = [];
    const refusal = thrownBy(() => {
      for (const [index, line] of lines.entries()) {
        if (line.length === 0) continue;
        const text = Buffer.from(line).toString('latin1');
        if (groups === undefined) groups = new Groups(path, text);
        else groups.add(text, number + index, items);
      }
    });
    if (items.length > 0) yield items;
    if (refusal !== undefined) throw refusal.error;
  }
  const last = groups?.take();
  if (last !== undefined) yield [last];
}

class Groups {
  readonly #path: string;
  readonly #kind: TardisKind;
  readonly #columns: ReadonlyMap<string, number>;
  readonly #local: number;
  readonly #snapshot: number | undefined;
  #rows: (readonly string[])[] = [];
  #number = 0;
  /** Exchange of the first row: books of two exchanges are not one, whatever their symbol is. */
  #exchange: string | undefined;

  constructor(path: string, header: string) {
    this.#path = path;
    this.#columns = new Map(header.split(',').map((name, index) => [name, index]));
    const kind = kindOf(this.#columns);
    if (!header.startsWith(tardisHeader) || kind === undefined) {
      throw new BadInput(
        `${path}:1: expected the header of incremental_book_L2, book_snapshot_N, trades or quotes, found ${JSON.stringify(header.slice(0, 80))}`,
      );
    }
    this.#kind = kind;
    this.#local = this.#columns.get('local_timestamp') ?? 3;
    this.#snapshot = this.#columns.get('is_snapshot');
  }

  /** Adds a row; when it begins a new group, the one before goes to `items`. */
  add(text: string, number: number, items: TardisItem[]): void {
    const row = text.split(',');
    const wrong = this.#wrongIn(row);
    if (wrong !== undefined) {
      throw new BadInput(
        `${this.#path}:${number}: expected ${wrong}, found ${JSON.stringify(text.slice(0, 80))}`,
      );
    }
    const first = this.#rows[0];
    if (first !== undefined && !(this.#isGrouped() && this.#isSame(first, row))) {
      const done = this.take();
      if (done !== undefined) items.push(done);
    }
    if (this.#rows.length === 0) this.#number = number;
    if (this.#rows.length >= rowsMax) {
      throw new BadInput(`${this.#path}:${number}: expected at most ${rowsMax} rows that arrived together`);
    }
    this.#rows.push(row);
  }

  take(): TardisItem | undefined {
    const [first] = this.#rows;
    if (first === undefined) return undefined;
    const rows = this.#rows;
    this.#rows = [];
    return {
      path: this.#path,
      number: this.#number,
      receiveTime: Number(first[this.#local]) as Micros,
      kind: this.#kind,
      columns: this.#columns,
      rows,
    };
  }

  /** Fault of a row: what it should be, when it is not. */
  #wrongIn(row: readonly string[]): string | undefined {
    const { size } = this.#columns;
    if (row.length !== size || !micros.test(row[this.#local] ?? ''))
      return `${size} columns with a local time in microseconds`;
    if (!micros.test(row[2] ?? '')) return 'a timestamp in microseconds';
    this.#exchange ??= row[0];
    if (row[0] !== this.#exchange) return `rows of one exchange, ${this.#exchange}`;
    const isSnapshot = this.#snapshot === undefined ? 'false' : (row[this.#snapshot] ?? '');
    return truth.test(isSnapshot) ? undefined : 'is_snapshot to be true or false';
  }

  /** Rows of whole books and tickers stand alone. */
  #isGrouped(): boolean {
    return this.#kind === 'incremental' || this.#kind === 'trades';
  }

  #isSame(a: readonly string[], b: readonly string[]): boolean {
    const isSnapshot = this.#snapshot === undefined || a[this.#snapshot] === b[this.#snapshot];
    return isSnapshot && a[1] === b[1] && a[this.#local] === b[this.#local];
  }
}

function kindOf(columns: ReadonlyMap<string, number>): TardisKind | undefined {
  if (columns.has('is_snapshot')) return 'incremental';
  if (columns.has('asks[0].price') || columns.has('bids[0].price')) return 'snapshots';
  if (columns.has('ask_price')) return 'quotes';
  return columns.has('side') && columns.has('id') ? 'trades' : undefined;
}
