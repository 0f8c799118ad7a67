import { millis } from '../../../../core/base/clock.ts';
import type { Clock } from '../../../../core/base/clock.ts';
import { BadInput } from '../../../../core/base/errors.ts';
import type { Random } from '../../../../core/base/random.ts';
import { requirePrivate } from '../../../address.ts';
import type { ClientOptions } from '../../../options.ts';
import { accountSocket } from '../../../options.ts';
import type { PathBudgets, RateRow } from '../../budgets/path.ts';
import { unknownVerdict, verdictOfSocketError } from '../../client/index.ts';
import type { Socket } from '../../../net/index.ts';
import { WsSocket } from '../../../net/index.ts';
import { parseFrame, readAnswer, idMember } from '../../wire/index.ts';
import type { SocketId } from '../../wire/index.ts';
import type { CallOptions, RowReader } from '../calls/index.ts';
import { CallFailed, failedBy, unsent, TypedTurn } from '../calls/index.ts';
import { SocketCalls } from './calls.ts';
import { Subject } from 'rxjs';
import type { Observable } from 'rxjs';

/** Parts that a socket line is made of. */
export interface LineDeps {
  readonly url: string;
  readonly clock: Clock;
  readonly random: Random;
  readonly options: ClientOptions;
  readonly budgets: PathBudgets;
  readonly rows: RowReader;
  /** The rows of the documents' limits that a method counts against. */
  readonly rowsOf: (method: string) => readonly RateRow[];
  /** Parameters of a fresh login; left out where none is needed. */
  readonly login?: (() => object) | undefined;
}

/** One request on the wire. */
export interface LineRequest<Value> {
  readonly method: string;
  /** The `ch` member of the v3 public socket. */
  readonly channel?: string;
  readonly params: object;
  readonly read: (result: unknown) => Value;
}

/** An unsolicited message: a notification, or a frame of a channel. */
export interface Notice {
  /** The method, or the channel on the v3 public socket. */
  readonly name: string;
  readonly frame: Readonly<Record<string, unknown>>;
}

/** Whether the line can be used. `ready`: connected, logged in, and everything asked for again. */
export type LineState = 'connecting' | 'ready' | 'lost' | 'closed';

/**
 * One socket with its login, kept up: after a loss it connects again, logs in, and has `resume` ask anew for what
 * was subscribed. Requests leave when the documents' limits have room, once; what has no answer when the
 * connection goes ends `unknown`. Source: v3-gaps, sections 1.1, 2.1 and 2.2; v2-gaps, section 4.
 */
export class SocketLine {
  readonly #setup: LineDeps;
  readonly #socket: Socket;
  readonly #calls: SocketCalls;
  readonly #notices = new Subject<Notice>();
  readonly #states = new Subject<LineState>();
  #state: LineState = 'connecting';
  readonly #waiters = new Set<() => void>();
  /** Why the last login was refused; a wrong clock heals, so the line goes on trying. */
  #refusal: CallFailed | undefined;
  #resume: () => Promise<void> = () => Promise.resolve();

