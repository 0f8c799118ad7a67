import { fail } from '../../core/base/assert.ts';
import type { AccountId } from '../matching/index.ts';
import type { WireError, RequestId, SocketRequest, Right } from '../../venues/hitbtc/wire/index.ts';
import { encodeSocketError, idMember, readSocketRequest } from '../../venues/hitbtc/wire/index.ts';
import type { ExchangeAccount, ApiKey, Bucket, RateLimiter, Faults } from '../base/index.ts';
import type { Connection, Session } from './connection.ts';
import { Refusal, refuse } from '../base/index.ts';

/** One request being answered. */
export interface RpcCall {
  readonly session: RpcSession;
  readonly request: SocketRequest;
}

/** Result of a method: JSON text, several of them, or why there is none. */
export type RpcOutcome = string | readonly string[] | Refusal;

/** A method of a socket: what it needs, and what it answers. */
export interface RpcMethod {
  readonly right: Right;
  /** Whether faults that concern orders apply. */
  readonly changesOrders?: boolean;
  /** The result as JSON text (several make as many replies with the same id), or why there is none; now or later. */
  run(call: RpcCall): RpcOutcome | Promise<RpcOutcome>;
  /** What happens after the reply has been sent: first snapshots. */
  after?(call: RpcCall): void;
}

/** The account a call is made for: there is one wherever a method needs a login. */
export function sessionAccount(call: RpcCall): AccountId {
  return call.session.account?.id ?? fail('a method ran without a login', { method: call.request.method });
}

/** How one location speaks. */
export interface RpcDialect {
  /** Replies carry a `jsonrpc` member everywhere but on the v3 public socket. */
  readonly jsonrpc: boolean;
  readonly methods: ReadonlyMap<string, RpcMethod>;
  /** The answer to a method that does not exist here. */
  unsupported(method: string): WireError;
  /** The row of the limits table that a method counts against; a login counts itself. */
  bucketOf(method: string): Bucket | undefined;
  readonly loginRequired: WireError;
  /** How this version words an error; as it is when absent. */
  readonly wordsOf?: (error: WireError) => WireError;
  /** Whether a request is one that gets no reply; none is when absent. */
  readonly isSilent?: (request: SocketRequest) => boolean;
}

interface RpcSessionDeps {
  readonly connection: Connection;
  readonly dialect: RpcDialect;
  readonly throttle: RateLimiter;
  readonly faults: Faults;
  /** Set when messages count against the limit per address. */
  readonly messageBucket: Bucket | undefined;
  /** Why the account is served no more, if so. */
  admit(account: ExchangeAccount): Refusal | undefined;
  onClose(): void;
  /** Takes what broke an answer that was to come later. */
  readonly onBroken?: ((error: unknown) => void) | undefined;
}

/**
 * Requests and replies on one socket, executed first in, first out; an answer that comes later may be overtaken by others. Broken input is
 * answered, never fatal.
 */
export class RpcSession implements Session {
  readonly connection: Connection;
  readonly #setup: RpcSessionDeps;
  readonly #endings = new Map<string, () => void>();
  #key: ApiKey | undefined;

  constructor(setup: RpcSessionDeps) {
    this.connection = setup.connection;
    this.#setup = setup;
  }

  /** Who is logged in. */
  get account(): ExchangeAccount | undefined {
    return this.#key?.account;
  }

