import type { Observable } from 'rxjs';
import { Subject, filter, mergeMap } from 'rxjs';
import { BadInput } from '../../../../core/base/errors.ts';
import type { SocketLine } from './line.ts';

/** Readers of notifications, by name. */
export type NoticeTable = Readonly<Record<string, (params: unknown) => unknown>>;

/** Notifications of a line, read by a table. Unreadable rows are reported by `faults$` and skipped. */
export class Notices<Table extends NoticeTable> {
  readonly #line: SocketLine;
  readonly #table: Table;
  readonly #faults = new Subject<string>();

  constructor(line: SocketLine, table: Table) {
    this.#line = line;
    this.#table = table;
  }

  /** Faults of notifications that were passed over. */
  get faults$(): Observable<string> {
    return this.#faults;
  }

  /** The parameters of notifications of one name of the table. */
  of<Name extends keyof Table & string>(name: Name): Observable<ReturnType<Table[Name]>> {
    const read = this.#table[name] as (params: unknown) => ReturnType<Table[Name]>;
    return this.#read(name, (frame) => frame['params'], read);
  }

  /** Whole frames of one channel. */
  frames<Value>(name: string, read: (frame: unknown) => Value): Observable<Value> {
    return this.#read(name, (frame) => frame, read);
  }

  #read<Value>(
    name: string,
    part: (frame: Readonly<Record<string, unknown>>) => unknown,
    read: (json: unknown) => Value,
  ): Observable<Value> {
    return this.#line.notices$.pipe(
      filter((notice) => notice.name === name),
      mergeMap(({ frame }) => {
        try {
          return [
            this.#line.rows.read(name, part(frame), read, ({ row, why }) =>
              this.#faults.next(`${name}: row ${row}: ${why}`),
            ),
          ];
        } catch (error) {
          if (!(error instanceof BadInput)) throw error;
          this.#faults.next(`${name}: ${error.message}`);
          return [];
        }
      }),
    );
  }
}
