import type { Clock } from '../../../../core/base/clock.ts';
import { millis } from '../../../../core/base/clock.ts';
import { BadInput } from '../../../../core/base/errors.ts';
import type { SocketId } from '../../wire/index.ts';
import { Deadlines } from '../../../net/index.ts';
import type { ClientOptions } from '../../../options.ts';
import type { RpcAnswer } from '../../client/index.ts';
import { unreadable, unsent } from '../calls/index.ts';
import type { RowReader } from '../calls/index.ts';

interface Pending {
  readonly answers: RpcAnswer[];
  left: number;
  readonly settle: (answers: readonly RpcAnswer[]) => void;
}

/** Requests on a socket that wait for their answers, each with an id and a deadline. Bounded. */
export class SocketCalls {
  readonly #options: ClientOptions['calls'];
  readonly #rows: RowReader;
  readonly #pending = new Map<number, Pending>();
  readonly #deadlines: Deadlines<number>;
  #count = 0;

  constructor(clock: Clock, options: ClientOptions['calls'], rows: RowReader) {
    this.#options = options;
    this.#rows = rows;
    this.#deadlines = new Deadlines(clock, millis(options.deadlineMs), (id) =>
      this.#end(id, { kind: 'silence', why: `no answer within ${options.deadlineMs} ms` }),
    );
  }

  /** Sends by `write` under a fresh id; resolves with `count` answers, or fewer when the last one is no result. */
  send(
    method: string,
    count: number,
    signal: AbortSignal | undefined,
    write: (id: number) => boolean,
  ): Promise<readonly RpcAnswer[]> {
    if (this.#pending.size >= this.#options.pendingMax) {
      return Promise.reject(unsent(method, `more than ${this.#options.pendingMax} requests wait`));
    }
    this.#count += 1;
    const id = this.#count;
    if (!write(id)) return Promise.reject(unsent(method, 'the connection is gone'));
    return new Promise((resolve) => {
      const onAbort = (): void => this.#end(id, { kind: 'silence', why: 'given up by the caller' });
      this.#pending.set(id, {
        answers: [],
        left: count,
        settle: (answers) => {
          signal?.removeEventListener('abort', onAbort);
          resolve(answers);
        },
      });
      this.#deadlines.start(id);
      signal?.addEventListener('abort', onAbort);
    });
  }

  /** An answer came; one that belongs to no request is passed over. */
  accept(id: SocketId | undefined, answer: RpcAnswer): void {
    if (typeof id !== 'number') return;
    const pending = this.#pending.get(id);
    if (pending === undefined) return;
    if (answer.kind !== 'result' || pending.left === 1) this.#end(id, answer);
    else {
      pending.answers.push(answer);
      pending.left -= 1;
    }
  }

  /** The connection went: every request ends in silence. */
  abandon(why: string): void {
    for (const id of Array.from(this.#pending.keys())) this.#end(id, { kind: 'silence', why });
    this.#deadlines.clear();
  }

  /** A result read; `CallFailed` when it is not as documented. */
  read<Value>(method: string, result: unknown, read: (result: unknown) => Value): Value {
    try {
      return this.#rows.read(method, result, read);
    } catch (error) {
      if (error instanceof BadInput) throw unreadable(method, error.message, 0);
      throw error;
    }
  }

  #end(id: number, answer: RpcAnswer): void {
    const pending = this.#pending.get(id);
    if (pending === undefined) return;
    this.#pending.delete(id);
    this.#deadlines.stop(id);
    pending.answers.push(answer);
    pending.settle(pending.answers);
  }
}
