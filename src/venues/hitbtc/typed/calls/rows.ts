import type { Observable } from 'rxjs';
import { Subject } from 'rxjs';
import { BadInput } from '../../../../core/base/errors.ts';
import { withOddMembers } from '../../wire/index.ts';

/** A row of an answer or a notification that was left out, for it is not as documented, or a member of a row that came without it. */
export interface UnreadableRow {
  /** The call, the method or the channel. */
  readonly call: string;
  /** Where it stood: a code, a place from 0, or both, such as `ETHBTC.3`. */
  readonly row: string;
  /** There when the row came, and only this member of one of the rows was left out; `row` is empty then. */
  readonly member?: string;
  readonly why: string;
}

const rowsOfAnswer = new WeakMap<object, readonly UnreadableRow[]>();

/** The rows that an answer of this client lacks because they could not be read; none when it is whole. */
export function unreadableRows(answer: object): readonly UnreadableRow[] {
  return rowsOfAnswer.get(answer) ?? [];
}

/** Members that hold the rows of an answer beside members that say what the rows are. */
const rowMembers = ['result', 'data', 'snapshot', 'update', 'history', 'prices'];

/**
 * Reads answers so that one row that cannot be read does not cost the list. Rows are the items of a list, the members
 * of an object whose members are all objects or lists (keyed by code), and those below a member such as `result`.
 * Anything else is one row: a book without one of its levels would be another book.
 */
export class RowReader {
  readonly #unreadable = new Subject<UnreadableRow>();
  /** Calls whose loss was said on standard error. */
  readonly #said = new Set<string>();

  /** Every row that was left out. While there is no subscriber, the first one of each call is a warning of the process. */
  get unreadable$(): Observable<UnreadableRow> {
    return this.#unreadable;
  }

  /** `json` read by `read`. Throws `BadInput` when no row can be read, or when it has no rows. */
  read<Value>(
    call: string,
    json: unknown,
    read: (json: unknown) => Value,
    report?: (row: UnreadableRow) => void,
  ): Value {
    const { value, lost } = sifted(json, read);
    const rows = lost.map((one) => ({ call, ...one }));
    if (rows.length > 0 && typeof value === 'object' && value !== null) rowsOfAnswer.set(value, rows);
    for (const row of rows) {
      report?.(row);
      this.#report(row);
    }
    return value;
  }

  close(): void {
    this.#unreadable.complete();
  }

  #report(row: UnreadableRow): void {
    if (this.#unreadable.observed) this.#unreadable.next(row);
    else if (!this.#said.has(row.call)) {
      this.#said.add(row.call);
      const what = row.member === undefined ? `row ${row.row}` : `member ${row.member}`;
      const text = `${row.call}: ${what} was passed over: ${row.why}`;
      process.emitWarning(text, { code: 'GW_ROW_UNREADABLE' });
    }
  }
}

type Lost = Omit<UnreadableRow, 'call'>;

/** `json` read without what cannot be read, and what that is. */
function sifted<Value>(
  json: unknown,
  read: (json: unknown) => Value,
): { readonly value: Value; readonly lost: readonly Lost[] } {
  const readOf = (kept: unknown, rows: readonly Lost[]) => {
    const { value, odd } = withOddMembers(() => read(kept));
    return { value, lost: [...rows, ...odd.map(({ member, why }) => ({ row: '', member, why }))] };
  };
  try {
    return readOf(json, []);
  } catch (error) {
    if (!(error instanceof BadInput)) throw error;
    const sieve = new Sieve((kept) => reasonAgainst(kept, read));
    const kept = sieve.sift(json, (part) => part, '');
    if (sieve.readable === 0) throw error;
    return readOf(kept, sieve.lost);
  }
}

function reasonAgainst(json: unknown, read: (json: unknown) => unknown): string | undefined {
  try {
    read(json);
    return undefined;
  } catch (error) {
    if (error instanceof BadInput) return error.message;
    throw error;
  }
}

/** Puts a part of an answer back in its place, without the other rows beside it. */
type Place = (part: unknown) => unknown;

/** Tries each row of an answer alone. */
class Sieve {
  readonly lost: { readonly row: string; readonly why: string }[] = [];
  readable = 0;
  readonly #reasonAgainst: (json: unknown) => string | undefined;

  constructor(reasonAgainst: (json: unknown) => string | undefined) {
    this.#reasonAgainst = reasonAgainst;
  }

  /** The part of an answer without its unreadable rows; `undefined` when it is one of them. */
  sift(part: unknown, place: Place, path: string): unknown {
    const why = this.#reasonAgainst(place(part));
    if (why === undefined) {
      this.readable += 1;
      return part;
    }
    const [lost, readable] = [this.lost.length, this.readable];
    const kept = this.#rows(part, place, path);
    if (kept !== undefined && this.#reasonAgainst(place(kept)) === undefined) return kept;
    this.lost.splice(lost, Infinity, { row: path === '' ? '0' : path, why });
    this.readable = readable;
    return undefined;
  }

  #rows(part: unknown, place: Place, path: string): object | undefined {
    if (Array.isArray(part)) return this.#items(part, place, path);
    const member = rowMemberOf(part);
    if (member === undefined) return isKeyed(part) ? this.#members(part, place, path) : undefined;
    const whole = part as Readonly<Record<string, unknown>>;
    const within = (rows: unknown): object => ({ ...whole, [member]: rows });
    return within(this.sift(whole[member], (rows) => place(within(rows)), path));
  }

  #items(items: readonly unknown[], place: Place, path: string): readonly unknown[] {
    return items.filter((item, index) => {
      const why = this.#reasonAgainst(place([item]));
      if (why === undefined) this.readable += 1;
      else this.lost.push({ row: joined(path, String(index)), why });
      return why === undefined;
    });
  }

  #members(keyed: Readonly<Record<string, unknown>>, place: Place, path: string): object {
    const kept: [string, unknown][] = [];
    for (const [key, member] of Object.entries(keyed)) {
      const sifted = this.sift(member, (part) => place({ [key]: part }), joined(path, key));
      if (sifted !== undefined) kept.push([key, sifted]);
    }
    return Object.fromEntries(kept);
  }
}

/** The member that holds the rows, where other members stand beside it. */
function rowMemberOf(part: unknown): string | undefined {
  if (typeof part !== 'object' || part === null) return undefined;
  return rowMembers.find((name) => {
    const member = (part as Readonly<Record<string, unknown>>)[name];
    return typeof member === 'object' && member !== null;
  });
}

function isKeyed(part: unknown): part is Readonly<Record<string, unknown>> {
  if (typeof part !== 'object' || part === null) return false;
  const members = Object.values(part);
  return members.length > 0 && members.every((member) => typeof member === 'object' && member !== null);
}

function joined(path: string, name: string): string {
  return path === '' ? name : `${path}.${name}`;
}