  constructor(setup: LineDeps) {
    this.#setup = setup;
    if (setup.login !== undefined) requirePrivate(setup.url);
    this.#calls = new SocketCalls(setup.clock, setup.options.calls, setup.rows);
    this.#socket = new WsSocket({
      url: setup.url,
      clock: setup.clock,
      random: setup.random,
      options: setup.login === undefined ? setup.options.socket : accountSocket(setup.options),
      skipUtf8Validation: false,
      listener: {
        opened: () => void this.#opened(),
        received: (bytes) => this.#received(bytes),
        closed: (why) => this.#lost(why),
      },
    });
    this.#socket.open();
  }

  /** Unsolicited messages. A subscriber that throws harms itself alone. */
  get notices$(): Observable<Notice> {
    return this.#notices;
  }

  /** Reads what comes. */
  get rows(): RowReader {
    return this.#setup.rows;
  }

  /** Every change of the state. */
  get states$(): Observable<LineState> {
    return this.#states;
  }

  get state(): LineState {
    return this.#state;
  }

  /** Sets what to ask for again after each connection, before anything else leaves. */
  onResume(resume: () => Promise<void>): void {
    this.#resume = resume;
  }

  /**
   * Resolves once the line is ready. Rejects with `CallFailed` when the venue refuses the login, the line is closed,
   * or `signal` is aborted first.
   */
  async ready(options: CallOptions = {}): Promise<void> {
    const { signal } = options;
    while (this.#state !== 'ready') {
      if (this.#refusal !== undefined) throw this.#refusal;
      if (this.#state === 'closed') throw unsent('socket', 'closed');
      if (signal?.aborted === true) throw unsent('socket', 'given up');
      await new Promise<void>((resolve) => {
        this.#waiters.add(resolve);
        signal?.addEventListener('abort', () => resolve(), { once: true });
      });
    }
  }

  /** Sends a request once the line is ready. Rejects with `CallFailed`. */
  async ask<Value>(request: LineRequest<Value>, options: CallOptions = {}): Promise<Value> {
    await this.#soon(options);
    const [value] = await this.#send(request, 1, options);
    return value as Value;
  }

  /** As `ask`, where the venue answers `count` times under one id. Source: v3-gaps, section 2.3 (spot_new_order_list). */
  async askMany<Value>(
    request: LineRequest<Value>,
    count: number,
    options: CallOptions = {},
  ): Promise<readonly Value[]> {
    await this.#soon(options);
    return this.#send(request, count, options);
  }

  /** As `ask`, for `onResume` alone: it does not wait until the line is ready. */
  async askNow<Value>(request: LineRequest<Value>): Promise<Value> {
    const [value] = await this.#send(request, 1, {});
    return value as Value;
  }

  /** Ends for good. */
  async close(): Promise<void> {
    this.#calls.abandon('closed by us');
    this.#become('closed');
    await this.#socket.close();
    this.#notices.complete();
    this.#states.complete();
  }

  async #send<Value>(
    request: LineRequest<Value>,
    count: number,
    options: CallOptions,
  ): Promise<readonly Value[]> {
    const { clock, budgets, rowsOf } = this.#setup;
    const { method, channel, params } = request;
    const { signal } = options;
    const turn = new TypedTurn({ budgets, clock, rows: rowsOf(method), lane: 'new', signal });
    if (!(await turn.enter())) throw unsent(method, 'given up before it left');
    const ch = channel === undefined ? '' : `,"ch":${JSON.stringify(channel)}`;
    let limited = false;
    try {
      const answers = await this.#calls.send(method, count, signal, (id) =>
        this.#socket.send(`{"method":"${method}"${ch},"params":${JSON.stringify(params)}${idMember(id)}}`),
      );
      return answers.map((answer) => {
        if (answer.kind === 'silence') throw failedBy(method, unknownVerdict(0, answer.why), 0);
        if (answer.kind === 'result') return this.#calls.read(method, answer.result, request.read);
        const verdict = verdictOfSocketError(answer.error);
        limited = verdict.outcome === 'limited';
        throw failedBy(method, verdict, 0);
      });
    } finally {
      turn.leave(limited);
    }
  }

  async #opened(): Promise<void> {
    const { login } = this.#setup;
    try {
      if (login !== undefined) {
        await this.askNow({ method: 'login', params: login(), read: (result) => result });
      }
      await this.#resume();
      this.#refusal = undefined;
      if (this.#state !== 'closed') this.#become('ready');
    } catch (error) {
      if (!(error instanceof CallFailed)) throw error;
      if (error.failure.kind === 'refused') {
        this.#refusal = error;
        this.#wake();
      }
      this.#socket.cut(error.message);
    }
  }

  /** As `ready`, for as long as a request may take. */
  async #soon({ signal }: CallOptions): Promise<void> {
    if (this.#state === 'ready') return;
    const { clock, options } = this.#setup;
    const late = new AbortController();
    const cancel = clock.after(millis(options.calls.deadlineMs), () => late.abort());
    try {
      await this.ready({
        signal: signal === undefined ? late.signal : AbortSignal.any([signal, late.signal]),
      });
    } finally {
      cancel();
    }
  }

  #wake(): void {
    for (const resolve of this.#waiters) resolve();
    this.#waiters.clear();
  }

  #received(bytes: Uint8Array): void {
    let frame: unknown;
    try {
      frame = parseFrame(bytes);
    } catch (error) {
      if (!(error instanceof BadInput)) throw error;
      this.#socket.cut('a frame that cannot be read');
      return;
    }
    if (typeof frame !== 'object' || frame === null || Array.isArray(frame)) return;
    const members = frame as Readonly<Record<string, unknown>>;
    const { method, ch } = members;
    const name = typeof method === 'string' ? method : ch;
    if (typeof name === 'string') this.#notices.next({ name, frame: members });
    else this.#answered(frame);
  }

  #answered(frame: object): void {
    const answer = readAnswer(frame);
    if (typeof answer === 'string') return;
    const { id, result, error } = answer;
    this.#calls.accept(
      id as SocketId | undefined,
      error === undefined ? { kind: 'result', result } : { kind: 'error', error },
    );
  }

  #lost(why: string): void {
    if (this.#state === 'closed') return;
    this.#calls.abandon(why);
    this.#become('lost');
  }

  #become(state: LineState): void {
    this.#state = state;
    this.#states.next(state);
    if (state !== 'ready' && state !== 'closed') return;
    this.#wake();
  }
}
