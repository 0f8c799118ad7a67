import type { Asked } from '../wire/endpoint.ts';
import { readRequestParams } from '../wire/param-fields.ts';
import type { SocketMethod } from '../wire/socket-method.ts';
import type { v2Methods } from '../wire/v2/socket-methods.ts';
import type { v3Methods } from '../wire/v3/socket-methods.ts';
import type { SocketLine } from './sockets-line.ts';
import { Notices } from './sockets-notices.ts';
import type { CallOptions } from './calls/caller.ts';
import { callDenied } from './calls/failure.ts';
import type { Spelling } from './calls/input.ts';
import { fieldText } from '../client/rest/endpoint-call.ts';
import { wireParams } from './calls/input.ts';

type MethodAnswer<Row> = Row extends SocketMethod<infer _Params, infer Answer, infer _Input> ? Answer : never;

export type V3TradingLine = TradingLine<typeof v3Methods>;
export type V2TradingLine = TradingLine<typeof v2Methods>;

/**
 * A line whose requests are methods with parameters (every socket but v3's public one): parameters are checked by
 * the wire's own schemas before they leave, and subscriptions are kept up over losses of the connection.
 */
export class TradingLine<Table extends object> {
  readonly socket: SocketLine;
  readonly notices: Notices;
  readonly #methods: Table;
  readonly #spelling: Spelling;
  /** What is subscribed, in the order asked for. */
  readonly #wanted = new Map<string, { readonly method: string; readonly params: object }>();

  constructor(socket: SocketLine, methods: Table, spelling: Spelling) {
    this.socket = socket;
    this.notices = new Notices(socket);
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

function askedIn(wire: Readonly<Record<string, unknown>>): Asked {
  const plain = Object.entries(wire).filter(([, value]) => typeof value !== 'object');
  return Object.fromEntries(plain.map(([name, value]) => [name, fieldText(value)]));
}
