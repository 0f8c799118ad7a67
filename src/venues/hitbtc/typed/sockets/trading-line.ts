import type { Observable } from 'rxjs';
import type { Asked, SocketMethod } from '../../wire/index.ts';
import { readRequestParams } from '../../wire/index.ts';
import { v2Methods, v2Notices } from '../../wire/v2/index.ts';
import { v3Methods, v3Notices } from '../../wire/v3/index.ts';
import type { SocketLine } from './line.ts';
import type { NoticeTable } from './notices.ts';
import { Notices } from './notices.ts';
import type { CallOptions, Spelling } from '../calls/index.ts';
import { callDenied, wireParams } from '../calls/index.ts';
import { fieldText } from '../../client/index.ts';

type MethodAnswer<Row> = Row extends SocketMethod<infer _Params, infer Answer, infer _Input> ? Answer : never;

/** Methods and notices of a version's sockets, and how callers spell parameters. */
interface MethodTables<Methods extends object, Told extends NoticeTable> {
  readonly methods: Methods;
  readonly notices: Told;
  readonly spelling: Spelling;
}

const v3Tables = { methods: v3Methods, notices: v3Notices, spelling: 'snake' } as const;
const v2Tables = { methods: v2Methods, notices: v2Notices, spelling: 'camel' } as const;

export type V3TradingLine = TradingLine<typeof v3Methods, typeof v3Notices>;
export type V2TradingLine = TradingLine<typeof v2Methods, typeof v2Notices>;

/** A line of a v3 socket whose requests are methods. */
export function v3TradingLine(socket: SocketLine): V3TradingLine {
  return new TradingLine(socket, v3Tables);
}

/** A line of a v2 socket. */
export function v2TradingLine(socket: SocketLine): V2TradingLine {
  return new TradingLine(socket, v2Tables);
}

/**
 * A line whose requests are methods with parameters (every socket but v3's public one): parameters are checked by
 * the wire's own schemas before they leave, and subscriptions are kept up over losses of the connection.
 */
export class TradingLine<Table extends object, Told extends NoticeTable> {
  readonly socket: SocketLine;
  readonly notices: Notices<Told>;
  readonly #methods: Table;
  readonly #spelling: Spelling;
  /** Subscriptions, in the order asked for. */
  readonly #wanted = new Map<string, { readonly method: string; readonly params: object }>();

  constructor(socket: SocketLine, { methods, notices, spelling }: MethodTables<Table, Told>) {
    this.socket = socket;
    this.notices = new Notices(socket, notices);
    this.#methods = methods;
    this.#spelling = spelling;
    socket.onResume(async () => {
      for (const { method, params } of this.#wanted.values()) {
        await socket.askNow({ method, params, read: () => undefined });
      }
    });
  }

  /** Rejects with `CallFailed`. */
  async ask<Name extends keyof Table & string>(
    method: Name,
    params: object,
    options?: CallOptions,
  ): Promise<MethodAnswer<Table[Name]>> {
    return this.socket.ask(this.#request(method, params), options);
  }

  /** As `ask`, where there are `count` answers. */
  async askMany<Name extends keyof Table & string>(
    method: Name,
    params: object,
    count: number,
    options?: CallOptions,
  ): Promise<readonly MethodAnswer<Table[Name]>[]> {
    return this.socket.askMany(this.#request(method, params), count, options);
  }

  /** Subscribes now, and again after each loss of the connection. `key` distinguishes subscriptions of one method. */
  async subscribe(
    method: keyof Table & string,
    params: object,
    options?: CallOptions,
    key = '',
  ): Promise<void> {
    await this.ask(method, params, options);
    this.#wanted.set(`${method} ${key}`, { method, params: wireParams(params, this.#spelling) });
  }

  /** Ends what `method` subscribed. */
  async unsubscribe(
    method: keyof Table & string,
    ending: keyof Table & string,
    params: object,
    options?: CallOptions,
    key = '',
  ): Promise<void> {
    this.#wanted.delete(`${method} ${key}`);
    await this.ask(ending, params, options);
  }

  #request<Name extends keyof Table & string>(method: Name, params: object) {
    const row = this.#methods[method] as SocketMethod<unknown, MethodAnswer<Table[Name]>>;
    const wire = wireParams(params, this.#spelling);
    const checked = readRequestParams(row.params, wire);
    if (!checked.ok) {
      const { message, description } = checked.error;
      throw callDenied(method, 'PARAMETER_INVALID', description ? `${message}: ${description}` : message);
    }
    const read = (result: unknown) => row.answer(result, askedIn(wire));
    return { method, params: wire, read };
  }
}

/** One connection whose requests are methods: its state, what could not be read, and its end. */
export class MethodSocket<
  Line extends { readonly socket: SocketLine; readonly notices: { readonly faults$: Observable<string> } },
> {
  protected readonly line: Line;

  constructor(line: Line) {
    this.line = line;
  }

  /** The connection: its state, and `ready()`. */
  get socket(): SocketLine {
    return this.line.socket;
  }

  /** Faults of notifications that were passed over. */
  get faults$(): Observable<string> {
    return this.line.notices.faults$;
  }

  close(): Promise<void> {
    return this.line.socket.close();
  }
}

function askedIn(wire: Readonly<Record<string, unknown>>): Asked {
  const plain = Object.entries(wire).filter(([, value]) => typeof value !== 'object');
  return Object.fromEntries(plain.map(([name, value]) => [name, fieldText(value)]));
}