  /** A login to another account ends the subscriptions of the session. */
  login(key: ApiKey): void {
    if (this.#key !== undefined && this.#key.account !== key.account) this.#end();
    this.#key = key;
  }

  /** Has `task` run when the session ends, once; a second one of that name runs the first and replaces it. */
  atEnd(name: string, task: () => void): void {
    this.#endings.get(name)?.();
    this.#endings.set(name, task);
  }

  onText(text: string): void {
    const read = readSocketRequest(text);
    const { dialect, messageBucket } = this.#setup;
    if (!read.ok) {
      const error = read.error.code === 404 ? dialect.unsupported('') : read.error;
      const refusal = this.#passes(messageBucket) ? new Refusal(error) : refuse(429);
      this.#deliver(this.#errorText(refusal, read.id));
      return;
    }
    const { request } = read;
    const method = dialect.methods.get(request.method);
    const refusal = this.#refusalOf(request, method);
    if (refusal !== undefined || method === undefined) {
      this.#fail(refusal ?? refuse(404), request);
      return;
    }
    this.#run(method, { session: this, request });
  }

  onClose(): void {
    this.#end();
    this.#setup.onClose();
  }

  #end(): void {
    for (const task of this.#endings.values()) task();
    this.#endings.clear();
  }

  #run(method: RpcMethod, call: RpcCall): void {
    const { faults } = this.#setup;
    const { request } = call;
    const result =
      method.changesOrders === true ? faults.meetOrder(() => method.run(call)) : method.run(call);
    if (typeof result === 'number') this.#fail(refuse(result), request);
    else if (result instanceof Promise) void this.#answerLate(result, method, call);
    else this.#answer(result, method, call);
  }

  #answer(result: RpcOutcome, method: RpcMethod, call: RpcCall): void {
    if (result instanceof Refusal) {
      this.#fail(result, call.request);
      return;
    }
    for (const each of typeof result === 'string' ? [result] : result) this.#reply(each, call.request);
    method.after?.(call);
  }

  /** A bug ends the connection it met, as it does where an answer comes at once. */
  async #answerLate(result: Promise<RpcOutcome>, method: RpcMethod, call: RpcCall): Promise<void> {
    try {
      this.#answer(await result, method, call);
    } catch (error) {
      this.#setup.onBroken?.(error);
      this.connection.close(1011, 'Internal error');
    }
  }

  #refusalOf(request: SocketRequest, method: RpcMethod | undefined): Refusal | undefined {
    const { dialect, faults, messageBucket } = this.#setup;
    const switched = faults.takeRefusal();
    if (switched !== undefined) return refuse(switched);
    const bucket = dialect.bucketOf(request.method);
    const perAddress = bucket?.scope === 'address';
    if (!this.#passes(messageBucket) || (perAddress && !this.#passes(bucket))) return refuse(429);
    if (method === undefined)
      return perAddress || this.#passes(bucket)
        ? new Refusal(dialect.unsupported(request.method))
        : refuse(429);
    if (method.right === 'none') return undefined;
    if (this.#key === undefined) return new Refusal(dialect.loginRequired);
    if (method.right !== 'key' && !this.#key.rights.has(method.right)) return refuse(1_003);
    const out = this.#setup.admit(this.#key.account);
    if (out !== undefined) return out;
    return perAddress || this.#passes(bucket) ? undefined : refuse(429);
  }

  /** Counts a request; false when the limit is reached. Without a login there is no account to count for. */
  #passes(bucket: Bucket | undefined): boolean {
    if (bucket === undefined) return true;
    const { throttle, connection } = this.#setup;
    const { scope, name, limit } = bucket;
    if (scope === 'address') return throttle.admit(connection.address, name, limit);
    return this.#key === undefined || throttle.admit(`account ${this.#key.account.id}`, name, limit);
  }

  #reply(result: string, request: SocketRequest): void {
    const { dialect } = this.#setup;
    if (dialect.isSilent?.(request) === true) return;
    const head = dialect.jsonrpc ? '{"jsonrpc":"2.0","result":' : '{"result":';
    this.#deliver(
      `${head}${result}${idMember(request.id)}}`,
      dialect.methods.get(request.method)?.changesOrders,
    );
  }

  #fail(refusal: Refusal, request: SocketRequest): void {
    if (this.#setup.dialect.isSilent?.(request) !== true) this.#deliver(this.#errorText(refusal, request.id));
  }

  #errorText({ error }: Refusal, id: RequestId): string {
    const { jsonrpc, wordsOf } = this.#setup.dialect;
    return encodeSocketError(wordsOf?.(error) ?? error, id, jsonrpc);
  }

  #deliver(text: string, changesOrders = false): void {
    const { faults, connection } = this.#setup;
    faults.deliver(() => connection.send(text), changesOrders);
  }
}
