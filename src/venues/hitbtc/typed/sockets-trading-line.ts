import { readParams } from '../wire/param-fields.ts';
import type { ParamSchema } from './sockets-params.ts';
import type { SocketLine } from './sockets-line.ts';
import { Notices } from './sockets-notices.ts';
import type { CallOptions } from './caller.ts';
import { denied } from './failure.ts';
import type { Spelling } from './input.ts';
import { wireParams } from './input.ts';

/** The parameters of methods as a server reads them, where the wire tables have them. */
export type MethodTable = Readonly<Record<string, { readonly params: ParamSchema } | undefined>>;

/**
 * A line whose requests are methods with parameters (every socket but v3's public one): parameters are checked by
 * the wire's own schemas before they leave, and subscriptions are kept up over losses of the connection.
 */
export class TradingLine {
  readonly socket: SocketLine;
  readonly notices: Notices;
  readonly #methods: MethodTable;
  readonly #spelling: Spelling;
  /** What is subscribed, in the order asked for. */
  readonly #wanted = new Map<string, { readonly method: string; readonly params: object }>();

  constructor(socket: SocketLine, methods: MethodTable, spelling: Spelling) {
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
  async ask<Value>(
    method: string,
    params: object,
    read: (result: unknown) => Value,
    options?: CallOptions,
  ): Promise<Value> {
    return this.socket.ask({ method, params: this.#checked(method, params), read }, options);
  }

  /** As `ask`, where there are `count` answers. */
  async askMany<Value>(
    method: string,
    params: object,
    answers: { readonly count: number; readonly read: (result: unknown) => Value },
    options?: CallOptions,
  ): Promise<readonly Value[]> {
    const { count, read } = answers;
    return this.socket.askMany({ method, params: this.#checked(method, params), read }, count, options);
  }

  /** Subscribes now, and again after each loss of the connection. `key` tells subscriptions of one method apart. */
  async subscribe(method: string, params: object, options?: CallOptions, key = ''): Promise<void> {
    await this.ask(method, params, () => undefined, options);
    this.#wanted.set(`${method} ${key}`, { method, params: wireParams(params, this.#spelling) });
  }

  /** Ends what `method` subscribed. */
  async unsubscribe(
    method: string,
    ending: string,
    params: object,
    options?: CallOptions,
    key = '',
  ): Promise<void> {
    this.#wanted.delete(`${method} ${key}`);
    await this.ask(ending, params, () => undefined, options);
  }

  #checked(method: string, params: object): object {
    const wire = wireParams(params, this.#spelling);
    const schema = this.#methods[method]?.params;
    if (schema === undefined) return wire;
    const checked = readParams(schema, wire);
    if (checked.ok) return wire;
    const { message, description } = checked.error;
    throw denied(method, 'PARAMETER_INVALID', description ? `${message}: ${description}` : message);
  }
}
