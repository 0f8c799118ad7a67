import type { Observable } from 'rxjs';
import { Subject, filter, mergeMap } from 'rxjs';
import { BadInput } from '../../../core/base/errors.ts';
import type { SocketLine } from './sockets-line.ts';

/** Notifications of a line, read by type. Unreadable rows are reported by `faults$` and skipped. */
export class Notices {
  readonly #line: SocketLine;
  readonly #faults = new Subject<string>();

  constructor(line: SocketLine) {
    this.#line = line;
  }

  /** What was wrong with notifications that were passed over. */
  get faults$(): Observable<string> {
    return this.#faults;
  }

  /** The parameters of notifications of one method. */
  of<Value>(method: string, read: (params: unknown) => Value): Observable<Value> {
    return this.#read(method, (frame) => frame['params'], read);
  }

  /** Whole frames of one channel or method. */
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
